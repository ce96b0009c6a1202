/* Two phase (Nalumasu and Gopalakrishnan, Figures 5 and 8), as in reduction/two_phase.py: phase 1 is
 * a function of the program state.
 *
 *   following(q)   the step of phase 1: of the first process that has a run by itself and is not at
 *                  rest, that is in the least state of a loop that it makes by itself
 *
 * Phase 1 ends where there is no such step, or in the least state of a loop of them. What is least
 * does not matter, as long as it is the same whatever the way into the loop: here memcmp decides.
 *
 * A loop is found by looking at those states of a walk alone that were entered by a step down: every
 * loop has one (section 5.1 of the paper, "s < olds"). Of these one at a time is remembered (Brent,
 * "An improved Monte Carlo factorization algorithm", 1980). A process that counts by itself may make
 * a loop too long to be walked: what leads nowhere in WHORL_LONGEST_WALK steps without going below
 * where it began is taken for a loop. So more states are fully expanded, and still one of each loop.
 */
#ifndef WHORL_PHASE_H
#define WHORL_PHASE_H

#include "ample.h"

#ifndef WHORL_LONGEST_WALK
#define WHORL_LONGEST_WALK (1 << 16)
#endif

static inline int whorl_compare(const whorl_state *a, const whorl_state *b) {
  return memcmp(a, b, 8 * WHORL_MATCHED);
}

/* What is remembered of a walk: a state, and how many more may come before it is replaced. */
typedef struct {
  whorl_state state;
  uint64_t left, most; /* `most` is 0 before the first one */
} whorl_walk;

/* Whether the step of a walk from `before` to `s` leads to the state that is remembered. */
static inline bool whorl_closes(whorl_walk *w, const whorl_state *before, const whorl_state *s) {
  if (whorl_compare(s, before) > 0) return false;
  if (w->most && whorl_compare(s, &w->state) == 0) return true;
  if (w->left-- == 0) {
    w->state = *s;
    w->most = w->most ? 2 * w->most : 1;
    w->left = w->most - 1;
  }
  return false;
}

static int32_t whorl_following(whorl_context *c, const whorl_state *s);

/* Whether `s` is the least state of a loop: of the steps of one process, or of phase 1, where `pid`
 * is WHORL_NOBODY. */
static bool whorl_is_least(whorl_context *c, const whorl_state *s, int pid) {
  uint32_t before = c->count;
  whorl_state at = *s, next;
  whorl_walk walk = {{{0}}, 0, 0};
  for (uint32_t length = 0; length < WHORL_LONGEST_WALK; length++) {
    int32_t last = pid == WHORL_NOBODY ? whorl_following(c, &at) : whorl_only_run(c, &at, pid);
    if (last < 0) return false;
    next = c->states[last];
    c->count = before;
    int order = whorl_compare(&next, s);
    if (order == 0) return true;
    if (order < 0 || whorl_closes(&walk, &at, &next)) return false; /* a loop without `s` */
    at = next;
  }
  return true;
}

/* The step of phase 1 from `s`: its run is appended to the context. Returns the last step of it, or
 * -1. */
static int32_t whorl_following(whorl_context *c, const whorl_state *s) {
  int count = whorl_running(whorl_bytes(s));
  if (!WHORL_ANY_QUIET || count > WHORL_MOST_REDUCED) return -1;
  uint32_t before = c->count;
  whorl_state at = *s; /* the buffer may move */
  for (int pid = 0; pid < count; pid++) {
    int32_t last = whorl_only_run(c, &at, pid);
    if (last < 0) continue;
    if (whorl_compare(&c->states[last], &at) < 0 || !whorl_is_least(c, &at, pid)) return last;
    c->count = before;
  }
  return -1;
}

/* Of the steps of a state, all of which are in the context, keeps that of phase 1, unless phase 1
 * ends here. */
static bool whorl_reduce(whorl_context *c, const whorl_state *s) {
  uint32_t count = c->count;
  if (count < 2 || whorl_following(c, s) < 0) return false;
  int pid = c->steps[count].pid;
  c->count = count;
  if (!whorl_is_least(c, s, WHORL_NOBODY)) whorl_keep(c, whorl_set_of(pid));
  return false;
}

/* Where a walk by the steps `start` and from `first` on came to a state for the first time. */
static inline uint32_t whorl_first_met(const whorl_context *c, uint32_t start, uint32_t first,
                                       const whorl_state *s) {
  uint32_t i = start;
  while (c->steps[i].holder != WHORL_NOBODY || whorl_compare(&c->states[i], s) != 0)
    i = i == start ? first : i + 1;
  return i;
}

/* Phase 1 from the end of the run steps[start]. */
static inline void whorl_settle(whorl_context *c, uint32_t start, bool everyone) {
  uint32_t first = c->count, at = start;
  whorl_walk walk = {{{0}}, 0, 0};
  (void)everyone;
  for (uint32_t came = start;; came = at) {
    uint32_t before = c->count;
    int32_t last = whorl_following(c, &c->states[came]);
    if (last < 0) return;
    c->steps[before].from = (int32_t)came;
    c->steps[came].passed = 1;
    at = (uint32_t)last;
    if (whorl_closes(&walk, &c->states[came], &c->states[at])) break;
    if (c->count - first > WHORL_LONGEST_WALK &&
        whorl_is_least(c, &c->states[at], WHORL_NOBODY))
      return;
  }
  /* The loop: back to where this state was met before. */
  uint32_t least = at;
  for (uint32_t i = at; i > first; i--)
    if (c->steps[i - 1].holder == WHORL_NOBODY) {
      if (whorl_compare(&c->states[i - 1], &c->states[at]) == 0) break;
      if (whorl_compare(&c->states[i - 1], &c->states[least]) < 0) least = i - 1;
    }
  uint32_t end = whorl_first_met(c, start, first, &c->states[least]);
  c->steps[end].passed = 0;
  c->count = end == start ? first : end + 1;
}

#endif
