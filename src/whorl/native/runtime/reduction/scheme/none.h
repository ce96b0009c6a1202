/* Every step is taken, every state is stored. */
#ifndef WHORL_SCHEME_NONE_H
#define WHORL_SCHEME_NONE_H

#define WHORL_REDUCES 0
#define WHORL_TRIES_OTHERS 0
#define WHORL_LEAVES_OUT 0
#define WHORL_PROVISO 0
#define WHORL_LOOKS_AT_STACK 0
#define whorl_choose(c, s) false
#define whorl_is_unfit(c) false
#define whorl_go_on(c, at, everyone) ((void)0)
#define whorl_asks_everyone(c, s) false

#endif
