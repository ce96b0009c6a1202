/* Nested depth-first searches for an accepting cycle.
 *
 *   first(s)                                  second(s)
 *     mark s as visited                         mark s as visited by the second search
 *     for each successor t of s                 for each successor t of s
 *       if t is not visited: first(t)             if t closes a cycle: report it
 *     if s is a seed: second(s)                   if t is not visited by it: second(t)
 *
 * The searches differ in what is a seed and in what closes a cycle:
 *
 *   fig2      accepting nodes                the seed
 *             (Courcoubetis, Vardi, Wolper and Yannakakis; Holzmann, Peled and Yannakakis, Fig. 2)
 *   fig4      accepting nodes                what is on the first search's stack (the same, Fig. 4)
 *   fig5      every node without progress    what is on the second search's stack; this search
 *             passes through no progress     (Holzmann; the same, Fig. 5)
 *   colours   accepting nodes                what is on the first search's stack, which the first
 *             search looks at too: an edge to such a node, from or to an accepting one
 *             (Schwoon and Esparza, "A note on on-the-fly verification algorithms", 2005)
 *
 * `colours` also looks at the claim's components. A cycle of the product stays in one component of
 * the claim; if all of that is accepting, the first search finds every cycle by itself, so only
 * nodes of mixed components are seeds, and the second search does not leave the component. Most
 * claims that come from LTL have no mixed component, and then there is no second search at all.
 *
 * Two bits a node: not visited, visited, on the stack that counts, visited by the second search.
 * In fig2 no stack counts, and they are a bit for each of the two searches; a third one says what is
 * on the first search's stack, for reductions that ask. In fig5, too, they are a bit for each: its
 * second search, which passes through nodes that the first has not left, may come to a node before
 * the first does. A third one says what is on the second search's stack.
 */
#ifndef WHORL_NESTED_H
#define WHORL_NESTED_H

#include "search/failures.h"
#include "search/lasso.h"

enum { WHORL_WHITE, WHORL_BLUE, WHORL_CYAN, WHORL_RED };

#define WHORL_BELOW (WHORL_LOOKS_DOWN ? 4u : 0u)

#define WHORL_IS(algorithm) (WHORL_ALGORITHM == (algorithm))

/* Whether a node has a bit for each search, the first WHORL_BLUE and the second WHORL_CYAN; and that
 * of the second search's stack. */
#define WHORL_BIT_EACH (WHORL_IS(WHORL_FIG2) || WHORL_IS(WHORL_FIG5))
#define WHORL_ABOVE 4u

static inline bool whorl_nested_visited(uint32_t colour) {
  return WHORL_BIT_EACH ? colour & WHORL_BLUE : colour != WHORL_WHITE;
}

static inline bool whorl_nested_visited_again(uint32_t colour) {
  return WHORL_BIT_EACH ? colour & WHORL_CYAN : colour == WHORL_RED;
}

/* Whether the second search begins at a node that the first one leaves. */
static inline bool whorl_nested_seed(whorl_node node) {
  if (WHORL_IS(WHORL_FIG5)) return node & WHORL_FLAG;
  if (WHORL_IS(WHORL_COLOURS) && !WHORL_COPIED && !WHORL_PROGRAM_ACCEPTS &&
      whorl_claim_kind[whorl_node_claim(node)] != WHORL_MIXED)
    return false;
  return whorl_node_accepting(node);
}

/* Whether the second search has a use for an edge. */
static inline bool whorl_nested_within(whorl_node from, whorl_node to) {
  if (WHORL_IS(WHORL_FIG5)) return to & WHORL_FLAG;
  return !WHORL_IS(WHORL_COLOURS) || whorl_claim_component[whorl_node_claim(from)] ==
                                         whorl_claim_component[whorl_node_claim(to)];
}

static inline bool whorl_nested_closes(whorl_node node, uint32_t colour, whorl_node seed) {
  if (WHORL_IS(WHORL_FIG2)) return ((node ^ seed) & WHORL_IDENTITY) == 0;
  if (WHORL_IS(WHORL_FIG5)) return colour & WHORL_ABOVE;
  return colour == WHORL_CYAN;
}

#if WHORL_LOOKS_AT_STACK
/* Whether a node is on the stack of the search that is under way. */
static bool whorl_on_stack(const whorl_product *p, whorl_node node) {
  if (!p->second && WHORL_LOOKS_DOWN) return whorl_colour(p, node) & WHORL_BELOW;
  if (!p->second) return whorl_colour(p, node) == WHORL_CYAN;
  for (uint64_t i = p->second - 1; i < p->height; i++)
    if ((p->stack[i] & WHORL_ENTERED) && !((p->stack[i] ^ node) & WHORL_IDENTITY)) return true;
  return false;
}
#endif

/* Looks at the edges of the node that the second search has just expanded: pushes what it has not
 * visited. */
