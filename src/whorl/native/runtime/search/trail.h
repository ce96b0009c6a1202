/* The way to a state, as choices that another interpreter can follow.
 *
 * The frontier gives the states on the way, one for each run. Between two of them the parent is
 * expanded again, and the first run that ends in the child is taken; its steps are the choices.
 */
#ifndef WHORL_TRAIL_H
#define WHORL_TRAIL_H

#include "model/expand.h"
#include "search/frontier.h"
#include "search/json.h"

/* The steps of the run that ends with steps[last]. */
static void whorl_trail_run(const whorl_context *c, int32_t last, bool *first) {
  int32_t length = 0;
  for (int32_t i = last; i >= 0; i = c->steps[i].from) length++;
  int32_t *run = (int32_t *)whorl_taken((size_t)length * sizeof *run);
  for (int32_t i = last, at = length; i >= 0; i = c->steps[i].from) run[--at] = i;
  for (int32_t at = 0; at < length; at++) {
    if (!*first) putchar(',');
    *first = false;
    whorl_json_choice(stdout, &c->steps[run[at]]);
  }
  whorl_given_back(run, (size_t)length * sizeof *run);
}

/* Which step of an expansion ends a run in `state`. */
static int32_t whorl_trail_find(const whorl_context *c, const whorl_state *state) {
  for (uint32_t i = 0; i < c->count; i++)
    if (!c->steps[i].passed && !c->steps[i].fault &&
        memcmp(&c->states[i], state, sizeof *state) == 0) /* with C data that is not compared */
      return (int32_t)i;
  return -1;
}

/* The run from a state that ends in another one. The state is expanded as the search did: with a
 * proviso perhaps several times. None (-1) if the C of a model goes by more than the state. */
static int32_t whorl_trail_step(whorl_context *c, const whorl_state *from, const whorl_state *to) {
  bool endless;
  c->avoid = whorl_nobody();
  for (;;) {
    whorl_expand(c, from, &endless);
    int32_t found = whorl_trail_find(c, to);
    if (found >= 0 || !whorl_some(c->ample)) return found;
    whorl_avoid_more(c);
  }
}

/* Prints the choices from the initial state to `ref`, and from there to steps[last] of its
 * expansion, or no further where `last` is -1. That one was expanded without the steps of `avoid`. */
static void whorl_trail(const whorl_frontier *f, whorl_kind kind, const whorl_visited *v,
                        uint32_t ref, int32_t last, whorl_pids avoid) {
  uint64_t length = 0;
  for (uint32_t r = ref; r != WHORL_NO_REF; r = whorl_frontier_parent(f, kind, v, r)) length++;
  uint32_t *path = (uint32_t *)whorl_taken(length * sizeof *path);
  uint64_t at = length;
  for (uint32_t r = ref; r != WHORL_NO_REF; r = whorl_frontier_parent(f, kind, v, r))
    path[--at] = r;

  whorl_context c;
  whorl_source source, next;
  bool endless, first = true;
  whorl_context_init(&c, NULL);
  for (uint64_t i = 0; i < length; i++) {
    whorl_frontier_state(f, kind, v, path[i], &source);
    if (i + 1 < length) {
      whorl_frontier_state(f, kind, v, path[i + 1], &next);
      whorl_trail_run(&c, whorl_trail_step(&c, source.state, next.state), &first);
    } else if (last >= 0) {
      c.avoid = avoid;
      whorl_expand(&c, source.state, &endless);
      whorl_trail_run(&c, last, &first);
    }
  }
  whorl_context_free(&c);
  whorl_given_back(path, length * sizeof *path);
}

#endif
