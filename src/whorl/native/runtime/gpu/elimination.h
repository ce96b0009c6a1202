/* The search for accepting cycles by elimination (search/owcty.h): the kernels that the host calls in turn.
 *
 *   leave         what is left at first: nodes whose claim component has an accepting state
 *   seed, reach   what accepting nodes lead to that is left, counting the edges to each
 *   leave_out, trim
 *                 what was not reached is out; so is, again and again, that to which no edge leads
 *   round         what is left now, and whether all of it accepts
 *
 * A node's colour is one of three and, behind it, the number of edges to it from what was reached. Those that
 * wait to be expanded are in a queue, into which each comes once: whoever changes its colour puts it there.
 * An edge is counted once, by whoever expands the node that it leaves, and taken away once: nodes are expanded
 * again where there was too little room, but nothing is changed before there is enough.
 *
 * Then a node of what is left is found from which a cycle begins, by halving (cluster/around.h). */
#ifndef WHORL_GPU_ELIMINATION_H
#define WHORL_GPU_ELIMINATION_H

#include "gpu/nodes.h"

#define WHORL_OUT 0u
#define WHORL_LEFT 1u
#define WHORL_REACHED 2u
#define WHORL_COLOUR 3u   /* the bits of these */
#define WHORL_ONE_EDGE 4u /* the rest */
#define WHORL_START 4u    /* while starts are halved nothing is counted */
#define WHORL_MOST_EDGES UINT32_C(0xf0000000)

/* Where a node is stored. Everything that is met has been explored, but behind a limit of depth. */
static inline bool whorl_locate(const whorl_world *w, const whorl_state *s, uint64_t place,
                                uint64_t *index) {
  const uint64_t hash = whorl_hash_of(s, place), upper = hash & ~WHORL_INDEX_MASK;
  for (uint64_t slot = hash & w->mask;; slot = (slot + 1) & w->mask) {
    uint64_t entry = w->table[slot];
    *index = (entry & WHORL_INDEX_MASK) - 1;
    if (entry == 0) {
      whorl_say(&w->tally->strange);
      return false;
    }
    if ((entry & ~WHORL_INDEX_MASK) == upper && whorl_is_at(w, *index, s, place)) return true;
  }
}

static inline void whorl_enqueue(const whorl_world *w, uint64_t index) {
  w->queue[whorl_next(&w->tally->queued)] = index;
}

/* A node of this thread, of all that are stored. */
static inline bool whorl_each_node(const whorl_world *w, uint64_t *index) {
  *index = w->from + whorl_thread();
  return *index < w->to && !whorl_is_hole(w, *index);
}

WHORL_KERNEL whorl_claim_leave(const whorl_world *w) {
  uint64_t index, count = 0;
  if (whorl_each_node(w, &index) &&
      (WHORL_PROGRAM_ACCEPTS || whorl_claim_kind[whorl_claim_of(whorl_place_of(w, index))])) {
    w->colours[index] = WHORL_LEFT;
    count = 1;
  }
  whorl_sum(&w->tally->left, count);
}

WHORL_KERNEL whorl_claim_seed(const whorl_world *w) {
  uint64_t index;
  if (!whorl_each_node(w, &index) || w->colours[index] != WHORL_LEFT) return;
  if (!whorl_accepts(w, index)) return;
  w->colours[index] = WHORL_REACHED;
  whorl_enqueue(w, index);
}

/* An edge leads to a node: it is counted, unless the node is out. */
static inline void whorl_reach_node(const whorl_world *w, uint64_t to, uint32_t edge) {
  uint32_t *at = &w->colours[to];
  uint32_t colour = whorl_colour(at);
  if ((colour & WHORL_COLOUR) == WHORL_LEFT) {
    uint32_t reached = colour - WHORL_LEFT + WHORL_REACHED + edge;
    uint32_t before = whorl_recolour(at, colour, reached);
    if (before == colour) {
      whorl_enqueue(w, to);
      return;
    }
    colour = before; /* somebody else has reached it, and its colour stays so */
  }
  if (edge == 0 || (colour & WHORL_COLOUR) != WHORL_REACHED) return;
  if (whorl_add_colour(at, edge) > WHORL_MOST_EDGES) whorl_say(&w->tally->strange);
}

