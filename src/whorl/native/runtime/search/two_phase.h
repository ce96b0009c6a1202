/* Two phase as it is printed, as in search/two_phase.py (Nalumasu and Gopalakrishnan, Figure 5, and
 * Figure 8 around it).
 *
 *   dfs1: a node that waits     is taken unless it is in Vr; phase 1 begins there
 *         a node of phase 1     is taken in any case, and phase 1 goes on; where that ends, what is on
 *                               the path is put into Vr (WHORL_SELECTIVE: only its end), and
 *                               everything is taken, unless the end was there
 *   dfs2                        the same with V2, from an accepting node that dfs1 leaves
 *
 * Three bits a node: it is in Vr, in V2, in the list of the phase 1 that is under way. There is one
 * at a time: where it ends the bits of its list are taken back, and set again where the search comes
 * back to another way of it, which only an automaton that can move in several ways makes. So the
 * table has all nodes that are met, while the count, as the paper's, is of those in Vr.
 *
 * Beside each entry of the stack there is
 *
 *   | place of the process that moves : 16 | ... | flags |
 */
#ifndef WHORL_TWO_PHASE_H
#define WHORL_TWO_PHASE_H

#include "search/failures.h"
#include "search/lasso.h"

#ifndef WHORL_SAFE_H /* nothing can be reduced: no process is deterministic anywhere */
#define WHORL_SELECTIVE 0
#define whorl_first_deterministic(c, s, place) (-1)
#define whorl_descends(s, t, pid) true
#endif

#define WHORL_IN_VR 1u
#define WHORL_IN_V2 2u
#define WHORL_IN_LIST 4u

#define WHORL_BEGINS_PHASE_1 1u
#define WHORL_ADDS 2u    /* it is in the list because of this entry */
#define WHORL_MAY_ADD 4u /* it would be, if it is not there yet */
#define WHORL_ENDS 8u    /* phase 1 ends here */
#define WHORL_EXPANDED 16u
#define WHORL_PLACE_AT 16

typedef struct {
  whorl_product *p;
  whorl_region memory;
  uint32_t *entries; /* beside the stack of the product */
  bool listing;      /* the list of the entry on top is marked */
  uint64_t listed;   /* so many states are in it; none if it is not marked */
} whorl_two_phase;

/* The entry that was entered last, below this height. */
static inline uint64_t whorl_entered_below(const whorl_product *p, uint64_t height) {
  while (height > 0 && !(p->stack[height - 1] & WHORL_ENTERED)) height--;
  assert(height > 0);
  return height - 1;
}

/* Marks the list of the phase 1 to which the entry at a place belongs, as far as there, or takes the
 * marks back. */
static void whorl_mark_list(whorl_two_phase *t, uint64_t at, bool marked) {
  whorl_product *p = t->p;
  t->listed = 0;
  for (;; at = whorl_entered_below(p, at)) {
    uint32_t colour = whorl_colour(p, p->stack[at]);
    if (t->entries[at] & WHORL_ADDS) {
      whorl_set_colour(p, p->stack[at], marked ? colour | WHORL_IN_LIST : colour & ~WHORL_IN_LIST);
      t->listed += marked;
    }
    if (t->entries[at] & WHORL_BEGINS_PHASE_1) break;
  }
  t->listing = marked;
}

/* Puts the path of the phase 1 that ends on top into Vr or V2. */
static bool whorl_store_path(whorl_two_phase *t, uint64_t at, uint32_t visited) {
  whorl_product *p = t->p;
  for (;; at = whorl_entered_below(p, at)) {
    uint32_t colour = whorl_colour(p, p->stack[at]);
    if (!(colour & visited)) {
      if (visited == WHORL_IN_VR && !whorl_product_count(p)) return false;
      whorl_set_colour(p, p->stack[at], colour | visited);
    }
    if (WHORL_SELECTIVE || (t->entries[at] & WHORL_BEGINS_PHASE_1)) return true;
  }
}

/* Which process moves in the node of an entry, if phase 1 goes on from there; else -1. */
static int whorl_mover(whorl_two_phase *t, uint64_t at) {
  whorl_product *p = t->p;
  whorl_node node = p->stack[at];
  if (whorl_node_place(node) / WHORL_CLAIM_STATES % WHORL_STUTTERS) return -1;
  int place = (int)(t->entries[at] >> WHORL_PLACE_AT);
  whorl_fetch(&p->states, WHORL_KIND, whorl_node_ref(node), &p->source);
  int pid = whorl_first_deterministic(&p->context, p->source.state, &place);
  t->entries[at] = (t->entries[at] & 0xffff) | (uint32_t)place << WHORL_PLACE_AT;
  return pid;
}

/* Takes the steps of a process, or everything (-1), from the entry at a place, and pushes what
 * follows. `*seed` is what closes a cycle, if anything does. */
