/* What a search tells while it goes on: its progress, and violations.
 *
 * Of several threads only one prints at a time, and progress has the figures of all. */
#ifndef WHORL_TELL_H
#define WHORL_TELL_H

#include "search/trail.h"

#if WHORL_THREADS
#include "search/barrier.h"

/* The figures of all. Whether it is one's turn to print them; then nobody else prints. */
static bool whorl_tell_progress(whorl_search *s, double now, uint64_t *states,
                                uint64_t *transitions, size_t *committed) {
  whorl_search *first = whorl_main_search(s);
  if (pthread_mutex_trylock(&s->crew->printing)) return false;
  if (now - first->told_by_any <= WHORL_PROGRESS_SECONDS) {
    pthread_mutex_unlock(&s->crew->printing);
    return false;
  }
  first->told_by_any = now;
  for (uint32_t i = 0; i < s->crew->count; i++) {
    whorl_search *other = s->crew->workers[i];
    if (other == s) continue;
    *states += atomic_load_explicit(&other->told_states, memory_order_relaxed);
    *transitions += atomic_load_explicit(&other->told_transitions, memory_order_relaxed);
  }
  *committed = first->account.committed;
  return true;
}
#endif

/* Begins to tell of a run that the claim accepts. Of several threads one does so at a time; `last`: the
 * search ends with it. Whether to go on: not where the search has ended already. */
static inline bool whorl_begin_telling(whorl_search *s, bool last) {
#if WHORL_THREADS
  if (last && !whorl_stop_all(s, WHORL_STOP_VIOLATION)) {
    s->stopped = (whorl_stop)atomic_load(&s->crew->stop);
    return false;
  }
  pthread_mutex_lock(&s->crew->printing);
#else
  (void)s, (void)last;
#endif
  return true;
}

/* Whether a site has not been told of; from now on it has. */
static inline bool whorl_is_first_at(whorl_search *s, int32_t site) {
  whorl_search *teller = s;
#if WHORL_THREADS
  teller = whorl_main_search(s);
  pthread_mutex_lock(&s->crew->printing);
#endif
  bool first = !teller->reported[site];
  teller->reported[site] = 1;
#if WHORL_THREADS
  pthread_mutex_unlock(&s->crew->printing);
#endif
  return first;
}

static inline void whorl_end_telling(whorl_search *s) {
#if WHORL_THREADS
  pthread_mutex_unlock(&s->crew->printing);
#else
  (void)s;
#endif
}

static void whorl_progress(whorl_search *s, double now) {
  s->told = now;
  uint64_t states = s->states, transitions = s->transitions;
  size_t committed = s->account.committed;
#if WHORL_THREADS
  if (!whorl_tell_progress(s, now, &states, &transitions, &committed)) return;
#endif
  printf("{\"type\":\"progress\",\"states\":%" PRIu64 ",\"transitions\":%" PRIu64
         ",\"depth\":%" PRIu32 ",\"seconds\":%.3f,\"memory_bytes\":%zu}\n",
         states, transitions, s->depth, now - s->started, committed);
  fflush(stdout);
#if WHORL_THREADS
  pthread_mutex_unlock(&s->crew->printing);
#endif
}

/* Prints a violation, and ends the search unless it is to go on. */
static void whorl_tell_violation(whorl_search *s, int32_t site, uint32_t ref, int32_t step,
                                 whorl_pids avoid, uint32_t depth) {
  printf("{\"type\":\"violation\",\"site\":%" PRId32 ",\"choices\":[", site);
  s->telling = true;
  if (ref != WHORL_NO_REF)
    whorl_trail(&s->frontier, WHORL_CHOSEN(s->options.store), &s->visited, ref, step, avoid);
  printf("]}\n");
  s->telling = false;
  fflush(stdout);
  if (s->options.all_errors) return;
  s->failed = s->options.order == WHORL_BFS && s->options.end_states && site != WHORL_NO_SITE;
  s->failed_depth = depth;
  if (s->failed) return;
  s->stopped = WHORL_STOP_VIOLATION;
#if WHORL_THREADS
  whorl_stop_all(s, WHORL_STOP_VIOLATION);
#endif
}

/* Whether a violation for which the search ends has been told by somebody else. */
static inline bool whorl_told_already(const whorl_search *s) {
#if WHORL_THREADS
  return atomic_load(&s->crew->stop) == WHORL_STOP_VIOLATION;
#else
  (void)s;
  return false;
#endif
}

/* A failing site, or WHORL_NO_SITE for an invalid end state, after steps[step] of a source's
 * expansion. Out of line: it happens once.
 *
 * Breadth first, a run that fails goes one further than to the state that it begins in. So the search
 * goes on among the states of the same depth: an invalid end state there is nearer, and is printed
 * after it. Of what is printed the last one counts. */
static __attribute__((noinline)) void whorl_violation(whorl_search *s, int32_t site, uint32_t ref,
                                                      int32_t step, whorl_pids avoid,
                                                      uint32_t depth) {
  if (site == WHORL_NO_SITE ? !s->options.end_states
                            : whorl_site_kinds[site] == 0 && !s->options.assertions)
    return;
  whorl_search *teller = s;
#if WHORL_THREADS
  teller = whorl_main_search(s);
  if (ref != WHORL_NO_REF && whorl_by_levels(s)) {
    whorl_failure failure = {*s->failing, avoid, site, step, s->failed_so_far++, 0};
    if (!teller->reported[site == WHORL_NO_SITE ? WHORL_SITES : site])
      whorl_failures_add(&s->failures, &failure);
    return;
  }
  pthread_mutex_lock(&s->crew->printing);
#endif
  uint8_t *reported = &teller->reported[site == WHORL_NO_SITE ? WHORL_SITES : site];
  if (!*reported && !(s->failed && site != WHORL_NO_SITE) && !whorl_told_already(s)) {
    *reported = 1;
    whorl_tell_violation(s, site, ref, step, avoid, depth);
  }
#if WHORL_THREADS
  pthread_mutex_unlock(&s->crew->printing);
#endif
}

/* With several threads failures are told by state and by their order there. */
static inline void whorl_begin_failures(whorl_search *s, const whorl_source *source) {
#if WHORL_THREADS
  s->failing = source->state;
  s->failed_so_far = 0;
#else
  (void)s, (void)source;
#endif
}

/* A run that ends in a state where it may not. */
static __attribute__((noinline)) void whorl_invalid_end(whorl_search *s,
                                                        const whorl_source *source) {
  whorl_begin_failures(s, source);
  whorl_violation(s, WHORL_NO_SITE, source->ref, -1, whorl_nobody(), source->depth);
}

/* The same, of every site where something fails in steps[step]: in the order in which they were met. */
static __attribute__((noinline)) void whorl_violations(whorl_search *s, const whorl_context *c,
                                                       int32_t step, const whorl_source *source) {
  const whorl_step *failing = &c->steps[step];
  uint32_t ref = source->ref, depth = source->depth;
  whorl_pids avoid = c->avoid;
  int32_t next = failing->further;
  whorl_begin_failures(s, source);
  if (!failing->fault) whorl_violation(s, failing->site, ref, step, avoid, depth);
  for (; next != WHORL_NO_SITE && !s->stopped; next = c->further[next].next)
    whorl_violation(s, c->further[next].site, ref, step, avoid, depth);
  if (failing->fault && !s->stopped) whorl_violation(s, failing->site, ref, step, avoid, depth);
}

#endif
