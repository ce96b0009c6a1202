/* Expands a stored state: its runs, all or an ample set, to the next states that are stored.
 *
 * States in the middle of an atomic sequence are not stored (as in Spin): their steps are followed
 * here until control is free again. An atomic sequence that blocks gives up control. One that comes
 * back to a state it has passed on the way may go round for ever: its run ends there, in a state that
 * has its holder in it (WHORL_HOLDER) and from which only the holder goes on. Models in which there
 * can be no such round have no place for a holder.
 */
#ifndef WHORL_EXPAND_H
#define WHORL_EXPAND_H

#include "context.h"

#ifndef WHORL_CLAIMS /* then they are there, and may be one of several (native/weave.py) */
static void whorl_steps(whorl_context *c, const whorl_state *s, int first, int last);
static int whorl_processes(const whorl_state *s);
static bool whorl_valid_end(const whorl_state *s);
#endif

/* What WHORL_REDUCES may be. */
#define WHORL_STATIC 1
#define WHORL_TWO_PHASE 2
#define WHORL_BY_STACK 3

/* What WHORL_SETTLES may be. */
#define WHORL_UNLESS_STICKY 1
#define WHORL_BY_PHASE_1 2

#ifndef WHORL_REDUCES
#define WHORL_REDUCES 0
#define WHORL_SETTLES 0
#define WHORL_PROVISO 0
#endif

/* Whether there can be a round in an atomic sequence that ends with this transition. */
#ifndef WHORL_GOES_ROUND
#define WHORL_GOES_ROUND(transition) true
#endif

/* The process that has control in a stored state, or WHORL_NOBODY. */
static inline int whorl_holder(const whorl_state *s) {
#ifdef WHORL_HOLDER
  return (int)((const uint8_t *)s->words)[WHORL_HOLDER] - 1;
#else
  (void)s;
  return WHORL_NOBODY;
#endif
}

static inline void whorl_set_holder(whorl_state *s, int holder) {
#ifdef WHORL_HOLDER
  ((uint8_t *)s->words)[WHORL_HOLDER] = (uint8_t)(holder + 1);
#else
  (void)s, (void)holder;
#endif
}

/* As whorl_equal, of states that most often differ near their beginning. */
static inline bool whorl_alike(const whorl_state *a, const whorl_state *b) {
  int i = 0;
  while (i < WHORL_MATCHED && a->words[i] == b->words[i]) i++;
  return i == WHORL_MATCHED;
}

/* Whether some run of an expansion ends in a fault. */
static inline bool whorl_faults(const whorl_context *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->steps[i].fault) return true;
  return false;
}

/* Whether steps[at] comes back to a state that its own atomic sequence has passed. */
static inline bool whorl_comes_back(whorl_context *c, uint32_t at) {
  if (!WHORL_GOES_ROUND(c->steps[at].transition)) return false;
  uint64_t passed = 0;
  for (int32_t i = c->steps[at].from; i >= 0; i = c->steps[i].from, passed++)
    if (c->steps[i].holder == c->steps[at].holder && whorl_alike(&c->states[i], &c->states[at]))
      return true;
  whorl_walk_on(c, passed);
  return false;
}

#if WHORL_REDUCES
#include "ample.h"
#endif
#if WHORL_REDUCES == WHORL_TWO_PHASE || WHORL_SETTLES == WHORL_BY_PHASE_1
#include "phase.h"
#else
#define whorl_is_unsettled(c, s) false
#endif
#if WHORL_REDUCES == WHORL_BY_STACK
#include "candidates.h"
#elif !WHORL_REDUCES
#define whorl_reduce(c, s) false
#endif
#if !WHORL_SETTLES
#define whorl_settle(c, at, everyone) ((void)(everyone))
#endif

/* Goes on with the atomic sequences among the steps of the context, up to where control is free; or
 * to where a round ends: at a state that was passed, or at `start`, if that is held by `held`. */