/* Goes on from nodes of the queue. `edge`: what one counts. */
static inline void whorl_reach_on(const whorl_world *w, uint32_t edge) {
  uint64_t index, to;
  whorl_node n;
  whorl_edge e;
  if (!whorl_is_mine(w, &index) || !whorl_expand_node(w, index, &n)) return;
  const uint64_t place = whorl_place_of(w, index);
  for (whorl_first_edge(&e); whorl_next_edge(&n, &e);)
    if (whorl_edge_counts(place, e.place) && whorl_locate(w, e.end, e.place, &to))
      whorl_reach_node(w, to, edge);
}

WHORL_KERNEL whorl_claim_reach(const whorl_world *w) { whorl_reach_on(w, WHORL_ONE_EDGE); }

/* The queue is empty before this. */
WHORL_KERNEL whorl_claim_leave_out(const whorl_world *w) {
  uint64_t index;
  if (!whorl_each_node(w, &index)) return;
  uint32_t colour = w->colours[index];
  if (colour != WHORL_LEFT && colour != WHORL_REACHED) return;
  w->colours[index] = WHORL_OUT;
  if (colour == WHORL_REACHED) whorl_enqueue(w, index);
}

WHORL_KERNEL whorl_claim_trim(const whorl_world *w) {
  uint64_t index, to;
  whorl_node n;
  whorl_edge e;
  if (!whorl_is_mine(w, &index) || !whorl_expand_node(w, index, &n)) return;
  const uint64_t place = whorl_place_of(w, index);
  for (whorl_first_edge(&e); whorl_next_edge(&n, &e);) {
    if (!whorl_edge_counts(place, e.place) || !whorl_locate(w, e.end, e.place, &to)) continue;
    if ((whorl_colour(&w->colours[to]) & WHORL_COLOUR) != WHORL_REACHED) continue;
    uint32_t before = whorl_add_colour(&w->colours[to], 0u - WHORL_ONE_EDGE);
    if (before < WHORL_REACHED + WHORL_ONE_EDGE) whorl_say(&w->tally->strange);
    if (before != WHORL_REACHED + WHORL_ONE_EDGE) continue;
    w->colours[to] = WHORL_OUT; /* no edge leads to it any more, so nobody else looks at it */
    whorl_enqueue(w, to);
  }
}

WHORL_KERNEL whorl_claim_round(const whorl_world *w) {
  uint64_t index, count = 0, rejects = 0;
  if (whorl_each_node(w, &index) && (w->colours[index] & WHORL_COLOUR) == WHORL_REACHED) {
    w->colours[index] = WHORL_LEFT;
    count = 1;
    rejects = !whorl_accepts(w, index);
  }
  whorl_sum(&w->tally->left, count);
  whorl_sum(&w->tally->other, rejects);
}

/* --- where a cycle begins ------------------------------------------------------------------------- */

#if WHORL_TELLS
/* As workers of a cluster have it. Where hashes are bad on purpose, all words are told apart here. */
static inline bool whorl_start_has_bit(const whorl_world *w, uint64_t index) {
  whorl_state state;
  whorl_get(w, index, &state);
  uint64_t hash = whorl_hash(&state), place = whorl_place_of(w, index);
  for (int i = 0; WHORL_HASH_MASK != UINT64_MAX && i < WHORL_WORDS; i++)
    hash = whorl_rehash(hash ^ state.words[i]);
  return whorl_rehash(whorl_fold(hash ^ WHORL_HASH_D, place + WHORL_HASH_B)) >> w->bit & 1;
}

/* The starts: all nodes that are left and accept. */
WHORL_KERNEL whorl_claim_starts(const whorl_world *w) {
  uint64_t index, count = 0;
  if (whorl_each_node(w, &index) && w->colours[index] == WHORL_LEFT && whorl_accepts(w, index)) {
    w->colours[index] = WHORL_LEFT + WHORL_START;
    count = 1;
  }
  whorl_sum(&w->tally->left, count);
}

/* All that is left is unvisited, but for starts without the bit: these are in the queue. */
WHORL_KERNEL whorl_claim_spread(const whorl_world *w) {
  uint64_t index;
  if (!whorl_each_node(w, &index)) return;
  uint32_t colour = w->colours[index], start = colour & WHORL_START;
  if ((colour & WHORL_COLOUR) == WHORL_OUT) return;
  bool visits = start && !whorl_start_has_bit(w, index);
  w->colours[index] = start + (visits ? WHORL_REACHED : WHORL_LEFT);
  if (visits) whorl_enqueue(w, index);
}

