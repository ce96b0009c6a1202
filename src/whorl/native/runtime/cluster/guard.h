/* Calls into a partition end with a code, whatever happens: a library must not end its process.
 *
 * Memory may be refused in the middle of anything, and an atomic sequence may take longer than there
 * is time. A verifier then prints its figures and exits (stop.h). Here the call that is under way
 * returns with the reason, from wherever it is. After that the partition's figures can be had, and
 * nothing else: every other call returns the same reason at once.
 */
#ifndef WHORL_GUARD_H
#define WHORL_GUARD_H

#include <setjmp.h>

#include "search/search.h"

#define WHORL_STOP_BROKEN 100 /* beyond the codes of stop.h: what cannot be has happened */

static whorl_search whorl_the_search; /* zeroed; what a partition has in common with a search */
static jmp_buf whorl_way_out;

/* For whorl_at_stop. */
static void whorl_leave(whorl_stop why) {
  whorl_the_search.stopped = why;
  longjmp(whorl_way_out, 1);
}

/* For whorl_should_stop: in the middle of an expansion. */
static whorl_stop whorl_look_at_time(void) {
  const whorl_search *s = &whorl_the_search;
  if (whorl_interrupted) return WHORL_STOP_INTERRUPTED;
  return whorl_now() - s->started > s->options.seconds ? WHORL_STOP_TIME : WHORL_COMPLETE;
}

static void whorl_guard_init(void) {
  whorl_at_stop = whorl_leave;
  whorl_should_stop = whorl_look_at_time;
}

/* How a call begins. Its variables must not be needed once it was left. */
#define WHORL_GUARDED                                                     \
  do {                                                                    \
    if (whorl_the_search.stopped) return (int)whorl_the_search.stopped;   \
    if (setjmp(whorl_way_out) != 0) return (int)whorl_the_search.stopped; \
  } while (0)

#endif
