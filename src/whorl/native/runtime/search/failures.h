/* Violations of safety in a search of the product: for reductions that need the stack of a recursive
 * search (dfs_po) or are a search of their own (pv). The claim then looks at nothing, so that the
 * product is the program.
 */
#ifndef WHORL_FAILURES_H
#define WHORL_FAILURES_H

#include "search/lasso.h"

/* A run of an expansion, as far as a step, before the context is used for anything else. */
typedef struct {
  whorl_step *steps;
  uint32_t count;
} whorl_failing;

static whorl_failing whorl_failing_run(const whorl_context *c, int32_t last) {
  whorl_failing run = {NULL, 0};
  for (int32_t i = last; i >= 0; i = c->steps[i].from) run.count++;
  run.steps = (whorl_step *)whorl_taken((run.count + 1) * sizeof *run.steps);
  uint32_t at = run.count;
  for (int32_t i = last; i >= 0; i = c->steps[i].from) run.steps[--at] = c->steps[i];
  return run;
}

static bool whorl_counts(whorl_search *s, int32_t site) {
  if (site == WHORL_NO_SITE) return s->options.end_states && !s->reported[WHORL_SITES];
  return (whorl_site_kinds[site] != 0 || s->options.assertions) && !s->reported[site];
}

/* Says that something fails at the end of a run from the node entered last. */
static __attribute__((noinline)) void whorl_report_failure(whorl_product *p, int32_t site,
                                                           const whorl_failing *run) {
  whorl_search *search = p->search;
  whorl_way way = {NULL, 0, 0};
  bool first = true;
  search->reported[site == WHORL_NO_SITE ? WHORL_SITES : site] = 1;
  whorl_way_entered(p, &way);
  p->retraces = search->telling = true;
  printf("{\"type\":\"violation\",\"site\":%" PRId32 ",\"choices\":[", site);
  for (uint64_t i = 0; i + 1 < way.count; i++)
    whorl_way_step(p, way.points[i].node, &way.points[i + 1], &first);
  for (uint32_t i = 0; i < run->count; i++) {
    if (!first) putchar(',');
    first = false;
    whorl_json_choice(stdout, &run->steps[i]);
  }
  printf("]}\n");
  fflush(stdout);
  p->retraces = search->telling = false;
  whorl_given_back(way.points, way.capacity * sizeof *way.points);
  if (!search->options.all_errors) search->stopped = WHORL_STOP_VIOLATION;
}

/* The sites where something fails in a step, in the order in which they were met. */
static uint32_t whorl_sites_of(const whorl_context *c, const whorl_step *step, int32_t *sites) {
  uint32_t count = 0;
  if (!step->fault) sites[count++] = step->site;
  for (int32_t next = step->further; next != WHORL_NO_SITE; next = c->further[next].next)
    if (count <= WHORL_SITES) sites[count++] = c->further[next].site;
  if (step->fault) sites[count++] = step->site;
  return count;
}

/* Reports what fails in one of the steps that were taken from the node entered last. Whether there
 * may be more: the way was gone again, and the node has to be expanded again to see. */
static bool whorl_report_one(whorl_product *p) {
  const whorl_context *c = &p->context;
  int32_t sites[WHORL_SITES + 2];
  for (uint32_t i = 0; i < c->count; i++) {
    if (__builtin_expect(c->steps[i].site == WHORL_NO_SITE, 1)) continue;
    uint32_t count = whorl_sites_of(c, &c->steps[i], sites);
    for (uint32_t k = 0; k < count; k++) {
      if (!whorl_counts(p->search, sites[k])) continue;
      whorl_pids avoid = c->avoid;
      whorl_failing run = whorl_failing_run(c, (int32_t)i);
      whorl_report_failure(p, sites[k], &run);
      whorl_given_back(run.steps, (run.count + 1) * sizeof *run.steps);
      p->context.avoid = avoid;
      return !p->search->stopped;
    }
  }
  return false;
}

/* Looks at what was taken from the node entered last: what fails, or that nothing could be. Its
 * edges are on the stack already. */
static inline void whorl_look_for_failures(whorl_product *p) {
  whorl_search *search = p->search;
  if (search->stopped || p->depth > search->options.max_depth) return;
  if (p->context.count == 0) {
    whorl_failing none = {NULL, 0};
    if (!whorl_valid_end(p->source.state) && whorl_counts(search, WHORL_NO_SITE))
      whorl_report_failure(p, WHORL_NO_SITE, &none);
    return;
  }
  uint64_t at = p->height;
  while (at > 0 && !(p->stack[at - 1] & WHORL_ENTERED)) at--;
  while (whorl_report_one(p)) {
    whorl_fetch(&p->states, WHORL_KIND, whorl_node_ref(p->stack[at - 1]), &p->source);
    whorl_expand_program(p);
  }
}

#endif
