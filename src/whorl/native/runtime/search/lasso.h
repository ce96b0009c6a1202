/* Prints a lasso: a way through the product that comes back to itself, as choices that another
 * interpreter can follow.
 *
 * A way is a row of nodes. Between two of them the first is expanded again, and the edge to the
 * second gives the steps; where fairness counts, one that meets what the search relied on.
 */
#ifndef WHORL_LASSO_H
#define WHORL_LASSO_H

#include "search/product.h"

/* A node on the way, and the conditions that the edge to it has to meet. */
typedef struct {
  whorl_node node;
  whorl_marks marks;
} whorl_waypoint;

typedef struct {
  whorl_waypoint *points;
  uint64_t count;
  uint64_t capacity;
} whorl_way;

static void whorl_way_add(whorl_way *w, whorl_node node, whorl_marks marks) {
  if (w->count == w->capacity) {
    uint64_t after = w->capacity ? 2 * w->capacity : 1024;
    w->points = (whorl_waypoint *)whorl_grown(w->points, w->capacity * sizeof *w->points,
                                              after * sizeof *w->points);
    w->capacity = after;
  }
  w->points[w->count].node = node & ~WHORL_ENTERED; /* with its flag, which its marks depend on */
  w->points[w->count++].marks = marks;
}

/* The nodes that have been entered: the way to the one entered last. */
static void whorl_way_entered(const whorl_product *p, whorl_way *w) {
  for (uint64_t i = 0; i < p->height; i++)
    if (p->stack[i] & WHORL_ENTERED) whorl_way_add(w, p->stack[i], 0);
}

/* Prints the run of an edge from `from` to `to`; how many choices it has. */
static uint64_t whorl_way_step(whorl_product *p, whorl_node from, const whorl_waypoint *to,
                               bool *first) {
  whorl_expand_any(p, from);
  for (uint32_t i = 0; i < p->edge_count; i++) {
    const whorl_edge *edge = &p->edges[i];
    if (((edge->node ^ to->node) & WHORL_IDENTITY) || (to->marks & ~edge->marks)) continue;
    uint64_t length = 0;
    for (int32_t at = edge->step; at >= 0; at = p->context.steps[at].from) length++;
    if (length) whorl_trail_run(&p->context, edge->step, first);
    return length;
  }
  assert(!"a node is not a successor of the one before it");
  return 0;
}

#define WHORL_OF_CLAIM (-2)

/* Says that a run is wrong: the way, which ends where its point number `loop` is; or, where the
 * claim has come to its end or a proposition has none, no further than its last point. */
static void whorl_lasso(whorl_product *p, const whorl_way *w, uint64_t loop, int32_t site) {
  uint64_t choices = 0, at_loop = 0;
  bool first = true, last = site < 0 || !p->search->options.all_errors;
  if (!whorl_begin_telling(p->search, last)) return;
  p->retraces = true;
  printf("{\"type\":\"violation\",\"site\":%" PRId32 ",\"choices\":[", site);
  p->search->telling = true;
  for (uint64_t i = 0; i + 1 < w->count; i++) {
    if (i == loop) at_loop = choices;
    choices += whorl_way_step(p, w->points[i].node, &w->points[i + 1], &first);
  }
  if (loop == UINT64_MAX)
    printf("],\"loop\":null}\n");
  else
    printf("],\"loop\":%" PRIu64 "}\n", at_loop);
  p->search->telling = false;
  fflush(stdout);
  p->retraces = false;
  p->search->stopped = WHORL_STOP_VIOLATION;
  whorl_end_telling(p->search);
}

/* The claim has come to its end in the node entered last, or, at `site`, a proposition has no value
 * there. The latter is told once for each site, and may be gone on from. */
static __attribute__((noinline)) void whorl_report_end(whorl_product *p, int32_t site) {
  whorl_search *search = p->search;
  if (site >= 0 && !whorl_is_first_at(search, site)) return;
  whorl_way way = {NULL, 0, 0};
  whorl_way_entered(p, &way);
  whorl_lasso(p, &way, UINT64_MAX, site);
  whorl_given_back(way.points, way.capacity * sizeof *way.points);
  p->edge_count = 0;
  p->fault = WHORL_NO_SITE;
  if (site >= 0 && search->options.all_errors) search->stopped = WHORL_COMPLETE;
}

/* Whether the node entered last is one to go on from. */
static inline bool whorl_may_go_on(whorl_product *p) {
  if (!whorl_product_goes_on(p) || !whorl_product_reserve(p)) return false;
  if (p->ends) whorl_report_end(p, WHORL_OF_CLAIM);
  if (WHORL_FAULTY && p->fault != WHORL_NO_SITE) whorl_report_end(p, p->fault);
  return !p->search->stopped;
}

/* What has been entered, and an edge from there back to `node`, which is on that way: if it is there
 * twice, entered by both searches, the second counts. */
static __attribute__((noinline)) void whorl_report_cycle(whorl_product *p, whorl_node node) {
  whorl_way way = {NULL, 0, 0};
  whorl_way_entered(p, &way);
  uint64_t loop = way.count - 1;
  while ((way.points[loop].node ^ node) & WHORL_IDENTITY) loop--;
  whorl_way_add(&way, node, 0);
  whorl_lasso(p, &way, loop, WHORL_OF_CLAIM);
  whorl_given_back(way.points, way.capacity * sizeof *way.points);
}

#endif
