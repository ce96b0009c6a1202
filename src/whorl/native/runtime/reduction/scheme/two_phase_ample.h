/* `two-phase-ample`, as in reduction/two_phase_ample.py: phase 1 of Two phase, and where it ends an ample
 * set. For formulas neither that nor phase 1 after it has a sticky transition: so a cycle of proper ample
 * sets would have none at all, and every control-flow cycle has. For safety there is the proviso of visited
 * states, but where the order of the search must not matter (two_phase_ample_any_order.h). */
#ifndef WHORL_SCHEME_TWO_PHASE_AMPLE_H
#define WHORL_SCHEME_TWO_PHASE_AMPLE_H

#include "reduction/candidates.h"
#include "reduction/phase_1.h"

#define WHORL_REDUCES 1
#define WHORL_TRIES_OTHERS 1
#define WHORL_LEAVES_OUT 1
#ifndef WHORL_PROVISO
#ifdef WHORL_CLAIM_STATES
#define WHORL_PROVISO 0
#else
#define WHORL_PROVISO 1
#endif
#endif
#define WHORL_LOOKS_AT_STACK 0

static inline bool whorl_choose(whorl_context *c, const whorl_state *s) {
  return whorl_keep_best(c, s);
}

static inline bool whorl_is_unfit(const whorl_context *c) {
  return (!WHORL_PROVISO && c->sticky) || whorl_stops_others(c);
}

static inline void whorl_go_on(whorl_context *c, uint32_t at, bool everyone) {
  whorl_phase_1(c, at, everyone);
}

static inline bool whorl_asks_everyone(whorl_context *c, const whorl_state *s) {
  return whorl_phase_1_continues(c, s);
}

#endif
