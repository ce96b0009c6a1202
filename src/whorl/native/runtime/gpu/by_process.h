/* Expansion without a reduction: a thread a state, one process after the other.
 *
 * The steps of one process are a few, so the buffer for them stays in the cache; they are stored before
 * those of the next process are made. A state whose process has more is left to whole.h. */
#ifndef WHORL_BY_PROCESS_H
#define WHORL_BY_PROCESS_H

#include "gpu/deliver.h"

#ifndef WHORL_PROCESS_ROOM
#define WHORL_PROCESS_ROOM 8 /* steps of a process, with those in the middle of atomic sequences */
#endif
#define WHORL_PROCESS_FURTHER 4

/* The steps of all processes. Whether there was room for them; if so, `*moves`: whether there are any. */
static inline bool whorl_each_process(const whorl_world *w, whorl_context *c, const whorl_state *s,
                                      whorl_spare *spare, uint64_t *transitions, bool *moves) {
  bool endless = false;
  for (int pid = whorl_processes(s) - 1; pid >= 0; pid--) {
    whorl_context_clear(c);
    c->held = c->keeps = false;
    whorl_steps(c, s, pid, pid);
    *moves |= c->count > 0;
    whorl_finish_atomic(c, s, WHORL_NOBODY, &endless);
    if (c->overflow) return false;
    *transitions += whorl_deliver(w, c, spare);
  }
  if (endless) whorl_say(&w->tally->endless);
  return true;
}

static inline uint64_t whorl_expand_by_process(const whorl_world *w, uint64_t index,
                                               whorl_spare *spare) {
  whorl_state s, states[WHORL_PROCESS_ROOM + 1];
  whorl_step steps[WHORL_PROCESS_ROOM + 1];
  whorl_further further[WHORL_PROCESS_FURTHER];
  whorl_context c;
  uint64_t transitions = 0;
  bool moves = false;
  whorl_get(w, index, &s);
  if (whorl_holder(&s) != WHORL_NOBODY) {
    whorl_later(w, index);
    return 0;
  }
  whorl_context_place(&c, states, steps, WHORL_PROCESS_ROOM, further, WHORL_PROCESS_FURTHER,
                      w->memo);
  for (int waits = 0; waits < 2 && !moves; waits++) {
    c.timeout = c.waits = waits;
    if (!whorl_each_process(w, &c, &s, spare, &transitions, &moves)) {
      whorl_later(w, index);
      return 0;
    }
  }
  if (!moves) whorl_note_end(w, &s);
  return transitions;
}

WHORL_KERNEL whorl_gpu_by_process(const whorl_world *w) {
  uint64_t index = w->from + whorl_thread(), transitions = 0;
  whorl_spare spare = {0, false};
  if (index < w->to && !whorl_is_hole(w, index))
    transitions = whorl_expand_by_process(w, index, &spare);
  whorl_count_up(w, transitions, &spare);
}

#endif
