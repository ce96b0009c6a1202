/* The way to a state that several workers know in parts.
 *
 * The last superstep has a failure in some state. Of the states of the superstep before, all workers
 * look for the least from which a run leads to it, and so on back to the initial one. That is as in
 * trace.h, with the same result: the states are the same, whoever owns them.
 *
 * Where a worker went on with what it found, the places of parents lead back to what it got from others.
 */
#ifndef WHORL_WAY_H
#define WHORL_WAY_H

#include "cluster/superstep.h"
#include "search/trail.h"

/* The state at a place of the log. */
static void whorl_part_state(uint64_t place, whorl_state *out) {
  whorl_folded folded;
  whorl_tree_unfold(&whorl_the_search.visited.tree, whorl_mine.log.pairs[place], &folded, out);
}

/* The place of the least state that was expanded in a superstep and has a run to `target`; UINT64_MAX:
 * there is none here. */
static uint64_t whorl_part_look_back(uint32_t superstep, const whorl_state *target,
                                     whorl_state *found) {
  const whorl_own_log *log = &whorl_mine.log;
  whorl_context *c = &whorl_the_search.batches[0].contexts[0];
  if (superstep >= log->supersteps) return UINT64_MAX;
  uint64_t best = UINT64_MAX, end = whorl_superstep_end(log, superstep);
  whorl_state state;
  for (uint64_t place = log->begins[superstep]; place < end; place++) {
    whorl_part_state(place, &state);
    if (best != UINT64_MAX && whorl_order_states(&state, found) > 0) continue;
    if (whorl_trail_step(c, &state, target) < 0) continue;
    *found = state;
    best = place;
  }
  return best;
}

/* The choices of the run that ends with steps[last], four numbers each. How many; at most `most` are
 * written. */
static uint32_t whorl_part_choices(const whorl_context *c, int32_t last, int32_t *out,
                                   uint32_t most) {
  uint32_t length = 0;
  for (int32_t i = last; i >= 0; i = c->steps[i].from) length++;
  if (length > most) return length;
  uint32_t at = length;
  for (int32_t i = last; i >= 0; i = c->steps[i].from) {
    const whorl_step *step = &c->steps[i];
    int32_t *choice = &out[4 * --at];
    choice[0] = step->pid;
    choice[1] = step->transition;
    choice[2] = step->partner;
    choice[3] = step->partner == WHORL_NOBODY ? -1 : step->partner_transition;
  }
  return length;
}

#endif