static inline void whorl_nested_look_again(whorl_product *p, whorl_node from, whorl_node seed) {
  if (!whorl_product_goes_on(p) || !whorl_product_reserve(p)) return;
  for (uint32_t i = p->edge_count; i-- > 0;) {
    whorl_node node = p->edges[i].node;
    if (!whorl_nested_within(from, node)) continue;
    uint32_t colour = whorl_colour(p, node);
    if (whorl_nested_closes(node, colour, seed)) {
      whorl_report_cycle(p, node);
      return;
    }
    if (!whorl_nested_visited_again(colour)) whorl_product_push(p, node);
  }
}

#ifndef NDEBUG
/* Whether the first search has left every node that the second one comes to, as long as it sees
 * everything and the second one is told what it selected. */
static inline bool whorl_nested_is_left(const whorl_product *p, uint32_t colour) {
#if WHORL_LOOKS_AT_STACK
  if (WHORL_KEEP == 0) return true;
#endif
  return WHORL_BIT_EACH || colour == WHORL_BLUE || p->search->truncated;
}
#endif

static inline void whorl_nested_mark_again(whorl_product *p, whorl_node node) {
  uint32_t colour = WHORL_RED;
  if (WHORL_BIT_EACH) colour = whorl_colour(p, node) | WHORL_CYAN;
  if (WHORL_IS(WHORL_FIG5)) colour |= WHORL_ABOVE;
  whorl_set_colour(p, node, colour);
}

/* The second search has come back from all successors of a node. */
static inline void whorl_nested_leave_again(whorl_product *p, whorl_node node) {
  if (WHORL_IS(WHORL_FIG5)) whorl_set_colour(p, node, whorl_colour(p, node) & ~WHORL_ABOVE);
}

/* The second search, from the node on top of the stack. */
static void whorl_nested_second(whorl_product *p) {
  uint64_t base = p->height;
  whorl_node seed = p->stack[base - 1];
  if (WHORL_IS(WHORL_FIG5) && whorl_nested_visited_again(whorl_colour(p, seed))) return;
  p->second = base;
  if (WHORL_BIT_EACH) whorl_nested_mark_again(p, seed);
  whorl_expand_any(p, seed);
  whorl_nested_look_again(p, seed, seed);
  while (p->height > base && !p->search->stopped) {
    whorl_product_prefetch(p);
    whorl_node node = p->stack[p->height - 1];
    if (node & WHORL_ENTERED) {
      whorl_nested_leave_again(p, node);
      p->height--;
      p->depth--;
    } else if (whorl_nested_visited_again(whorl_colour(p, node))) {
      p->height--;
    } else {
      assert(whorl_nested_is_left(p, whorl_colour(p, node)));
      whorl_nested_mark_again(p, node);
      whorl_product_enter(p);
      whorl_nested_look_again(p, node, seed);
    }
  }
  whorl_nested_leave_again(p, seed);
  p->second = 0;
}

/* Looks at the edges of the node that the first search has just expanded. */
static inline void whorl_nested_look(whorl_product *p, whorl_node from) {
  if (!whorl_may_go_on(p)) return;
  for (uint32_t i = p->edge_count; i-- > 0;) {
    whorl_node node = p->edges[i].node;
    uint32_t colour = whorl_colour(p, node);
    if (WHORL_IS(WHORL_COLOURS) && colour == WHORL_CYAN &&
        (whorl_node_accepting(from) || whorl_node_accepting(node))) {
      whorl_report_cycle(p, node);
      return;
    }
    if (!whorl_nested_visited(colour)) whorl_product_push(p, node);
  }
}

/* The first search has come back from all successors of the node on top of the stack. */
static inline void whorl_nested_leave(whorl_product *p) {
  whorl_node node = p->stack[p->height - 1];
  bool is_seed = whorl_nested_seed(node);
  assert(p->depth > 0 && p->second == 0);
  assert(WHORL_BIT_EACH || whorl_colour(p, node) == WHORL_CYAN); /* it is on the stack */
  if (is_seed) whorl_nested_second(p);
  if (WHORL_IS(WHORL_FIG4) || WHORL_IS(WHORL_COLOURS))
    whorl_set_colour(p, node, is_seed ? WHORL_RED : WHORL_BLUE);
  if (WHORL_LOOKS_DOWN) whorl_set_colour(p, node, whorl_colour(p, node) & ~WHORL_BELOW);
  p->height--;
  p->depth--;
}

static void whorl_nested_search(whorl_product *p) {
  const bool cyan = WHORL_IS(WHORL_FIG4) || WHORL_IS(WHORL_COLOURS);
  const uint32_t mark = cyan ? (uint32_t)WHORL_CYAN : WHORL_BLUE | WHORL_BELOW;
  while (p->height > 0 && !p->search->stopped) {
    whorl_product_prefetch(p);
    whorl_node node = p->stack[p->height - 1];
    if (node & WHORL_ENTERED) {
      whorl_nested_leave(p);
    } else if (whorl_nested_visited(whorl_colour(p, node))) {
      p->height--;
    } else if (whorl_product_count(p)) {
      whorl_set_colour(p, node, WHORL_BIT_EACH ? whorl_colour(p, node) | mark : mark);
      whorl_product_enter(p);
      whorl_nested_look(p, node);
      if (WHORL_SAFETY) whorl_look_for_failures(p);
    }
  }
  assert(p->search->stopped || p->depth == 0);
}

#endif
