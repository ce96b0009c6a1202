/* What the threads of a crew do together: barriers, work for those who have none, levels (crew.h). */
#ifndef WHORL_BARRIER_H
#define WHORL_BARRIER_H

#include "search/crew.h"

static inline whorl_search *whorl_main_search(const whorl_search *s) { return s->crew->workers[0]; }

static inline bool whorl_by_levels(const whorl_search *s) { return s->options.order == WHORL_BFS; }

static inline whorl_kind whorl_stored_as(const whorl_search *s) {
  return WHORL_CHOSEN(s->options.store);
}

/* Whether everybody is to come. */
static inline bool whorl_is_called(const whorl_search *s) {
  return atomic_load_explicit(&s->crew->call, memory_order_relaxed) != 0;
}

/* Ends the search; the first reason counts. Whether this is it. The lock is held. */
static bool whorl_stop_all_locked(whorl_crew *crew, whorl_stop why) {
  uint32_t none = WHORL_COMPLETE;
  bool first = atomic_compare_exchange_strong(&crew->stop, &none, (uint32_t)why);
  atomic_store(&crew->call, 1);
  pthread_cond_broadcast(&crew->changed);
  return first;
}

static bool whorl_stop_all(whorl_search *s, whorl_stop why) {
  pthread_mutex_lock(&s->crew->lock);
  bool first = whorl_stop_all_locked(s->crew, why);
  pthread_mutex_unlock(&s->crew->lock);
  return first;
}

/* All do something, while one presides. The lock is held, and is not while they are at it. */
static void whorl_all_do(whorl_search *s, void (*job)(whorl_search *s)) {
  whorl_crew *crew = s->crew;
  crew->job = job;
  crew->jobs++;
  crew->working = crew->count - 1;
  pthread_cond_broadcast(&crew->changed);
  pthread_mutex_unlock(&crew->lock);
  job(s);
  pthread_mutex_lock(&crew->lock);
  while (crew->working > 0) pthread_cond_wait(&crew->changed, &crew->lock);
}

#include "search/trace.h"

static void whorl_move_tables(whorl_search *s) {
  double began = whorl_now();
  whorl_visited_move_tables(&s->visited, whorl_stored_as(s));
  s->shares.moved += whorl_now() - began;
}

/* Breadth first, everything of this level has been expanded. */
static void whorl_end_level(whorl_search *s) {
  whorl_crew *crew = s->crew;
  uint64_t found = 0;
  if (whorl_tell_level(s)) {
    whorl_stop_all_locked(crew, WHORL_STOP_VIOLATION);
    return;
  }
  for (uint32_t i = 0; i < crew->count; i++) found += whorl_log_next_level(&crew->workers[i]->log);
  crew->level++;
  if (found == 0) crew->done = true;
}

/* The last one to come: makes room, and sees to the level. */
static void whorl_preside(whorl_search *s) {
  whorl_crew *crew = s->crew;
  whorl_visited *v = &s->visited;
  whorl_kind kind = whorl_stored_as(s);
  if (!whorl_visited_begin_growth(v, kind, crew->count)) {
    whorl_stop_all_locked(crew, WHORL_STOP_MEMORY);
  } else {
    if (whorl_visited_moves(v, kind)) whorl_all_do(s, whorl_move_tables);
    whorl_visited_end_growth(v, kind);
    whorl_visited_look(v, kind);
    if (whorl_by_levels(s) && crew->idle == crew->count) whorl_end_level(s);
  }
  crew->arrived = crew->idle = 0;
  if (!atomic_load(&crew->stop)) atomic_store(&crew->call, 0);
  crew->barrier++;
  pthread_cond_broadcast(&crew->changed);
}

/* Comes to a barrier. `idle`: there is nothing else to do; then others need not come before they have
 * nothing to do either. Whether the search goes on. */
static __attribute__((noinline)) bool whorl_attend(whorl_search *s, bool idle) {
  whorl_crew *crew = s->crew;
  double began = whorl_now() - s->shares.moved;
  pthread_mutex_lock(&crew->lock);
  if (!atomic_load(&crew->stop)) {
    whorl_visited_return(&s->visited, whorl_stored_as(s));
    crew->arrived++;
    crew->idle += idle;
    if (!idle && !atomic_exchange(&crew->call, 1)) pthread_cond_broadcast(&crew->changed);
    if (crew->arrived == crew->count) {
      whorl_preside(s);
    } else {
      uint64_t barrier = crew->barrier, jobs = crew->jobs;
      while (crew->barrier == barrier && !atomic_load(&crew->stop)) {
        if (crew->jobs == jobs) {
          pthread_cond_wait(&crew->changed, &crew->lock);
          continue;
        }
        jobs = crew->jobs;
        void (*job)(whorl_search *) = crew->job;
        pthread_mutex_unlock(&crew->lock);
        job(s);
        pthread_mutex_lock(&crew->lock);
        if (--crew->working == 0) pthread_cond_broadcast(&crew->changed);
      }
    }
    whorl_visited_look(&s->visited, whorl_stored_as(s));
  }
  pthread_mutex_unlock(&crew->lock);
  s->shares.waited += whorl_now() - s->shares.moved - began;
  s->stopped = (whorl_stop)atomic_load(&crew->stop);
  return !s->stopped;
}