static void whorl_take_steps(whorl_two_phase *t, uint64_t at, int pid, const whorl_node *seed) {
  whorl_product *p = t->p;
  p->context.avoid = pid < 0 ? whorl_everyone() : whorl_all_but(whorl_pid(pid));
  whorl_expand_any(p, p->stack[at]);
  if (!whorl_may_go_on(p)) return;
  uint64_t height = p->height;
  if (!whorl_region_commit(&t->memory, (height + p->edge_count + 1) * sizeof *t->entries)) {
    p->search->stopped = WHORL_STOP_MEMORY;
    return;
  }
  uint32_t place = t->entries[at] & ~UINT32_C(0xffff);
  for (uint32_t i = p->edge_count; i-- > 0;) {
    const whorl_edge *edge = &p->edges[i];
    uint32_t flags = WHORL_BEGINS_PHASE_1 | WHORL_ADDS;
    if (seed && !((edge->node ^ *seed) & WHORL_IDENTITY)) {
      p->height = height;
      whorl_report_cycle(p, edge->node);
      return;
    }
    if (pid >= 0) {
      bool lists =
          !WHORL_SELECTIVE || whorl_descends(p->source.state, &p->context.states[edge->step], pid);
      flags = place | (lists ? WHORL_MAY_ADD : 0);
    }
    t->entries[p->height] = flags;
    whorl_product_push(p, edge->node);
  }
  if (WHORL_SAFETY) whorl_look_for_failures(p);
}

/* Enters the node on top of the stack, unless there is no need. */
static void whorl_two_phase_enter(whorl_two_phase *t, uint32_t visited, const whorl_node *seed) {
  whorl_product *p = t->p;
  whorl_search *search = p->search;
  uint64_t at = p->height - 1;
  whorl_node node = p->stack[at];
  uint32_t colour = whorl_colour(p, node), *entry = &t->entries[at];
  bool begins = *entry & WHORL_BEGINS_PHASE_1;
  if (begins && (colour & visited)) {
    p->height--;
    return;
  }
  if (p->depth > search->options.max_depth) {
    search->truncated = true;
    if (t->listing) whorl_mark_list(t, whorl_entered_below(p, at), false);
    p->height--;
    return;
  }
  if (!begins && !t->listing) whorl_mark_list(t, whorl_entered_below(p, at), true);
  colour = whorl_colour(p, node);
  if (!begins && (colour & WHORL_IN_LIST))
    *entry += UINT32_C(1) << WHORL_PLACE_AT; /* goto NEXT_PROC */
  else if (*entry & WHORL_MAY_ADD)
    *entry |= WHORL_ADDS;
  if (*entry & WHORL_ADDS) {
    whorl_set_colour(p, node, colour | WHORL_IN_LIST);
    if (++t->listed > search->largest_list) search->largest_list = t->listed;
  }
  t->listing = true;
  p->stack[at] = node | WHORL_ENTERED;
  if (p->depth > search->depth) search->depth = p->depth;
  p->depth++;
  int pid = whorl_mover(t, at);
  if (pid >= 0) {
    *entry |= WHORL_EXPANDED;
    whorl_take_steps(t, at, pid, seed);
    if (p->height > at + 1 || search->stopped) return;
    *entry &= ~WHORL_EXPANDED; /* the automaton has no move: phase 1 ends */
  }
  whorl_mark_list(t, at, false);
  bool is_new = !(whorl_colour(p, node) & visited);
  *entry |= WHORL_ENDS | (is_new ? WHORL_EXPANDED : 0);
  if (whorl_store_path(t, at, visited) && is_new && pid < 0) whorl_take_steps(t, at, -1, seed);
}

/* Whether dfs2 is called for the node on top, which dfs1 leaves. */
static inline bool whorl_is_seed(const whorl_two_phase *t) {
  const whorl_product *p = t->p;
  whorl_node node = p->stack[p->height - 1];
  return (t->entries[p->height - 1] & WHORL_EXPANDED) && whorl_node_accepting(node) &&
         !(whorl_colour(p, node) & WHORL_IN_V2);
}

/* dfs2 from the node on top of the stack. */
static void whorl_two_phase_again(whorl_two_phase *t) {
  whorl_product *p = t->p;
  uint64_t base = p->height, at = base - 1;
  whorl_node seed = p->stack[at];
  p->second = base;
  whorl_set_colour(p, seed, whorl_colour(p, seed) | WHORL_IN_V2);
  int pid = t->entries[at] & WHORL_ENDS ? -1 : whorl_mover(t, at);
  if (pid >= 0) whorl_mark_list(t, at, true);
  whorl_take_steps(t, at, pid, &seed);
  if (pid >= 0 && p->height == base && !p->search->stopped) whorl_mark_list(t, at, false);
  while (p->height > base && !p->search->stopped) {
    whorl_product_prefetch(p);
    if (p->stack[p->height - 1] & WHORL_ENTERED) {
      p->height--;
      p->depth--;
    } else {
      whorl_two_phase_enter(t, WHORL_IN_V2, &seed);
    }
  }
  p->second = 0;
}

/* dfs1 from the initial node. */
static void whorl_two_phase_search(whorl_product *p) {
  static whorl_two_phase two_phase; /* zeroed */
  whorl_two_phase *t = &two_phase;
  t->p = p;
  if (!whorl_region_init(&t->memory, &p->search->account, (size_t)1 << 39) ||
      !whorl_region_commit(&t->memory, WHORL_CHUNK)) {
    p->search->stopped = WHORL_STOP_MEMORY;
    return;
  }
  t->entries = (uint32_t *)(void *)t->memory.base;
  t->entries[0] = WHORL_BEGINS_PHASE_1 | WHORL_ADDS;
  while (p->height > 0 && !p->search->stopped) {
    whorl_product_prefetch(p);
    if (p->stack[p->height - 1] & WHORL_ENTERED) {
      if (whorl_is_seed(t)) whorl_two_phase_again(t);
      p->height--;
      p->depth--;
    } else {
      whorl_two_phase_enter(t, WHORL_IN_VR, NULL);
    }
  }
  assert(p->search->stopped || p->depth == 0);
}

#endif
