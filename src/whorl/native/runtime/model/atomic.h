/* Atomic sequences: who has control, and where a run of one ends.
 *
 * States in the middle of an atomic sequence are not stored (as in Spin): their steps are followed until
 * control is free again. A sequence that blocks gives up control. One that comes back to a state it has
 * passed on the way may go round for ever: its run ends there, in a state that has its holder in it
 * (WHORL_HOLDER) and from which only the holder goes on. Models in which there can be no such round have
 * no place for a holder.
 */
#ifndef WHORL_ATOMIC_H
#define WHORL_ATOMIC_H

#include "model/context.h"

#ifndef WHORL_CLAIMS /* then they are there, and may be one of several (native/weave.py) */
static void whorl_steps(whorl_context *c, const whorl_state *s, int first, int last);
static int whorl_processes(const whorl_state *s);
static bool whorl_valid_end(const whorl_state *s);
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

/* Follows an atomic sequence from steps[last], where it goes one way only. Returns where it gives
 * up control, or -1 if it does not come to that. */
static inline int32_t whorl_follow_atomic(whorl_context *c, uint32_t last) {
  while (c->steps[last].holder != WHORL_NOBODY) {
    whorl_walk_on(c, 1);
    if (whorl_comes_back(c, last)) return -1;
    int holder = c->steps[last].holder;
    uint32_t before = c->count;
    whorl_state middle = c->states[last];
    c->from = (int32_t)last;
    whorl_steps(c, &middle, holder, holder);
    if (c->count == before) {
      c->steps[last].holder = WHORL_NOBODY;
      break;
    }
    if (c->count > before + 1 || c->steps[before].fault) return -1;
    c->steps[last].passed = 1;
    last = before;
  }
  return (int32_t)last;
}

#ifndef NDEBUG
/* Whether control is free where the runs of an expansion end, but for rounds. */
static bool whorl_all_free(const whorl_context *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (!(c->steps[i].fault | c->steps[i].passed) && c->steps[i].holder != WHORL_NOBODY &&
        whorl_holder(&c->states[i]) != c->steps[i].holder)
      return false;
  return true;
}
#endif

/* Goes on with the atomic sequences among the steps of the context, up to where control is free; or
 * to where a round ends: at a state that was passed, or at `start`, if that is held by `held`. */
static inline void whorl_finish_atomic(whorl_context *c, const whorl_state *start, int held,
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
  assert(whorl_all_free(c));
}

#endif
