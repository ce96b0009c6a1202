/* The candidates of a state, for schemes that look at the search stack (stack.h): all of them, in the
 * order of reduction/candidates.py.
 */
#ifndef WHORL_CANDIDATES_H
#define WHORL_CANDIDATES_H

#include "ample.h"

/* A component and a stubborn set of each process. */
#define WHORL_MOST_CANDIDATES (2 * WHORL_MOST_REDUCED)

typedef struct {
  uint64_t *sets; /* of processes */
  uint32_t steps[WHORL_MOST_CANDIDATES];
  uint32_t count;
} whorl_found;

/* Notes a candidate that begins so many steps, unless it is there: behind those with no more of them,
 * or last if only one process is looked at at a time. */
static void whorl_note(whorl_found *f, const whorl_situation *in, uint64_t members) {
  uint32_t begun = whorl_begun(in, members), place = f->count;
  for (uint32_t k = 0; k < f->count; k++)
    if (f->steps[k] == begun && whorl_begun(in, f->sets[k] & members) == begun) return;
  for (; !WHORL_ONE_PROCESS && place > 0 && f->steps[place - 1] > begun; place--) {
    f->sets[place] = f->sets[place - 1];
    f->steps[place] = f->steps[place - 1];
  }
  f->sets[place] = members;
  f->steps[place] = begun;
  f->count++;
}

/* The candidates of a state, as sets of processes. Returns how many there are. */
static uint32_t whorl_candidates(whorl_context *c, const whorl_state *s, uint64_t *sets) {
  whorl_found found;
  found.sets = sets;
  found.count = 0;
  if (whorl_holder(s) != WHORL_NOBODY) return 0;
  c->count = 0;
  c->from = -1;
  c->timeout = false;
  whorl_steps(c, s, 0, whorl_processes(s) - 1);
  whorl_situation in;
  uint64_t able = whorl_look(c, s, &in), refused = whorl_hopeless(&in, able), hopeless = refused;
  for (int i = 0; i < in.count && able; i++) {
    int pid = WHORL_ONE_PROCESS ? in.count - 1 - i : i;
    uint64_t self = whorl_set_of(pid), others = WHORL_ONE_PROCESS ? ~self : hopeless;
    if (!(able & ~hopeless & self)) continue;
    uint64_t members = whorl_component(c, s, &in, pid, others, c->count);
    if (members == 0)
      hopeless |= self;
    else if (whorl_begun(&in, members) > 0)
      whorl_note(&found, &in, members);
  }
#if WHORL_STUBBORN
  if (able && (found.count == 0 || found.steps[0] > 1)) {
    whorl_closing g;
    whorl_closing_init(c, &in, refused, &g);
    for (uint64_t left = able & ~g.refused; left; left &= left - 1) {
      uint64_t members = whorl_stubborn(c, s, &g, __builtin_ctzll(left), c->count);
      if (members) whorl_note(&found, &in, members);
    }
  }
#endif
  return found.count;
}

static inline bool whorl_reduce(whorl_context *c, const whorl_state *s) {
  (void)s;
  whorl_keep(c, ~c->avoid);
  return false;
}

#endif
