/* Writes the graph that a search stores: for the audit, which compares it with the full one.
 *
 * Only a verifier that is compiled with WHORL_GRAPH has this. A line for each source as it is
 * expanded, then one for each run from there:
 *
 *   s STATE [LETTER]     a source; the letter where there is a claim
 *   r STATE CHOICE...    a run to another stored state
 *   x CHOICE...          a run whose last step faults
 *   z                    there are runs, and all of them sleep (sleep.h)
 *   f SITE CHOICE...     a run whose last step fails or faults at a site; other lines say how it goes on
 *
 * A state is its words in hexadecimal, a choice is four numbers as in a trail. A source that is
 * expanded several times has several lines: its edges are all of them. Several threads write to one
 * file; what belongs to a source is written between whorl_graph_begin and whorl_graph_end, by one of them.
 */
#ifndef WHORL_GRAPH_H
#define WHORL_GRAPH_H

#include <inttypes.h>
#include <stdio.h>

#include "model/context.h"

static inline void whorl_graph_begin(FILE *out) {
#if WHORL_THREADS
  flockfile(out);
#else
  (void)out;
#endif
}

static inline void whorl_graph_end(FILE *out) {
#if WHORL_THREADS
  funlockfile(out);
#else
  (void)out;
#endif
}

static void whorl_graph_state(FILE *out, char kind, const whorl_state *s) {
  fprintf(out, "%c ", kind);
  for (int i = 0; i < WHORL_MATCHED; i++) fprintf(out, "%016" PRIx64, s->words[i]);
}

/* The choices of the run that ends with steps[last], the first one first. */
static void whorl_graph_run(FILE *out, const whorl_context *c, int32_t last) {
  const whorl_step *step = &c->steps[last];
  if (step->from >= 0) whorl_graph_run(out, c, step->from);
  fprintf(out, " %d %" PRId32 " %d %" PRId32, step->pid, step->transition, step->partner,
          step->partner_transition);
}

/* A site where something fails in steps[at]. */
static void whorl_graph_failure(FILE *out, const whorl_context *c, int32_t at, int32_t site) {
  fprintf(out, "f %" PRId32, site);
  whorl_graph_run(out, c, at);
  putc('\n', out);
}

/* The runs from a source, which are in the context. */
static void whorl_graph_runs(FILE *out, const whorl_context *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    const whorl_step *step = &c->steps[i];
    if (step->site != WHORL_NO_SITE) {
      whorl_graph_failure(out, c, (int32_t)i, step->site);
      for (int32_t next = step->further; next != WHORL_NO_SITE; next = c->further[next].next)
        whorl_graph_failure(out, c, (int32_t)i, c->further[next].site);
    }
    if (step->passed) continue;
    if (step->fault)
      putc('x', out);
    else
      whorl_graph_state(out, 'r', &c->states[i]);
    whorl_graph_run(out, c, (int32_t)i);
    putc('\n', out);
  }
}

#endif
