/* The candidates of a state, for schemes that look at the search stack (stack.h): all of them, in the
 * order of reduction/candidates.py.
 */
#ifndef WHORL_CANDIDATES_H
#define WHORL_CANDIDATES_H

#include "ample.h"

/* The candidates of a state, as sets of processes. Returns how many there are. */
static uint32_t whorl_candidates(whorl_context *c, const whorl_state *s, uint64_t *sets) {
  uint32_t found = 0, steps[WHORL_MOST_REDUCED];
  c->count = 0;
  c->from = -1;
  c->timeout = false;
  whorl_steps(c, s, 0, whorl_processes(s) - 1);
  whorl_situation in;
  uint64_t able = whorl_look(c, s, &in), hopeless = whorl_hopeless(&in, able);
  for (int i = 0; i < in.count && able; i++) {
    int pid = WHORL_ONE_PROCESS ? in.count - 1 - i : i;
    uint64_t self = whorl_set_of(pid), refused = WHORL_ONE_PROCESS ? ~self : hopeless;
    if (!(able & ~hopeless & self)) continue;
    uint64_t members = whorl_component(c, s, &in, pid, refused, c->count);
    uint32_t begun = whorl_begun(&in, members), place = found;
    if (members == 0) hopeless |= self;
    for (uint32_t k = 0; k < found; k++)
      if (sets[k] == members) begun = 0;
    if (begun == 0) continue;
    for (; !WHORL_ONE_PROCESS && place > 0 && steps[place - 1] > begun; place--) {
      sets[place] = sets[place - 1];
      steps[place] = steps[place - 1];
    }
    sets[place] = members;
    steps[place] = begun;
    found++;
  }
  return found;
}

static inline bool whorl_reduce(whorl_context *c, const whorl_state *s) {
  (void)s;
  whorl_keep(c, ~c->avoid);
  return false;
}

#endif
