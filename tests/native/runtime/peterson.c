/* Peterson's algorithm for N processes (the filter lock), as a generator would write it: the shape
 * of a real model, for measuring. Each process has a program counter, a level and a scan index; the
 * assertion is mutual exclusion. N = 5 (in four words) has 10.6 million states. With BROKEN nobody
 * waits, and the assertion fails. */
#ifdef BROKEN
#undef BROKEN
#define BROKEN 1
#else
#define BROKEN 0
#endif
#ifndef N
#define N 3
#endif
#ifndef WHORL_WORDS
#define WHORL_WORDS 3
#endif
#define WHORL_TRANSITIONS 8
#define WHORL_SITES 1

#include "model/context.h"

static const uint8_t whorl_site_kinds[WHORL_SITES + 1] = {0};

/* One byte each: pc, level j, scan k for each process; flag[N]; turn[N - 1]; critical. */
enum { PC = 0, LEVEL = N, SCAN = 2 * N, FLAG = 3 * N, TURN = 4 * N, CRITICAL = 5 * N };
typedef char peterson_fits[CRITICAL < 8 * WHORL_WORDS ? 1 : -1];

static inline int get(const whorl_state *s, int at) {
  return (int)(s->words[at / 8] >> (at % 8 * 8) & 0xff);
}

static inline void set(whorl_state *s, int at, int value) {
  s->words[at / 8] &= ~((uint64_t)0xff << (at % 8 * 8));
  s->words[at / 8] |= (uint64_t)value << (at % 8 * 8);
}

static void whorl_initial(whorl_context *c, whorl_state *s) {
  (void)c;
  for (int p = 0; p < N; p++) set(s, PC + p, 0);
}

static int whorl_processes(const whorl_state *s) {
  (void)s;
  return N;
}

static bool whorl_valid_end(const whorl_state *s) {
  (void)s;
  return false;
}

static void whorl_steps(whorl_context *c, const whorl_state *s, int first, int last) {
  for (int p = last; p >= first; p--) {
    whorl_reserve(c);
    whorl_state *t = &c->states[c->count];
    *t = *s;
    int pc = get(s, PC + p), j = get(s, LEVEL + p), k = get(s, SCAN + p);
    switch (pc) {
      case 0: /* j = 1 */
        set(t, LEVEL + p, 1);
        set(t, PC + p, 1);
        break;
      case 1: /* flag[p] = j */
        set(t, FLAG + p, j);
        set(t, PC + p, 2);
        break;
      case 2: /* turn[j] = p; k = 0 */
        set(t, TURN + j - 1, p);
        set(t, SCAN + p, 0);
        set(t, PC + p, 3);
        break;
      case 3: /* wait until k == p or flag[k] < j or turn[j] != p */
        if (!BROKEN && !(k == p || get(s, FLAG + k) < j || get(s, TURN + j - 1) != p)) continue;
        if (k + 1 < N) {
          set(t, SCAN + p, k + 1);
        } else {
          set(t, SCAN + p, 0);
          set(t, PC + p, 4);
        }
        break;
      case 4: /* j++ */
        set(t, LEVEL + p, j + 1 < N ? j + 1 : 0);
        set(t, PC + p, j + 1 < N ? 1 : 5);
        break;
      case 5: /* critical++; assert(critical == 1) */
        set(t, CRITICAL, get(s, CRITICAL) + 1);
        set(t, PC + p, 6);
        if (get(t, CRITICAL) != 1) c->failure = 0;
        break;
      case 6: /* critical-- */
        set(t, CRITICAL, get(s, CRITICAL) - 1);
        set(t, PC + p, 7);
        break;
      default: /* flag[p] = 0 */
        set(t, FLAG + p, 0);
        set(t, PC + p, 0);
        break;
    }
    whorl_commit(c, p, pc, WHORL_NOBODY, -1, WHORL_NOBODY);
  }
}

#include "model/expand.h"

#include "search/verifier.h"
