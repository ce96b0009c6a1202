/* `sleep`, as in reduction/sleep.py (Godefroid, Figure 5.2): all steps but those that sleep. The search says
 * which these are (search/sleep.h). */
#ifndef WHORL_SCHEME_SLEEP_H
#define WHORL_SCHEME_SLEEP_H

#include "reduction/sleep_sets.h"

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
  whorl_keep_awake(c);
  return false;
}

#endif
