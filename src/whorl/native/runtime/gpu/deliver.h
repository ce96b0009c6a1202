/* What an expansion has found: transitions that were taken, failures, states to store. */
#ifndef WHORL_DELIVER_H
#define WHORL_DELIVER_H

#include "gpu/insert.h"

#define WHORL_END_SITE WHORL_SITES /* where invalid end states are counted */

static inline void whorl_fails(const whorl_world *w, int32_t site) {
  if (!w->counts[site]) return;
  whorl_raise(&w->failed[site]);
  whorl_say(&w->tally->failed);
}

static inline void whorl_note_failures(const whorl_world *w, const whorl_context *c,
                                       const whorl_step *step) {
  whorl_fails(w, step->site);
  for (int32_t i = step->further; i != WHORL_NO_SITE; i = c->further[i].next)
    whorl_fails(w, c->further[i].site);
}

static inline void whorl_note_reached(const whorl_world *w, const whorl_step *step) {
  uint8_t *reached = w->reached + (step->fault ? WHORL_TRANSITIONS : 0);
  whorl_raise(&reached[step->transition]);
  if (step->partner != WHORL_NOBODY) whorl_raise(&reached[step->partner_transition]);
}

/* A state without a step. */
static inline void whorl_note_end(const whorl_world *w, const whorl_state *s) {
  if (!whorl_valid_end(s)) whorl_fails(w, WHORL_END_SITE);
}

/* Notes and stores all that is in the context. Returns how many transitions that are. */
static inline uint64_t whorl_deliver(const whorl_world *w, const whorl_context *c,
                                     whorl_spare *spare) {
  uint64_t transitions = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const whorl_step *step = &c->steps[i];
    whorl_note_reached(w, step);
    if (step->site != WHORL_NO_SITE) whorl_note_failures(w, c, step);
    if (step->passed | step->fault) continue;
    whorl_insert(w, &c->states[i], 0, spare);
    transitions++;
  }
  return transitions;
}

/* At the end of a kernel, by all its threads. */
static inline void whorl_count_up(const whorl_world *w, uint64_t transitions,
                                  const whorl_spare *spare) {
  whorl_give_up_spare(w, spare);
  whorl_sum(&w->tally->transitions, transitions);
  whorl_sum(&w->tally->holes, spare->there);
}

#endif