/* Room for `more` states in the store; if need be after a barrier. */
static inline bool whorl_crew_lease(whorl_search *s, uint32_t more) {
  whorl_kind kind = whorl_stored_as(s);
  while (__builtin_expect(whorl_is_called(s) || !whorl_visited_lease(&s->visited, kind, more), 0))
    if (!whorl_attend(s, false)) return false;
  return true;
}

/* And in the frontier. */
static inline bool whorl_crew_reserve(whorl_search *s, uint32_t more) {
  if (!whorl_crew_lease(s, more)) return false;
  if (whorl_by_levels(s) ? whorl_log_reserve(&s->log, more)
                         : whorl_frontier_reserve(&s->frontier, whorl_stored_as(s), more))
    return true;
  s->stopped = WHORL_STOP_MEMORY;
  return false;
}

/* Whether one more state may be stored. */
static inline bool whorl_may_store(whorl_search *s) {
  if (__builtin_expect(s->options.max_states == UINT64_MAX, 1)) return true;
  uint64_t before = atomic_fetch_add_explicit(&s->crew->states, 1, memory_order_relaxed);
  return before < s->options.max_states;
}

/* Depth first: how many parcels are wanted. The lock is held. */
static inline void whorl_tell_hunger(whorl_crew *crew) {
  uint32_t hungry = crew->waiting > crew->parcel_count ? crew->waiting - crew->parcel_count : 0;
  atomic_store_explicit(&crew->hungry, hungry, memory_order_relaxed);
}

/* Depth first: whether somebody has no work. */
static inline bool whorl_is_wanted(const whorl_search *s) {
  return __builtin_expect(
      atomic_load_explicit(&s->crew->hungry, memory_order_relaxed) && !whorl_by_levels(s), 0);
}

/* Depth first: gives work to somebody who has none; NULL: there is nothing to give. */
static inline void whorl_give(whorl_search *s, whorl_parcel *parcel) {
  whorl_crew *crew = s->crew;
  if (!parcel) return;
  pthread_mutex_lock(&crew->lock);
  parcel->next = crew->parcels;
  crew->parcels = parcel;
  crew->parcel_count++;
  whorl_tell_hunger(crew);
  pthread_cond_broadcast(&crew->changed);
  pthread_mutex_unlock(&crew->lock);
}

/* Depth first: waits for a parcel; NULL: the search has come to its end, or is to stop. */
static whorl_parcel *whorl_wait_for_parcel(whorl_search *s) {
  whorl_crew *crew = s->crew;
  whorl_parcel *parcel = NULL;
  double began = whorl_now() - s->shares.waited - s->shares.moved;
  pthread_mutex_lock(&crew->lock);
  crew->waiting++;
  while (!atomic_load(&crew->stop) && !crew->done) {
    if ((parcel = crew->parcels)) {
      crew->parcels = parcel->next;
      crew->parcel_count--;
      break;
    }
    if (crew->waiting == crew->count) {
      crew->done = true;
      pthread_cond_broadcast(&crew->changed);
    } else if (whorl_is_called(s)) {
      pthread_mutex_unlock(&crew->lock);
      whorl_attend(s, false);
      pthread_mutex_lock(&crew->lock);
    } else {
      whorl_tell_hunger(crew);
      pthread_cond_wait(&crew->changed, &crew->lock);
    }
  }
  crew->waiting--;
  whorl_tell_hunger(crew);
  s->stopped = (whorl_stop)atomic_load(&crew->stop);
  pthread_mutex_unlock(&crew->lock);
  s->shares.idle += whorl_now() - s->shares.waited - s->shares.moved - began;
  return parcel;
}

/* There is nothing left to expand here. Whether there is by now. */
static bool whorl_more_work(whorl_search *s) {
  if (whorl_by_levels(s)) return whorl_attend(s, true) && !s->crew->done;
  whorl_parcel *parcel = whorl_wait_for_parcel(s);
  if (!parcel) return false;
  if (whorl_parcel_unpack(parcel, &s->frontier, whorl_stored_as(s))) return true;
  s->stopped = WHORL_STOP_MEMORY;
  return false;
}

/* Breadth first: takes a state of this level, one's own first. */
WHORL_INLINE bool whorl_level_take(whorl_search *s, whorl_kind kind, whorl_source *out) {
  whorl_crew *crew = s->crew;
  whorl_claim *claim = &s->claim;
  for (uint32_t i = 0; !whorl_claim_has(claim); i++) {
    if (i == crew->count) return false;
    if (whorl_log_claim(&crew->workers[(s->number + i) % crew->count]->log, kind, claim)) break;
  }
  whorl_claim_take(claim, &s->visited, kind, crew->level, out);
  return true;
}

