/* Sets of processes, by their pids: one word for up to 64 of them, else as many as are needed. */
#ifndef WHORL_PIDS_H
#define WHORL_PIDS_H

#ifdef WHORL_DEVICE
#include "gpu/platform.h"
#else
#include <stdbool.h>
#include <stdint.h>
#endif

#ifndef WHORL_PID_WORDS
#define WHORL_PID_WORDS 1
#endif

/* What processes there are in a set, each time from the least pid that is left on. */
#define WHORL_EACH(pid, left, set)                                                       \
  for (whorl_pids left = (set); whorl_some(left) && (pid = whorl_least_pid(left), true); \
       left = whorl_without(left, whorl_pid(pid)))

static inline uint64_t whorl_bit(int number) { return UINT64_C(1) << (number & 63); }

#if WHORL_PID_WORDS == 1
typedef uint64_t whorl_pids;
static inline whorl_pids whorl_nobody(void) { return 0; }
static inline whorl_pids whorl_everyone(void) { return UINT64_MAX; }
static inline whorl_pids whorl_pid(int pid) { return whorl_bit(pid); }
static inline whorl_pids whorl_with(whorl_pids a, whorl_pids b) { return a | b; }
static inline whorl_pids whorl_without(whorl_pids a, whorl_pids b) { return a & ~b; }
static inline whorl_pids whorl_common(whorl_pids a, whorl_pids b) { return a & b; }
static inline bool whorl_some(whorl_pids a) { return a != 0; }
static inline bool whorl_equal_pids(whorl_pids a, whorl_pids b) { return a == b; }
static inline bool whorl_has_pid(whorl_pids a, int pid) { return a >> pid & 1; }
static inline int whorl_least_pid(whorl_pids a) { return __builtin_ctzll(a); }
static inline int whorl_greatest_pid(whorl_pids a) { return 63 - __builtin_clzll(a); }
static inline whorl_pids whorl_pids_below(int count) {
  return count < 64 ? whorl_bit(count) - 1 : UINT64_MAX;
}
#else
typedef struct {
  uint64_t words[WHORL_PID_WORDS];
} whorl_pids;

#define WHORL_BY_WORD(name, expression)                       \
  static inline whorl_pids name(whorl_pids a, whorl_pids b) { \
    for (int i = 0; i < WHORL_PID_WORDS; i++) {               \
      uint64_t x = a.words[i], y = b.words[i];                \
      a.words[i] = (expression);                              \
    }                                                         \
    return a;                                                 \
  }
WHORL_BY_WORD(whorl_with, (x | y))
WHORL_BY_WORD(whorl_without, (x & ~y))
WHORL_BY_WORD(whorl_common, (x & y))

static inline whorl_pids whorl_nobody(void) {
  whorl_pids a;
  for (int i = 0; i < WHORL_PID_WORDS; i++) a.words[i] = 0;
  return a;
}

static inline whorl_pids whorl_pids_below(int count) {
  whorl_pids a;
  for (int i = 0; i < WHORL_PID_WORDS; i++, count -= 64)
    a.words[i] = count >= 64 ? UINT64_MAX : count > 0 ? whorl_bit(count) - 1 : 0;
  return a;
}

static inline whorl_pids whorl_everyone(void) { return whorl_pids_below(64 * WHORL_PID_WORDS); }

static inline whorl_pids whorl_pid(int pid) {
  whorl_pids a = whorl_nobody();
  a.words[pid / 64] = whorl_bit(pid);
  return a;
}

static inline bool whorl_some(whorl_pids a) {
  for (int i = 0; i < WHORL_PID_WORDS; i++)
    if (a.words[i]) return true;
  return false;
}

static inline bool whorl_equal_pids(whorl_pids a, whorl_pids b) {
  for (int i = 0; i < WHORL_PID_WORDS; i++)
    if (a.words[i] != b.words[i]) return false;
  return true;
}

static inline bool whorl_has_pid(whorl_pids a, int pid) {
  return a.words[pid / 64] >> pid % 64 & 1;
}

static inline int whorl_least_pid(whorl_pids a) {
  int i = 0;
  while (!a.words[i]) i++;
  return 64 * i + __builtin_ctzll(a.words[i]);
}

static inline int whorl_greatest_pid(whorl_pids a) {
  int i = WHORL_PID_WORDS - 1;
  while (!a.words[i]) i--;
  return 64 * i + 63 - __builtin_clzll(a.words[i]);
}
#endif

static inline whorl_pids whorl_all_but(whorl_pids a) { return whorl_without(whorl_everyone(), a); }

#endif
