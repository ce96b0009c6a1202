/* Search for an accepting cycle by several threads: CNDFS, and what is enough for simpler automata.
 *
 * After Evangelista, Laarman, Petrucci and van de Pol, "Improved multi-core nested depth-first search"
 * (ATVA 2012). Each thread searches the product depth first, in an order of its own, and skips
 * what others have left behind. Cyan and pink are a thread's own (cyan.h); blue and red are bits beside
 * the states, which everybody sees (shared_states.h).
 *
 *   blue(s)                                    red(s)
 *     s is cyan                                  s is pink
 *     for each t after s                         for each t after s
 *       if t is neither blue nor cyan: blue(t)     if t is cyan: report it
 *     if s is accepting:                           if t is neither red nor pink: red(t)
 *       red(s)
 *       wait until all accepting nodes that are pink, but s, are red
 *       what is pink becomes red
 *     s is blue, and not cyan any more
 *
 * That is how it is where a component of the automaton is mixed, and with the copies of weak fairness. A
 * cycle of the product stays in one component, so the second search does, too, and of the others less is
 * asked:
 *
 *   without an accepting state   nobody looks for a cycle. Whoever sees a node first expands it, alone
 *   weak                         no second search. A cycle is found by the thread that would make the first
 *                                of its nodes blue: when it looked at the next node that one was not blue, so
 *                                it was cyan or was made blue before
 *
 * An edge to a cyan node, from or to an accepting one, is reported by the first search at once. Of successors
 * those that nobody has seen are taken first: others are at work behind the rest.
 *
 * Waiting threads come to barriers like others. They do not wait for each other in a circle: there would be
 * an accepting cycle through their seeds, and what is red, with all behind it, cannot hide it from the
 * first of them. That needs what is blue to have been expanded; so where the depth limit leaves something
 * out nobody waits.
 */
#ifndef WHORL_CNDFS_H
#define WHORL_CNDFS_H

#include "search/handover.h"

/* Bits of a node. */
enum { WHORL_SEEN = 1, WHORL_BLUE = 2, WHORL_RED = 4 };

/* Whether a thread that has nothing else to do may leave a node to others. */
static inline bool whorl_is_done(const whorl_product *p, whorl_node node) {
  return whorl_colour(p, node) & (whorl_on_cycles(node) ? WHORL_BLUE : WHORL_SEEN);
}

static bool whorl_is_cyan_there(const whorl_node *stack, uint64_t place) {
  return stack[place] & WHORL_ENTERED && whorl_on_cycles(stack[place]);
}

static bool whorl_is_pink_there(const whorl_node *pinks, uint64_t place) {
  (void)pinks, (void)place;
  return true;
}

static inline bool whorl_same_component(whorl_node a, whorl_node b) {
  return whorl_claim_component[whorl_node_claim(a)] == whorl_claim_component[whorl_node_claim(b)];
}

/* Puts the edges into an order of the thread's own. */
static inline void whorl_cndfs_shuffle(whorl_cndfs *s) {
  whorl_product *p = s->product;
  for (uint32_t i = p->edge_count; s->dice && i > 1; i--) {
    s->dice ^= s->dice << 13;
    s->dice ^= s->dice >> 7;
    s->dice ^= s->dice << 17;
    uint32_t j = (uint32_t)((s->dice >> 32) * i >> 32);
    whorl_edge edge = p->edges[i - 1];
    p->edges[i - 1] = p->edges[j];
    p->edges[j] = edge;
  }
}

/* Room for the edges of the node expanded last. */
static inline bool whorl_cndfs_reserve(whorl_cndfs *s) {
  whorl_product *p = s->product;
  if (!whorl_product_reserve(p)) return false;
  if (whorl_cyan_reserve(&s->cyan, p->height + p->edge_count)) return true;
  p->search->stopped = WHORL_STOP_MEMORY;
  return false;
}

/* Expands the node on top of the stack. Its edges count if it is `fresh`: each does once. Whether to go on
 * from it. */
