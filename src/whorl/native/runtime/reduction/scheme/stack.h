/* What schemes that look at the stack have in common (by_stack.h). */
#ifndef WHORL_SCHEME_STACK_H
#define WHORL_SCHEME_STACK_H

#include "reduction/candidates.h"

#define WHORL_REDUCES 1
#define WHORL_TRIES_OTHERS 0
#define WHORL_LEAVES_OUT 0
#define WHORL_PROVISO 0
#define WHORL_LOOKS_AT_STACK 1
#define whorl_is_unfit(c) false
#define whorl_go_on(c, at, everyone) ((void)0)
#define whorl_asks_everyone(c, s) false

/* The product has tried the candidates, and says by c->avoid which one it has chosen. */
static inline bool whorl_choose(whorl_context *c, const whorl_state *s) {
  (void)s;
  whorl_keep(c, whorl_all_but(c->avoid));
  return false;
}

#endif
