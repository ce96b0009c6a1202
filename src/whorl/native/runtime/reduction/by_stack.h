/* Schemes that look at the search stack: v0, v1, si and dfs_po, as in reduction/stack.py.
 *
 * The candidates of a program state are tried in their order. One is taken if no run of it leads to
 * a node on the stack of the search: after the claim's move to s' (v0, where each s' has an ample
 * set of its own), or after any of its moves (v1). Otherwise everything is taken.
 *
 * The second search of a nested one has another stack, so it is told what the first one chose
 * (Holzmann, Peled and Yannakakis, section 5.2). The selection number lies in the row of the state,
 * behind the colours: a byte for each place, and for v0 for each move of the claim. A search for
 * components is a single one, and keeps none.
 *
 * The scheme says (scheme/v0.h, scheme/v1.h):
 *
 *   WHORL_ALL_TARGETS   1: one ample set for all moves of the claim
 *
 * and the generator:
 *
 *   WHORL_KEEP          2: selection numbers; 1: one bit, so that only the first candidate is tried;
 *                       0: nothing, which is wrong
 */
#ifndef WHORL_BY_STACK_H
#define WHORL_BY_STACK_H

#include "search/product.h"

static bool whorl_on_stack(const whorl_product *p, whorl_node node);

/* Whether a candidate is no ample set: it closes a cycle, or a run of it faults or keeps control. */
static inline bool whorl_is_refused(const whorl_product *p, uint32_t count, const uint16_t *targets,
                                    uint32_t ways) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < ways; j++)
      if (whorl_on_stack(p, whorl_node_of(p->sought[i].ref, targets[j] + p->sought[i].shift)))
        return true;
  return count == 0 || p->context.keeps || whorl_faults(&p->context);
}

/* The program states that follow the source by the ample set for some moves of the claim. */
WHORL_INLINE uint32_t whorl_follow_ample(whorl_product *p, whorl_kind kind, uint32_t ref,
                                         const whorl_pids *sets, uint32_t candidates,
                                         const uint16_t *targets, uint32_t ways, uint8_t *kept) {
  whorl_pids *avoid = &p->context.avoid;
  if (p->second && WHORL_KEEP) {
    assert(*kept <= candidates); /* as many as the first search had */
    *avoid = *kept ? whorl_all_but(sets[*kept - 1]) : whorl_everyone();
    return whorl_follow(p, kind, ref);
  }
  for (uint32_t number = 1; number <= candidates; number++) {
    *avoid = whorl_all_but(sets[number - 1]);
    uint32_t count = whorl_follow(p, kind, ref);
    *kept = (uint8_t)number;
    if (p->search->stopped || !whorl_is_refused(p, count, targets, ways)) return count;
    if (WHORL_KEEP == 1) break;
  }
  *kept = 0;
  *avoid = whorl_everyone();
  return whorl_follow(p, kind, ref);
}

/* The edges that are selected. The moves of the claim come one after the other, as in the reference
 * engine: what is on the stack depends on it. */
WHORL_INLINE void whorl_add_selected(whorl_product *p, whorl_kind kind, whorl_node node,
                                     const uint16_t *targets, uint32_t ways) {
  whorl_pids sets[WHORL_MOST_CANDIDATES];
  uint32_t ref = whorl_node_ref(node), count = 0;
  uint32_t candidates = p->stuttering ? 0 : whorl_candidates(&p->context, p->source.state, sets);
  uint8_t nowhere[WHORL_CLAIM_WAYS];
  uint8_t *kept = WHORL_ALGORITHM == WHORL_SCC
                      ? nowhere
                      : whorl_selections(whorl_node_row(p, node), whorl_node_place(node));
  for (uint32_t j = 0; j < ways && !p->search->stopped; j++) {
    if (j == 0 || !WHORL_ALL_TARGETS)
      count = whorl_follow_ample(p, kind, ref, sets, candidates, targets + j,
                                 WHORL_ALL_TARGETS ? ways : 1, kept + j);
    whorl_add_edges(p, node, count, targets + j, 1);
  }
}

#endif