static inline bool whorl_cndfs_expand(whorl_cndfs *s, bool fresh) {
  whorl_product *p = s->product;
  whorl_search *search = p->search;
  uint64_t transitions = search->transitions;
  whorl_product_enter(p);
  if (search->truncated) atomic_store_explicit(&search->crew->is_cut, true, memory_order_relaxed);
  bool goes_on = whorl_may_go_on(p);
  if (!fresh) search->transitions = transitions;
  if (!goes_on || !whorl_cndfs_reserve(s)) return false;
  whorl_cndfs_shuffle(s);
  return true;
}

/* --- the second search -------------------------------------------------------------------------- */

static __attribute__((noinline)) void whorl_pinks_grow(whorl_cndfs *s) {
  uint64_t before = s->pink_room, after = before ? 2 * before : 1024;
  s->pinks =
      (whorl_node *)whorl_grown(s->pinks, before * sizeof *s->pinks, after * sizeof *s->pinks);
  s->pink_room = after;
}

/* Notes that the second search has come to a node. */
static inline bool whorl_make_pink(whorl_cndfs *s, whorl_node node) {
  uint64_t place = s->pink.count;
  if (place == s->pink_room) whorl_pinks_grow(s);
  if (!whorl_cyan_reserve(&s->pink, place + 1)) {
    s->product->search->stopped = WHORL_STOP_MEMORY;
    return false;
  }
  s->pinks[place] = node;
  whorl_cyan_add(&s->pink, s->pinks, place, whorl_is_pink_there);
  return true;
}

/* Pushes what the second search has not visited of the successors of `from`. */
static inline void whorl_red_look(whorl_cndfs *s, whorl_node from) {
  whorl_product *p = s->product;
  for (uint32_t i = p->edge_count; i-- > 0;) {
    whorl_node node = p->edges[i].node;
    if (!whorl_same_component(from, node)) continue;
    if (whorl_cyan_has(&s->cyan, p->stack, node)) {
      whorl_report_cycle(p, node);
      return;
    }
    if (!(whorl_colour(p, node) & WHORL_RED) && !whorl_cyan_has(&s->pink, s->pinks, node))
      whorl_product_push(p, node);
  }
}

/* Waits until the accepting nodes of the second search but its seed are red: others see to that. */
static void whorl_red_await(whorl_cndfs *s) {
  whorl_product *p = s->product;
  whorl_search *search = p->search;
  for (uint64_t i = 1; i < s->pink.count; i++) {
    if (!whorl_node_accepting(s->pinks[i])) continue;
    while (!(whorl_colour(p, s->pinks[i]) & WHORL_RED)) {
      if (whorl_is_called(search) && !whorl_attend(search, false)) return;
      if (atomic_load_explicit(&search->crew->is_cut, memory_order_relaxed)) return;
      sched_yield();
    }
  }
}

/* The second search, from the accepting node on top of the stack. */
static void whorl_red_search(whorl_cndfs *s) {
  whorl_product *p = s->product;
  whorl_search *search = p->search;
  uint64_t base = p->height;
  whorl_node seed = p->stack[base - 1];
  if (whorl_colour(p, seed) & WHORL_RED) return; /* somebody has done it */
  if (!whorl_make_pink(s, seed)) return;
  whorl_expand_any(p, seed);
  uint64_t transitions = search->transitions;
  if (!whorl_product_goes_on(p) || !whorl_cndfs_reserve(s)) return;
  search->transitions = transitions;
  whorl_red_look(s, seed);
  while (p->height > base && !search->stopped) {
    whorl_give_way();
    whorl_product_prefetch(p);
    whorl_node node = p->stack[p->height - 1];
    if (node & WHORL_ENTERED) {
      p->height--;
      p->depth--;
    } else if (whorl_colour(p, node) & WHORL_RED || whorl_cyan_has(&s->pink, s->pinks, node)) {
      p->height--;
    } else if (whorl_make_pink(s, node) && whorl_cndfs_expand(s, false)) {
      whorl_red_look(s, node);
    }
  }
  if (search->stopped) return;
  whorl_red_await(s);
  for (uint64_t i = 0; i < s->pink.count && !search->stopped; i++)
    whorl_add_colour(p, s->pinks[i], WHORL_RED);
  while (s->pink.count > 0) whorl_cyan_remove(&s->pink, s->pinks, s->pink.count - 1);
}

/* --- the first search --------------------------------------------------------------------------- */

/* Whether the node on top of the stack is to be expanded; if so it has been seen from now on. `fresh`: it
 * had not been, by anybody. */
