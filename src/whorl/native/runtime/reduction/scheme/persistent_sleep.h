/* `persistent-sleep`, as in reduction/persistent_sleep.py: of a persistent set without sticky transitions all
 * steps but those that sleep. A set that sleeps as a whole will not do. In a state that is visited again
 * nothing is chosen. */
#ifndef WHORL_SCHEME_PERSISTENT_SLEEP_H
#define WHORL_SCHEME_PERSISTENT_SLEEP_H

#include "reduction/candidates.h"
#include "reduction/sleep_sets.h"

#define WHORL_REDUCES 1
#define WHORL_TRIES_OTHERS 1
#define WHORL_LEAVES_OUT 0
#define WHORL_PROVISO 0
#define WHORL_LOOKS_AT_STACK 0
#define whorl_go_on(c, at, everyone) ((void)0)
#define whorl_asks_everyone(c, s) false

static inline bool whorl_choose(whorl_context *c, const whorl_state *s) {
  if (!whorl_beds.again) whorl_keep_best(c, s);
  whorl_keep_awake(c);
  return false;
}

static inline bool whorl_is_unfit(const whorl_context *c) {
  return c->count == 0 || whorl_stops_others(c);
}

#endif
