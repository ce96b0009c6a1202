/* `two-phase`, as in reduction/two_phase.py (Nalumasu and Gopalakrishnan, Figures 5 and 8): the step of
 * phase 1, or everything where phase 1 ends. With selective caching only these states are stored. */
#ifndef WHORL_SCHEME_TWO_PHASE_H
#define WHORL_SCHEME_TWO_PHASE_H

#include "reduction/phase_1.h"

#define WHORL_REDUCES 1
#define WHORL_TRIES_OTHERS 0
#define WHORL_LEAVES_OUT WHORL_SELECTIVE
#define WHORL_PROVISO 0
#define WHORL_LOOKS_AT_STACK 0
#define whorl_is_unfit(c) false

static inline bool whorl_choose(whorl_context *c, const whorl_state *s) {
  if (!WHORL_SELECTIVE) whorl_keep_phase_1(c, s);
  return false;
}

static inline void whorl_go_on(whorl_context *c, uint32_t at, bool everyone) {
  whorl_phase_1(c, at, everyone);
}

static inline bool whorl_asks_everyone(whorl_context *c, const whorl_state *s) {
  return whorl_phase_1_continues(c, s);
}

#endif
