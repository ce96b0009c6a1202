/* `static`, as in reduction/static.py: ample sets without sticky transitions, which are on every
 * control-flow cycle. With selective caching a run goes on by steps that are not sticky. */
#ifndef WHORL_SCHEME_STATIC_H
#define WHORL_SCHEME_STATIC_H

#include "reduction/alone.h"
#include "reduction/candidates.h"

#define WHORL_REDUCES 1
#define WHORL_TRIES_OTHERS 1
#define WHORL_LEAVES_OUT WHORL_SELECTIVE
#ifndef WHORL_PROVISO
#define WHORL_PROVISO 0
#endif
#define WHORL_LOOKS_AT_STACK 0

static inline bool whorl_choose(whorl_context *c, const whorl_state *s) {
  return whorl_keep_best(c, s);
}

static inline bool whorl_is_unfit(const whorl_context *c) { return whorl_stops_others(c); }

static inline void whorl_go_on(whorl_context *c, uint32_t at, bool everyone) {
  whorl_go_on_alone(c, at, everyone);
}

static inline bool whorl_asks_everyone(const whorl_context *c, const whorl_state *s) {
  (void)s;
  return whorl_some(c->avoid);
}

#endif
