/* Two processes with one of everything: an atomic sequence whose second step fails an assertion
 * (site 0), a step that divides by zero (site 1), a handshake, and a deadlock.
 *
 *   process 0:  0 -T0-> 1 -T1 (assertion)-> 2 -T2-> 3      atomic
 *               3 -T3-> fault;  3 -T7-> 4 in a handshake
 *   process 1:  0 -T4-> 1 -T5-> 2 -T6-> 3 in a handshake
 *
 * States: {0, 3} x {0, 1, 2} and (4, 3): 7. Transitions: the initial one, 3 atomic runs, 4 of T4
 * and T5, 1 handshake: 9. */
#define WHORL_WORDS 1
#define WHORL_TRANSITIONS 8
#define WHORL_SITES 2
#define WHORL_SITE_KINDS {0, 1, 0}

#include "model/context.h"

static int pc(const whorl_state *s, int pid) { return (int)(s->words[0] >> (8 * pid) & 0xff); }

static void jump(whorl_state *s, int pid, int to) {
  s->words[0] = (s->words[0] & ~((uint64_t)0xff << (8 * pid))) | (uint64_t)to << (8 * pid);
}

static void whorl_initial(whorl_context *c, whorl_state *s) {
  (void)c;
  (void)s;
}

static int whorl_processes(const whorl_state *s) {
  (void)s;
  return 2;
}

static bool whorl_valid_end(const whorl_state *s) {
  (void)s;
  return false;
}

static void steps_of_first(whorl_context *c, const whorl_state *s) {
  int at = pc(s, 0);
  if (at < 3) {
    whorl_reserve(c);
    c->states[c->count] = *s;
    jump(&c->states[c->count], 0, at + 1);
    if (at == 1) c->failure = 0;
    whorl_commit(c, 0, at, WHORL_NOBODY, -1, at == 2 ? WHORL_NOBODY : 0);
  } else if (at == 3) {
    whorl_divisor(c, 0, 1);
    whorl_commit_fault(c, 0, 3, WHORL_NOBODY, -1);
  }
}

static void steps_of_second(whorl_context *c, const whorl_state *s) {
  int at = pc(s, 1);
  bool handshake = at == 2 && pc(s, 0) == 3;
  if (at >= 2 && !handshake) return;
  whorl_reserve(c);
  c->states[c->count] = *s;
  jump(&c->states[c->count], 1, at + 1);
  if (handshake) jump(&c->states[c->count], 0, 4);
  whorl_commit(c, 1, at + 4, handshake ? 0 : WHORL_NOBODY, handshake ? 7 : -1, WHORL_NOBODY);
}

static void whorl_steps(whorl_context *c, const whorl_state *s, int first, int last) {
  if (last >= 1) steps_of_second(c, s);
  if (first <= 0) steps_of_first(c, s);
}

#include "model/expand.h"

#include "search/verifier.h"