static inline void whorl_go_on(whorl_context *c, const whorl_state *start, int held,
                               bool *endless) {
  for (uint32_t i = 0; c->held && i < c->count; i++) {
    int holder = c->steps[i].holder;
    if (c->steps[i].fault | c->steps[i].passed) continue;
    if (holder == WHORL_NOBODY) continue;
    whorl_walk_on(c, 1);
    if (whorl_comes_back(c, i) || (holder == held && whorl_alike(start, &c->states[i]))) {
      whorl_set_holder(&c->states[i], holder);
      c->keeps = *endless = true;
      continue;
    }
    uint32_t before = c->count;
    whorl_state middle = c->states[i]; /* the buffer may move */
    c->from = (int32_t)i;
    whorl_steps(c, &middle, holder, holder);
    c->from = -1;
    if (c->count > before) {
      c->steps[i].passed = 1;
      continue;
    }
    c->steps[i].holder = WHORL_NOBODY;
  }
}

/* As whorl_expand, of a state in which `holder` has control: nobody else can move, and there is
 * nothing to choose from. */
static __attribute__((noinline)) bool whorl_expand_held(whorl_context *c, const whorl_state *s,
                                                        int holder, bool *endless) {
  whorl_state start = *s;
  whorl_set_holder(&start, WHORL_NOBODY);
  whorl_context_clear(c);
  c->timeout = c->held = c->keeps = c->sticky = false;
  c->ample = whorl_nobody();
  whorl_steps(c, &start, holder, holder);
  whorl_go_on(c, &start, holder, endless);
  if (WHORL_SETTLES)
    for (uint32_t i = 0, ended = c->count; i < ended; i++)
      if (!(c->steps[i].fault | c->steps[i].passed) && c->steps[i].holder == WHORL_NOBODY)
        whorl_settle(c, i, true);
  return c->count > 0;
}

/* As whorl_expand, with the first ample set that does without the processes to avoid. */
static inline bool whorl_expand_once(whorl_context *c, const whorl_state *s, bool *endless) {
  whorl_context_clear(c);
  c->timeout = c->held = c->keeps = false;
  int last = whorl_processes(s) - 1;
  bool everyone = WHORL_SETTLES == WHORL_UNLESS_STICKY && whorl_some(c->avoid);
  c->ample = whorl_nobody();
  whorl_steps(c, s, 0, last);
  if (WHORL_SETTLES == WHORL_BY_PHASE_1) everyone = whorl_is_unsettled(c, s);
  c->sticky = false;
  if (c->count == 0) {
    c->timeout = true;
    whorl_steps(c, s, 0, last);
    c->timeout = false;
  } else if (WHORL_REDUCES && !whorl_equal_pids(c->avoid, whorl_everyone())) {
    everyone |= whorl_reduce(c, s);
  }
  whorl_go_on(c, s, WHORL_NOBODY, endless);
  if (WHORL_SETTLES)
    for (uint32_t i = 0, ended = c->count; i < ended; i++)
      if (!(c->steps[i].fault | c->steps[i].passed) && c->steps[i].holder == WHORL_NOBODY)
        whorl_settle(c, i, everyone);
  return c->count > 0;
}

/* Whether what was taken is no ample set, by what its runs do.
 *
 * Where phase 1 may take sticky transitions, it must take none after a run of the set. So a cycle of
 * proper ample sets would have none at all, and every control-flow cycle has.
 *
 * No run of it may end in a fault, which stops all processes where they are: what the others can still
 * do or show would be lost behind it. The same goes for one that keeps control, perhaps for ever. */
static inline bool whorl_is_unfit(const whorl_context *c) {
  if (WHORL_SETTLES == WHORL_BY_PHASE_1 && !WHORL_PROVISO && c->sticky) return true;
  return c->keeps || whorl_faults(c);
}

/* Fills the context with the steps that follow: every one, or an ample set (ample.h). Those that are
 * `passed` only lead to others; the rest end runs: at a state to store, or, where `fault` is set, at
 * no state. Returns whether any step was possible. `*endless` is set if an atomic sequence can go
 * round for ever. */
static inline bool whorl_expand(whorl_context *c, const whorl_state *s, bool *endless) {
  int holder = whorl_holder(s);
  if (__builtin_expect(holder != WHORL_NOBODY, 0)) return whorl_expand_held(c, s, holder, endless);
  bool found = whorl_expand_once(c, s, endless);
  if (WHORL_REDUCES != WHORL_STATIC) return found;
  while (whorl_some(c->ample) && whorl_is_unfit(c)) {
    c->avoid = whorl_with(c->avoid, c->ample);
    found = whorl_expand_once(c, s, endless);
  }
  if (!WHORL_PROVISO) c->avoid = whorl_nobody();
  return found;
}

#endif
