/* DIGITS counters, each a process that counts from 0 to BASE - 1 and stops: BASE^DIGITS states and
 * 1 + DIGITS * (BASE - 1) * BASE^(DIGITS - 1) transitions. The counters lie spread over three words
 * so that hashing and tree compression have something to do. */
#ifndef DIGITS
#define DIGITS 6
#endif
#ifndef BASE
#define BASE 6
#endif
#ifndef WHORL_WORDS
#define WHORL_WORDS 3
#endif
#define WHORL_TRANSITIONS DIGITS
#define WHORL_SITES 0

#include "model/context.h"

static const uint8_t whorl_site_kinds[WHORL_SITES + 1] = {0};

static uint8_t *grid_digit(whorl_state *s, int digit) {
  return (uint8_t *)(void *)s->words + digit * (8 * WHORL_WORDS / DIGITS);
}

static void whorl_initial(whorl_context *c, whorl_state *s) {
  (void)c;
  (void)s;
}

static int whorl_processes(const whorl_state *s) {
  (void)s;
  return DIGITS;
}

static bool whorl_valid_end(const whorl_state *s) {
  (void)s;
  return true;
}

static void whorl_steps(whorl_context *c, const whorl_state *s, int first, int last) {
  for (int i = last; i >= first; i--) {
#ifdef ASCENDING
    int pid = first + last - i;
#else
    int pid = i;
#endif
    whorl_reserve(c);
    whorl_state *next = &c->states[c->count];
    *next = *s;
    uint8_t *digit = grid_digit(next, pid);
    if (*digit == BASE - 1) continue;
    ++*digit;
    whorl_commit(c, pid, pid, WHORL_NOBODY, -1, WHORL_NOBODY);
  }
}

#include "model/expand.h"

#include "search/verifier.h"