static inline bool whorl_blue_begin(whorl_cndfs *s, whorl_node node, bool *fresh) {
  whorl_product *p = s->product;
  uint32_t bits = whorl_colour(p, node);
  bool on_cycles = whorl_on_cycles(node);
  if (bits & (on_cycles ? WHORL_BLUE : WHORL_SEEN)) return false;
  if (!(bits & WHORL_SEEN)) bits = whorl_add_colour(p, node, WHORL_SEEN);
  *fresh = !(bits & WHORL_SEEN);
  if (*fresh && !whorl_product_count(p)) return false;
  if (!on_cycles) return *fresh;
  assert(!whorl_cyan_has(&s->cyan, p->stack, node));
  whorl_cyan_add(&s->cyan, p->stack, p->height - 1, whorl_is_cyan_there);
  return true;
}

/* Pushes the successors of `from` that are to be visited, those last that nobody has seen. */
static inline void whorl_blue_look(whorl_cndfs *s, whorl_node from) {
  whorl_product *p = s->product;
  uint32_t fresh = 0;
  for (uint32_t i = p->edge_count; i-- > 0;) {
    whorl_node node = p->edges[i].node;
    uint32_t bits = whorl_colour(p, node);
    if (bits & (whorl_on_cycles(node) ? WHORL_BLUE : WHORL_SEEN)) continue;
    if (!(bits & WHORL_SEEN)) {
      p->edges[p->edge_count - ++fresh].node = node; /* which has been looked at */
      continue;
    }
    if (whorl_same_component(from, node) && whorl_cyan_has(&s->cyan, p->stack, node)) {
      if (!whorl_node_accepting(from) && !whorl_node_accepting(node)) continue;
      whorl_report_cycle(p, node);
      return;
    }
    whorl_product_push(p, node);
  }
  for (uint32_t i = p->edge_count; i-- > p->edge_count - fresh;)
    whorl_product_push(p, p->edges[i].node);
}

/* The search has come back from all successors of the node on top of the stack. */
static inline void whorl_blue_leave(whorl_cndfs *s) {
  whorl_product *p = s->product;
  whorl_node node = p->stack[p->height - 1];
  assert(p->depth > 0);
  if (whorl_on_cycles(node)) {
    if (whorl_is_mixed(node) && whorl_node_accepting(node)) whorl_red_search(s);
    if (p->search->stopped) return;
    whorl_cyan_remove(&s->cyan, p->stack, p->height - 1);
    whorl_add_colour(p, node, WHORL_BLUE);
  }
  p->height--;
  p->depth--;
  if (s->bottom > p->height) s->bottom = p->height;
}

/* Searches until there is nothing left to do for anybody, or something ends it. */
static void whorl_cndfs_work(whorl_cndfs *s) {
  whorl_product *p = s->product;
  whorl_search *search = p->search;
  while (!search->stopped) {
    if (whorl_is_called(search) && !whorl_attend(search, false)) break;
    if (p->height == 0) {
      if (!whorl_take_over(s)) break;
      continue;
    }
    whorl_give_way();
    whorl_product_prefetch(p);
    whorl_node node = p->stack[p->height - 1];
    bool fresh = false;
    if (node == WHORL_HANDED_OVER) {
      p->height--;
    } else if (node & WHORL_ENTERED) {
      whorl_blue_leave(s);
    } else if (!whorl_blue_begin(s, node, &fresh)) {
      p->height--;
    } else {
      if (whorl_cndfs_expand(s, fresh)) whorl_blue_look(s, node);
      if (whorl_is_wanted(search)) whorl_give(search, whorl_hand_over(s));
      if (s->alone && search->states >= WHORL_SURVEY_AT) whorl_cndfs_gather(s);
    }
  }
  if (search->stopped) whorl_stop_all(search, search->stopped);
}

static void whorl_cndfs_search(whorl_product *p) {
  whorl_cndfs *s = whorl_cndfs_new(p);
  if (s) {
    s->alone = p->search->options.threads > 1;
    whorl_cndfs_work(s);
  } else {
    whorl_stop_all(p->search, WHORL_STOP_MEMORY);
  }
  whorl_crew_end(p->search);
}

#endif