static void whorl_work(whorl_search *s);

static void *whorl_worker_main(void *argument) {
  whorl_search *s = (whorl_search *)argument;
  whorl_self = s;
  pthread_mutex_lock(&s->crew->lock); /* until all are there */
  pthread_mutex_unlock(&s->crew->lock);
  whorl_work(s);
  return NULL;
}

/* What a search has of its own, whatever its store. */
static bool whorl_worker_init(whorl_search *s) {
  whorl_account *account = &whorl_main_search(s)->account;
  s->retries.entries = s->retry;
  s->retries.most = sizeof s->retry / sizeof *s->retry;
  whorl_context *c = &s->batches[0].contexts[0];
  for (int i = 0; i < 2 * WHORL_BATCH; i++)
    whorl_context_init(&s->batches[i % 2].contexts[i / 2], i ? c : NULL);
  if (!whorl_by_levels(s)) {
    bool ready = whorl_frontier_init(&s->frontier, whorl_stored_as(s), WHORL_DFS, account);
    s->frontier.shared = s->number > 0;
    return ready;
  }
  s->frontier.order = WHORL_BFS;
  if (!whorl_log_init(&s->log, account)) return false;
  for (uint32_t level = 0; level <= s->crew->level && s->number > 0; level++)
    whorl_log_next_level(&s->log); /* it has nothing of the levels so far */
  return true;
}

/* The crew of a search: nobody else yet. */
static void whorl_crew_begin(whorl_search *first) {
  static whorl_crew crew;
  memset(&crew, 0, sizeof crew);
  crew.workers[0] = first;
  crew.count = 1;
  pthread_mutex_init(&crew.lock, NULL);
  pthread_mutex_init(&crew.printing, NULL);
  pthread_cond_init(&crew.changed, NULL);
  first->crew = &crew;
  whorl_self = first;
}

static bool whorl_crew_init(whorl_search *first) {
  whorl_crew_begin(first);
  return whorl_worker_init(first);
}

/* One more search on the same store. */
static whorl_search *whorl_worker_new(whorl_search *first, uint32_t number) {
  size_t size = whorl_round_up(sizeof *first, WHORL_LINE);
  whorl_search *s = (whorl_search *)aligned_alloc(WHORL_LINE, size);
  if (!s) return NULL;
  memset(s, 0, size);
  s->options = first->options;
  s->crew = first->crew;
  s->number = number;
  s->started = first->started;
  s->initial = first->initial;
  if (!whorl_visited_view(&s->visited, whorl_stored_as(s), &first->visited) ||
      !whorl_worker_init(s))
    return NULL;
  return s;
}

/* The others come. Where the system does not give so many threads, fewer have to do. */
static void whorl_crew_gather(whorl_search *first) {
  whorl_crew *crew = first->crew;
  uint32_t count = 1;
  if (first->options.threads > 1 &&
      !whorl_anchors_init(&first->frontier, whorl_stored_as(first), &first->visited)) {
    first->stopped = WHORL_STOP_MEMORY;
    return;
  }
  first->shares.alone = whorl_now() - first->started;
  pthread_mutex_lock(&crew->lock);
  atomic_store(&crew->states, first->states);
  for (; count < first->options.threads; count++) {
    whorl_search *s = whorl_worker_new(first, count);
    if (!s || pthread_create(&crew->threads[count], NULL, whorl_worker_main, s)) break;
    crew->workers[count] = s;
  }
  crew->count = count;
  pthread_mutex_unlock(&crew->lock);
}

/* Adds up what the others have found. `live`: while they go on. */
static void whorl_crew_add_up(whorl_search *first, bool live) {
  for (uint32_t i = 1; i < first->crew->count; i++) {
    const whorl_search *s = first->crew->workers[i];
    first->states += live ? atomic_load((_Atomic uint64_t *)&s->told_states) : s->states;
    first->transitions +=
        live ? atomic_load((_Atomic uint64_t *)&s->told_transitions) : s->transitions;
    if (s->depth > first->depth) first->depth = s->depth;
    if (!live) {
      first->shares.waited += s->shares.waited;
      first->shares.moved += s->shares.moved;
      first->shares.idle += s->shares.idle;
      whorl_visited_add_up(&first->visited, &s->visited);
    }
    first->truncated |= s->truncated;
    first->endless |= s->endless;
    for (int fault = 0; fault < 2; fault++)
      for (int j = 0; j < WHORL_TRANSITIONS; j++) first->reached[fault][j] |= s->reached[fault][j];
    for (int site = 0; site < WHORL_SITES; site++)
      if (first->met[site] == 0) first->met[site] = s->met[site];
  }
}

/* Waits for the others, which have come to their end or will soon. */
static void whorl_crew_end(whorl_search *first) {
  whorl_crew *crew = first->crew;
  for (uint32_t i = 1; i < crew->count; i++) pthread_join(crew->threads[i], NULL);
  first->stopped = (whorl_stop)atomic_load(&crew->stop);
  whorl_crew_add_up(first, false);
}

#endif
