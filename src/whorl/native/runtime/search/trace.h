/* Breadth first: what failed in a level, and the way there, by least states (levels.h).
 *
 * Everybody is at the barrier at which the level ends. */
#ifndef WHORL_TRACE_H
#define WHORL_TRACE_H

#include "search/crew.h"

/* Looks for the least state, of those that are claimed, from which a run leads to the target. */
static void whorl_look_back(whorl_search *s) {
  whorl_crew *crew = s->crew;
  whorl_kind kind = whorl_stored_as(s);
  whorl_claim claim = {NULL, 0, 0, 0, 0};
  whorl_source source;
  s->leads = false;
  for (uint32_t i = 0; i < crew->count; i++)
    while (whorl_log_claim(&crew->workers[(s->number + i) % crew->count]->log, kind, &claim))
      while (whorl_claim_has(&claim)) {
        whorl_claim_take(&claim, &s->visited, kind, 0, &source);
        if (s->leads && whorl_order_states(source.state, &s->nearest.state) > 0) continue;
        if (whorl_trail_step(&s->batches[0].contexts[0], source.state, &crew->target) < 0) continue;
        s->nearest.state = *source.state;
        s->leads = true;
      }
}

/* The least state of a level from which a run leads to the target. */
static void whorl_step_back(whorl_search *s, uint32_t level, whorl_state *found) {
  whorl_crew *crew = s->crew;
  uint64_t ends[WHORL_MOST_THREADS];
  for (uint32_t i = 0; i < crew->count; i++) {
    whorl_log *log = &crew->workers[i]->log;
    ends[i] = log->end;
    atomic_store_explicit(&log->claimed, log->begins[level], memory_order_relaxed);
    log->end = log->begins[level + 1];
  }
  whorl_all_do(s, whorl_look_back);
  const whorl_search *best = NULL;
  for (uint32_t i = 0; i < crew->count; i++) {
    const whorl_search *other = crew->workers[i];
    crew->workers[i]->log.end = ends[i];
    if (!other->leads) continue;
    if (!best || whorl_order_states(&other->nearest.state, &best->nearest.state) < 0) best = other;
  }
  assert(best);
  if (best) *found = best->nearest.state;
}

/* Prints a failure of this level, and the way there. */
static void whorl_tell_failure(whorl_search *s, const whorl_failure *failure) {
  whorl_crew *crew = s->crew;
  uint32_t level = crew->level;
  size_t size = (level + 1) * sizeof(whorl_state);
  whorl_state *way = (whorl_state *)whorl_taken(size);
  way[level] = failure->state;
  for (uint32_t at = level; at-- > 0;) {
    crew->target = way[at + 1];
    whorl_step_back(s, at, &way[at]);
  }
  whorl_context *c = &s->batches[0].contexts[0];
  bool first = true, endless;
  pthread_mutex_lock(&crew->printing);
  s->telling = true;
  printf("{\"type\":\"violation\",\"site\":%" PRId32 ",\"choices\":[", failure->site);
  for (uint32_t at = 0; at < level; at++)
    whorl_trail_run(c, whorl_trail_step(c, &way[at], &way[at + 1]), &first);
  if (failure->step >= 0) {
    c->avoid = failure->avoid;
    whorl_expand(c, &way[level], &endless);
    whorl_trail_run(c, failure->step, &first);
  }
  printf("]}\n");
  fflush(stdout);
  s->telling = false;
  pthread_mutex_unlock(&crew->printing);
  whorl_given_back(way, size);
}

/* Tells what failed in this level, if anything did. Whether the search is to end for it. */
static bool whorl_tell_level(whorl_search *s) {
  whorl_crew *crew = s->crew;
  whorl_failures *all = &crew->workers[0]->failures;
  for (uint32_t i = 1; i < crew->count; i++) {
    whorl_failures *others = &crew->workers[i]->failures;
    for (uint32_t j = 0; j < others->count; j++) whorl_failures_add(all, &others->entries[j]);
    others->count = 0;
  }
  if (all->count == 0) return false;
  if (!s->options.all_errors) {
    whorl_tell_failure(s, whorl_failures_first(all));
    return true;
  }
  for (; all->count > 0; all->count--) {
    whorl_failure *next = (whorl_failure *)whorl_failures_first(all);
    uint8_t *reported = whorl_main_search(s)->reported;
    reported[next->site == WHORL_NO_SITE ? WHORL_SITES : next->site] = 1;
    whorl_tell_failure(s, next);
    *next = all->entries[all->count - 1];
  }
  return false;
}

#endif
