/* Expands a stored state: its runs, all or an ample set, to the next states that are stored.
 *
 * Which of its steps are taken, and how a run goes on from there, is what a reduction scheme says. The
 * generated model includes one of the headers in scheme/ before this one, and each of these defines
 *
 *   WHORL_REDUCES             1 if it leaves anything out
 *   whorl_choose(c, s)        keeps some of the steps of a state, all of which are in the context; returns
 *                             whether everyone is to be asked who may go on from there
 *   WHORL_TRIES_OTHERS        1 if there are other ample sets, where this one will not do: c->ample is the
 *                             one that was taken, c->avoid are the processes to do without
 *   whorl_is_unfit(c)         whether it will not, by what its runs do
 *   WHORL_LEAVES_OUT          1 if states are not stored from which a run goes on by itself
 *   whorl_go_on(c, at, everyone)
 *                             goes on from the end of the run steps[at], as far as that is so. Unless
 *                             `everyone` is to be asked, nobody could before that run
 *   whorl_asks_everyone(c, s) whether somebody could
 *   WHORL_PROVISO             1: the search sees to the proviso of visited states (proviso.h)
 *   WHORL_LOOKS_AT_STACK      1: ample sets depend on the stack of a product (by_stack.h)
 */
#ifndef WHORL_EXPAND_H
#define WHORL_EXPAND_H

#include "model/atomic.h"

#ifndef WHORL_REDUCES
#include "reduction/scheme/none.h"
#endif

/* The next ample set has to do without the processes of this one, too. */
static inline void whorl_avoid_more(whorl_context *c) {
  assert(whorl_some(c->ample));
  c->avoid = whorl_with(c->avoid, c->ample);
}

/* Goes on from the ends of all runs of an expansion. */
static inline void whorl_go_on_all(whorl_context *c, bool everyone) {
  (void)everyone;
  for (uint32_t i = 0, ended = c->count; WHORL_LEAVES_OUT && i < ended; i++)
    if (!(c->steps[i].fault | c->steps[i].passed) && c->steps[i].holder == WHORL_NOBODY)
      whorl_go_on(c, i, everyone);
}

/* As whorl_expand, of a state in which `holder` has control: nobody else can move, and there is
 * nothing to choose from. */
static __attribute__((noinline)) bool whorl_expand_held(whorl_context *c, const whorl_state *s,
                                                        int holder, bool *endless) {
  whorl_state start = *s;
  whorl_set_holder(&start, WHORL_NOBODY);
  whorl_context_clear(c);
  c->timeout = c->held = c->keeps = c->sticky = c->waits = false;
  c->ample = whorl_nobody();
  whorl_steps(c, &start, holder, holder);
  whorl_finish_atomic(c, &start, holder, endless);
  whorl_go_on_all(c, true);
  return c->count > 0;
}

/* As whorl_expand, with the first ample set that does without the processes to avoid. */
static inline bool whorl_expand_once(whorl_context *c, const whorl_state *s, bool *endless) {
  whorl_context_clear(c);
  c->timeout = c->held = c->keeps = c->waits = false;
  int last = whorl_processes(s) - 1;
  c->ample = whorl_nobody();
  whorl_steps(c, s, 0, last);
  bool everyone = WHORL_LEAVES_OUT && whorl_asks_everyone(c, s);
  c->sticky = false;
  if (c->count == 0) {
    c->timeout = c->waits = true;
    whorl_steps(c, s, 0, last);
    c->timeout = false;
    everyone = true; /* a timeout may let go anybody who waits, and is no access of its own */
  } else if (WHORL_REDUCES && !whorl_equal_pids(c->avoid, whorl_everyone())) {
    everyone |= whorl_choose(c, s);
  }
  whorl_finish_atomic(c, s, WHORL_NOBODY, endless);
  whorl_go_on_all(c, everyone);
  return c->count > 0;
}

/* Fills the context with the steps that follow: every one, or an ample set (ample.h). Those that are
 * `passed` only lead to others; the rest end runs: at a state to store, or, where `fault` is set, at
 * no state. Returns whether any step was possible. `*endless` is set if an atomic sequence can go
 * round for ever. */
static inline bool whorl_expand(whorl_context *c, const whorl_state *s, bool *endless) {
  int holder = whorl_holder(s);
  if (__builtin_expect(holder != WHORL_NOBODY, 0)) return whorl_expand_held(c, s, holder, endless);
  bool found = whorl_expand_once(c, s, endless);
  if (!WHORL_TRIES_OTHERS) return found;
  while (whorl_some(c->ample) && whorl_is_unfit(c)) {
    whorl_avoid_more(c);
    found = whorl_expand_once(c, s, endless);
  }
  assert(found || !whorl_some(c->ample));                /* C0 */
  assert(!whorl_some(whorl_common(c->ample, c->avoid))); /* another one each time */
  if (!WHORL_PROVISO) c->avoid = whorl_nobody();
  return found;
}

#endif
