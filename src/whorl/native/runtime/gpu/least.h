/* The least of all states that something is true of, found by many threads; and a run that is told. */
#ifndef WHORL_GPU_LEAST_H
#define WHORL_GPU_LEAST_H

#include "gpu/world.h"

/* Which of two states comes first, as in search/levels.h. */
static inline bool whorl_comes_before(const whorl_world *w, uint64_t a, uint64_t b) {
  const uint64_t *x = w->states + a * WHORL_KEPT, *y = w->states + b * WHORL_KEPT;
  for (int i = 0; i < WHORL_KEPT; i++)
    if (x[i] != y[i]) return x[i] < y[i];
  return false;
}

/* Whether a state is less than all that were found so far. */
static inline bool whorl_may_be_least(const whorl_world *w, uint64_t index) {
  uint64_t least = whorl_load(&w->tally->least);
  return least == 0 || whorl_comes_before(w, index, least - 1);
}

static inline void whorl_found_least(const whorl_world *w, uint64_t index) {
  uint64_t least = whorl_load(&w->tally->least);
  while (least == 0 || whorl_comes_before(w, index, least - 1)) {
    uint64_t before = whorl_replace(&w->tally->least, least, index + 1);
    if (before == least) return;
    least = before;
  }
}

/* Tells the run that ends with steps[last]: of each choice the process, the transition, the partner and the
 * partner's transition, behind how many there are. */
static inline void whorl_tell_run(const whorl_world *w, const whorl_context *c, int32_t last) {
  int32_t length = 0;
  for (int32_t i = last; i >= 0; i = c->steps[i].from) length++;
  if ((uint64_t)length > w->told_room) return;
  int32_t *at = w->told + 4 * (length + 1);
  for (int32_t i = last; i >= 0; i = c->steps[i].from) {
    const whorl_step *step = &c->steps[i];
    *--at = step->partner == WHORL_NOBODY ? -1 : step->partner_transition;
    *--at = step->partner;
    *--at = step->transition;
    *--at = step->pid;
  }
  w->told[0] = length;
}

#endif
