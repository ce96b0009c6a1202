/* The candidates of a state, one after the other: components of dependent processes and, where none has
 * a single step, stubborn sets, in the order of reduction/candidates.py.
 */
#ifndef WHORL_CANDIDATES_H
#define WHORL_CANDIDATES_H

#include "reduction/ample.h"
#if WHORL_STUBBORN
#include "reduction/stubborn.h"
#endif

/* What is done with a candidate. Returns how many steps the next one has to have less than. */
typedef uint32_t whorl_taker(void *into, const whorl_situation *in, whorl_pids members);

/* Offers the candidates of a state, the steps of which are in the context, to `take`: those that do
 * without the processes to avoid and have fewer steps than it says, and no more once that is one. */
static inline __attribute__((always_inline)) void whorl_each_candidate(whorl_context *c,
                                                                       const whorl_state *s,
                                                                       whorl_taker *take,
                                                                       void *into) {
  whorl_situation in;
  whorl_pids able = whorl_look(c, s, &in);
  if (!whorl_some(able)) return;
  whorl_pids refused = whorl_with(c->avoid, whorl_excluded(&in, able)), excluded = refused;
  uint32_t most = c->count, least = most;
  for (whorl_pids left = whorl_without(able, excluded); whorl_some(left) && most > 1;) {
    int pid =
        WHORL_ONE_PROCESS && !WHORL_ASCENDING ? whorl_greatest_pid(left) : whorl_least_pid(left);
    whorl_pids self = whorl_pid(pid), others = WHORL_ONE_PROCESS ? whorl_all_but(self) : excluded;
#if WHORL_SPIN_RULE
    if (!whorl_safe_in_spin(c, s, pid)) {
      left = whorl_without(left, self);
      continue;
    }
#endif
    whorl_pids members = whorl_component(c, s, &in, pid, others, most);
    left = whorl_without(left, self);
    if (!whorl_some(members)) {
      excluded = whorl_with(excluded, self); /* and so is whoever depends on it */
      continue;
    }
    uint32_t begun = whorl_begun(&in, members);
    if (begun == 0) continue;
    assert(begun < most && whorl_may_be_ample(&in, members));
    if (begun < least) least = begun;
    most = take(into, &in, members);
  }
#if WHORL_STUBBORN
  if (least <= 1) return;
  whorl_closing g;
  whorl_closing_init(c, &in, refused, &g);
  int pid;
  WHORL_EACH (pid, left, whorl_without(able, g.refused)) {
    if (most <= 1) return;
    whorl_pids members = whorl_stubborn(c, s, &g, pid, most);
    if (!whorl_some(members)) continue;
    assert(whorl_begun(&in, members) < most && whorl_may_be_ample(&in, members));
    most = take(into, &in, members);
  }
#else
  (void)least;
#endif
}

/* --- one of them ------------------------------------------------------------------------------ */

static inline uint32_t whorl_take_best(void *into, const whorl_situation *in, whorl_pids members) {
  *(whorl_pids *)into = members;
  return WHORL_ONE_PROCESS ? 0 : whorl_begun(in, members);
}

/* Of the steps of a state, all of which are in the context, keeps those of the best candidate. Returns
 * whether that has a single step, of several. */
static bool whorl_keep_best(whorl_context *c, const whorl_state *s) {
  whorl_pids best = whorl_nobody();
  whorl_each_candidate(c, s, whorl_take_best, &best);
  if (!whorl_some(best)) return false;
  whorl_keep(c, best);
  c->ample = best;
  return c->count == 1;
}

/* Whether what was taken is no ample set, by what its runs do. No run of it may end in a fault, which
 * stops all processes where they are: what the others can still do or show would be lost behind it. The
 * same goes for one that keeps control, perhaps for ever. */
static inline bool whorl_stops_others(const whorl_context *c) {
  return c->keeps || whorl_faults(c);
}

/* --- all of them ------------------------------------------------------------------------------ */

/* A component and a stubborn set of each process; a byte tells which one was chosen. */
#define WHORL_MOST_CANDIDATES (2 * WHORL_PROCESSES < 255 ? 2 * WHORL_PROCESSES : 255)

typedef struct {
  whorl_pids *sets;
  uint32_t steps[WHORL_MOST_CANDIDATES];
  uint32_t count;
  uint32_t all; /* the steps of the state */
} whorl_found;

/* Notes a candidate that begins so many steps, unless it is there: behind those with no more of them,
 * or last if only one process is looked at at a time. */
static inline uint32_t whorl_note(void *into, const whorl_situation *in, whorl_pids members) {
  whorl_found *f = (whorl_found *)into;
  uint32_t begun = whorl_begun(in, members), place = f->count;
  for (uint32_t k = 0; k < f->count; k++)
    if (f->steps[k] == begun && whorl_begun(in, whorl_common(f->sets[k], members)) == begun)
      return f->all;
  if (f->count == WHORL_MOST_CANDIDATES) return f->all;
  for (; !WHORL_ONE_PROCESS && place > 0 && f->steps[place - 1] > begun; place--) {
    f->sets[place] = f->sets[place - 1];
    f->steps[place] = f->steps[place - 1];
  }
  f->sets[place] = members;
  f->steps[place] = begun;
  f->count++;
  return f->all;
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
  c->avoid = whorl_nobody();
  whorl_steps(c, s, 0, whorl_processes(s) - 1);
  found.all = c->count;
  whorl_each_candidate(c, s, whorl_note, &found);
  return found.count;
}

#endif