/* All that is left is unvisited. */
WHORL_KERNEL whorl_claim_unvisit(const whorl_world *w) {
  uint64_t index;
  if (!whorl_each_node(w, &index) || (w->colours[index] & WHORL_COLOUR) == WHORL_OUT) return;
  w->colours[index] = (w->colours[index] & WHORL_START) + WHORL_LEFT;
}

WHORL_KERNEL whorl_claim_visit(const whorl_world *w) { whorl_reach_on(w, 0); }

/* How many starts are without the bit, and how many were not visited. */
WHORL_KERNEL whorl_claim_count(const whorl_world *w) {
  uint64_t index, without = 0, unvisited = 0;
  if (whorl_each_node(w, &index) && w->colours[index] & WHORL_START) {
    without = !whorl_start_has_bit(w, index);
    unvisited = (w->colours[index] & WHORL_COLOUR) == WHORL_LEFT;
  }
  whorl_sum(&w->tally->left, without);
  whorl_sum(&w->tally->other, unvisited);
}

static inline void whorl_keep_start(const whorl_world *w, bool by_visit) {
  uint64_t index, count = 0;
  if (whorl_each_node(w, &index) && w->colours[index] & WHORL_START) {
    count = by_visit ? (w->colours[index] & WHORL_COLOUR) == WHORL_LEFT
                     : !whorl_start_has_bit(w, index);
    if (!count) w->colours[index] -= WHORL_START;
  }
  whorl_sum(&w->tally->left, count);
}

/* Goes on with those that were not visited, or with those without the bit. */
WHORL_KERNEL whorl_claim_keep_unvisited(const whorl_world *w) { whorl_keep_start(w, true); }
WHORL_KERNEL whorl_claim_keep_without(const whorl_world *w) { whorl_keep_start(w, false); }

/* The least start among some nodes. */
WHORL_KERNEL whorl_claim_first(const whorl_world *w) {
  uint64_t index;
  if (whorl_each_node(w, &index) && w->colours[index] & WHORL_START) whorl_found_least(w, index);
}

/* --- ways --------------------------------------------------------------------------------------- */

/* The least node at which something fails that counts. */
WHORL_KERNEL whorl_claim_failing(const whorl_world *w) {
  uint64_t index;
  whorl_node n;
  if (!whorl_is_mine(w, &index) || !whorl_expand_node(w, index, &n)) return;
  if ((n.ends && w->counts[WHORL_END_SITE]) || (n.fault != WHORL_NO_SITE && w->counts[n.fault]))
    whorl_found_least(w, index);
}

/* The edge of a node that leads to the target. */
static inline bool whorl_edge_to_target(const whorl_world *w, whorl_node *n, whorl_edge *e) {
  for (whorl_first_edge(e); whorl_next_edge(n, e);)
    if (whorl_edge_leads(e, w->target)) return true;
  return false;
}

/* The least node from which an edge leads to the target. */
WHORL_KERNEL whorl_claim_before(const whorl_world *w) {
  uint64_t index;
  whorl_node n;
  whorl_edge e;
  if (!whorl_is_mine(w, &index) || !whorl_expand_node(w, index, &n)) return;
  if (whorl_edge_to_target(w, &n, &e)) whorl_found_least(w, index);
}

/* The same, by an edge that can be on an accepting cycle. */
WHORL_KERNEL whorl_claim_around(const whorl_world *w) {
  uint64_t index;
  whorl_node n;
  whorl_edge e;
  if (!whorl_is_mine(w, &index) || !whorl_expand_node(w, index, &n)) return;
  if (whorl_edge_counts(whorl_place_of(w, index), w->target[WHORL_WORDS]) &&
      whorl_edge_to_target(w, &n, &e))
    whorl_found_least(w, index);
}

/* Of one node: the choices of the edge to the target, as whorl_gpu_tell has them. */
WHORL_KERNEL whorl_claim_tell(const whorl_world *w) {
  uint64_t index;
  whorl_node n;
  whorl_edge e;
  if (whorl_thread() > 0) return;
  w->told[0] = -1;
  if (!whorl_is_mine(w, &index) || !whorl_expand_node(w, index, &n)) return;
  if (whorl_edge_to_target(w, &n, &e)) whorl_tell_run(w, &n.context, e.step);
}
#endif

#endif
