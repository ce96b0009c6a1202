/* The candidates of a state, for schemes that look at the search stack (stack.h): all of them, in the
 * order of reduction/candidates.py.
 */
#ifndef WHORL_CANDIDATES_H
#define WHORL_CANDIDATES_H

#include "ample.h"

/* A component and a stubborn set of each process; a byte tells which one was chosen. */
#define WHORL_MOST_CANDIDATES (2 * WHORL_PROCESSES < 255 ? 2 * WHORL_PROCESSES : 255)

typedef struct {
  whorl_pids *sets;
  uint32_t steps[WHORL_MOST_CANDIDATES];
  uint32_t count;
} whorl_found;

/* Notes a candidate that begins so many steps, unless it is there: behind those with no more of them,
 * or last if only one process is looked at at a time. */
static void whorl_note(whorl_found *f, const whorl_situation *in, whorl_pids members) {
  uint32_t begun = whorl_begun(in, members), place = f->count;
  for (uint32_t k = 0; k < f->count; k++)
    if (f->steps[k] == begun && whorl_begun(in, whorl_common(f->sets[k], members)) == begun) return;
  if (f->count == WHORL_MOST_CANDIDATES) return;
  for (; !WHORL_ONE_PROCESS && place > 0 && f->steps[place - 1] > begun; place--) {
    f->sets[place] = f->sets[place - 1];
    f->steps[place] = f->steps[place - 1];
  }
  f->sets[place] = members;
  f->steps[place] = begun;
  f->count++;
}

/* The candidates of a state, as sets of processes. Returns how many there are. */
static uint32_t whorl_candidates(whorl_context *c, const whorl_state *s, whorl_pids *sets) {
  whorl_found found;
  found.sets = sets;
  found.count = 0;
  if (whorl_holder(s) != WHORL_NOBODY) return 0;
  c->count = 0;
  c->from = -1;
  c->timeout = false;
  whorl_steps(c, s, 0, whorl_processes(s) - 1);
  whorl_situation in;
  whorl_pids able = whorl_look(c, s, &in), refused = whorl_hopeless(&in, able), hopeless = refused;
  for (int i = 0; i < in.count && whorl_some(able); i++) {
    int pid = WHORL_ONE_PROCESS ? in.count - 1 - i : i;
    whorl_pids self = whorl_pid(pid), others = WHORL_ONE_PROCESS ? whorl_all_but(self) : hopeless;
    if (!whorl_has_pid(able, pid) || whorl_has_pid(hopeless, pid)) continue;
    whorl_pids members = whorl_component(c, s, &in, pid, others, c->count);
    if (!whorl_some(members))
      hopeless = whorl_with(hopeless, self);
    else if (whorl_begun(&in, members) > 0)
      whorl_note(&found, &in, members);
  }
#if WHORL_STUBBORN
  if (whorl_some(able) && (found.count == 0 || found.steps[0] > 1)) {
    whorl_closing g;
    whorl_closing_init(c, &in, refused, &g);
    int pid;
    WHORL_EACH(pid, left, whorl_without(able, g.refused)) {
      whorl_pids members = whorl_stubborn(c, s, &g, pid, c->count);
      if (whorl_some(members)) whorl_note(&found, &in, members);
    }
  }
#endif
  return found.count;
}

static inline bool whorl_reduce(whorl_context *c, const whorl_state *s) {
  (void)s;
  whorl_keep(c, whorl_all_but(c->avoid));
  return false;
}

#endif
