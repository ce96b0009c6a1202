/* Expansion of a state as a whole, in room of the device's memory: where a reduction has to know all
 * steps, where there are too many of them, and to tell a counterexample.
 *
 * Counterexamples are those of search/levels.h: of the failures of a level the one in the least state; the
 * way to it is made of least states, level by level. Nothing is kept for that beside the states. */
#ifndef WHORL_WHOLE_H
#define WHORL_WHOLE_H

#include "gpu/deliver.h"
#include "gpu/least.h"
#include "gpu/room.h"

/* Expands a state in a thread's room. Whether there was enough; if so, `*moves`: whether it has a step. */
static WHORL_OUT_OF_LINE bool whorl_expand_whole(const whorl_world *w, whorl_context *c,
                                                 const whorl_state *s, bool *moves) {
  bool endless = false;
  whorl_use_room(w, c);
  *moves = whorl_expand(c, s, &endless);
  if (endless && !c->overflow) whorl_say(&w->tally->endless);
  return !c->overflow;
}

/* The state of this thread, expanded; one with too little room is put off. Whether there is one. */
static inline bool whorl_expand_mine(const whorl_world *w, uint64_t *index, whorl_state *s,
                                     whorl_context *c, bool *moves) {
  if (!whorl_is_mine(w, index)) return false;
  whorl_get(w, *index, s);
  if (whorl_expand_whole(w, c, s, moves)) return true;
  whorl_later(w, *index);
  return false;
}

WHORL_KERNEL whorl_gpu_whole(const whorl_world *w) {
  uint64_t index, transitions = 0;
  whorl_state s;
  whorl_context c;
  whorl_spare spare = {0, false};
  bool moves;
  if (whorl_expand_mine(w, &index, &s, &c, &moves)) {
    if (!moves) whorl_note_end(w, &s);
    transitions = whorl_deliver(w, &c, &spare);
  }
  whorl_count_up(w, transitions, &spare);
}

#if WHORL_TELLS
/* --- counterexamples ------------------------------------------------------------------------------ */

/* A failure of an expansion that counts: the first, in the order in which they are met. */
typedef struct {
  int32_t site, step, order;
} whorl_first_met;

static inline bool whorl_looks_at(const whorl_world *w, int32_t site, int32_t step,
                                  whorl_first_met *first) {
  if (w->counts[site]) {
    first->site = site;
    first->step = step;
    return true;
  }
  first->order++;
  return false;
}

static inline bool whorl_first_failure(const whorl_world *w, const whorl_context *c,
                                       whorl_first_met *first) {
  for (uint32_t i = 0; i < c->count; i++) {
    const whorl_step *step = &c->steps[i];
    first->order = 0;
    if (step->site == WHORL_NO_SITE) continue;
    if (!step->fault && whorl_looks_at(w, step->site, (int32_t)i, first)) return true;
    for (int32_t at = step->further; at != WHORL_NO_SITE; at = c->further[at].next)
      if (whorl_looks_at(w, c->further[at].site, (int32_t)i, first)) return true;
    if (step->fault && whorl_looks_at(w, step->site, (int32_t)i, first)) return true;
  }
  return false;
}

/* The least state in which something fails that counts. */
WHORL_KERNEL whorl_gpu_failing(const whorl_world *w) {
  uint64_t index;
  whorl_state s;
  whorl_context c;
  whorl_first_met first;
  bool moves;
  if (!whorl_expand_mine(w, &index, &s, &c, &moves) || !whorl_may_be_least(w, index)) return;
  if (moves ? whorl_first_failure(w, &c, &first)
            : w->counts[WHORL_END_SITE] && !whorl_valid_end(&s))
    whorl_found_least(w, index);
}

/* The step of an expansion that ends a run in the target, or -1. */
static inline int32_t whorl_leads(const whorl_world *w, const whorl_context *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    uint64_t differ = 0;
    if (c->steps[i].passed | c->steps[i].fault) continue;
    for (int k = 0; k < WHORL_WORDS; k++) differ |= c->states[i].words[k] ^ w->target[k];
    if (!differ) return (int32_t)i;
  }
  return -1;
}

/* The least state from which a run leads to the target. */
WHORL_KERNEL whorl_gpu_before(const whorl_world *w) {
  uint64_t index;
  whorl_state s;
  whorl_context c;
  bool moves;
  if (!whorl_expand_mine(w, &index, &s, &c, &moves) || !whorl_may_be_least(w, index)) return;
  if (whorl_leads(w, &c) >= 0) whorl_found_least(w, index);
}

/* Of one state: the run to the target or, if there is none, to the first failure that counts. It is told as
 *
 *   how many choices, the site of the failure, the step, the order among those of the same step;
 *   then of each choice: process, transition, partner, the partner's transition
 *
 * Of an invalid end state there are no choices; -1 choices: there is nothing to tell. */
WHORL_KERNEL whorl_gpu_tell(const whorl_world *w) {
  uint64_t index;
  whorl_state s;
  whorl_context c;
  whorl_first_met first = {WHORL_NO_SITE, -1, 0};
  bool moves;
  if (whorl_thread() > 0) return;
  w->told[0] = -1;
  if (!whorl_expand_mine(w, &index, &s, &c, &moves)) return;
  int32_t last = -1;
  if (w->target) {
    last = whorl_leads(w, &c);
    if (last < 0) return;
  } else if (moves) {
    if (!whorl_first_failure(w, &c, &first)) return;
    last = first.step;
  }
  w->told[1] = first.site;
  w->told[2] = first.step;
  w->told[3] = first.order;
  whorl_tell_run(w, &c, last);
}
#endif

#endif
