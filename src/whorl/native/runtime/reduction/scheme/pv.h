/* `pv`, as in reduction/pv.py (Nalumasu and Gopalakrishnan, Figures 5 and 8): the search says whose step
 * is taken in phase 1, and takes everything where that ends (search/two_phase.h). */
#ifndef WHORL_SCHEME_PV_H
#define WHORL_SCHEME_PV_H

#include "reduction/safe.h"

#define WHORL_REDUCES 1
#define WHORL_TRIES_OTHERS 0
#define WHORL_LEAVES_OUT 0
#define WHORL_PROVISO 0
#define WHORL_LOOKS_AT_STACK 0
#define whorl_is_unfit(c) false
#define whorl_go_on(c, at, everyone) ((void)0)
#define whorl_asks_everyone(c, s) false

static inline bool whorl_choose(whorl_context *c, const whorl_state *s) {
  (void)s;
  whorl_keep(c, whorl_all_but(c->avoid));
  return false;
}

#endif
