/* What a partition does in a superstep: it expands its states, and inserts what others found.
 *
 * As in search.h, states are taken in batches of which two take turns, so that the memory's latency is
 * hidden. Successors that are another's go to its outbox; they are neither folded nor looked for here.
 */
#ifndef WHORL_SUPERSTEP_H
#define WHORL_SUPERSTEP_H

#include "cluster/guard.h"
#include "cluster/log.h"
#include "cluster/outbox.h"
#include "search/least.h"

#if WHORL_PROVISO || WHORL_LOOKS_AT_STACK
#error "the reduction depends on the order of the search"
#endif
#if WHORL_THREADS
#error "a partition has one thread"
#endif

#define WHORL_ARRIVALS 32 /* records that are inserted together */

typedef struct {
  whorl_outboxes out;
  whorl_own_log log;
  whorl_failures failures;       /* of this superstep */
  uint8_t told[WHORL_SITES + 1]; /* sites that need not be told again; the last: of end states */
  bool exhaust;
  bool broken; /* somebody has sent a state that is not ours */
  uint64_t received;
  whorl_state arrivals[2][WHORL_ARRIVALS];
} whorl_partition;

static whorl_partition whorl_mine; /* zeroed, but for what begins it */

/* Something fails: the least of each site is kept. */
static __attribute__((noinline)) void whorl_part_fails(const whorl_source *source, int32_t site,
                                                       int32_t step, uint32_t order) {
  const whorl_options *o = &whorl_the_search.options;
  whorl_failure failure;
  if (site == WHORL_NO_SITE ? !o->end_states : whorl_site_kinds[site] == 0 && !o->assertions)
    return;
  if (whorl_mine.told[site == WHORL_NO_SITE ? WHORL_SITES : site]) return;
  failure.state = *source->state;
  failure.avoid = whorl_nobody();
  failure.site = site;
  failure.step = step;
  failure.order = order;
  failure.place = source->ref;
  whorl_failures_add(&whorl_mine.failures, &failure);
}

/* The same, of every site where something fails in steps[at], in the order in which they were met. */
static __attribute__((noinline)) void whorl_part_fails_in(const whorl_context *c, int32_t at,
                                                          const whorl_source *source) {
  const whorl_step *step = &c->steps[at];
  uint32_t order = 0;
  if (!step->fault) whorl_part_fails(source, step->site, at, order++);
  for (int32_t next = step->further; next != WHORL_NO_SITE; next = c->further[next].next)
    whorl_part_fails(source, c->further[next].site, at, order++);
  if (step->fault) whorl_part_fails(source, step->site, at, order++);
}

/* The successors of a source: one's own into the batch, the others into their outboxes. */
static inline void whorl_part_expand_source(whorl_batch *b, uint32_t at) {
  whorl_search *s = &whorl_the_search;
  whorl_outboxes *out = &whorl_mine.out;
  whorl_context *c = &b->contexts[at];
  const whorl_source *source = &b->sources[at];
  whorl_tree *tree = &s->visited.tree;
  c->avoid = c->ample = whorl_nobody();
  if (!whorl_expand(c, source->state, &s->endless)) {
    if (!whorl_valid_end(source->state)) whorl_part_fails(source, WHORL_NO_SITE, -1, 0);
    return;
  }
  if (b->count + c->count > b->capacity) whorl_more_successors(b, true, b->count + c->count);
  whorl_tree_expect(tree, c->count);
  uint32_t count = b->count;
  const whorl_step *step = c->steps;
  const whorl_state *state = c->states;
  for (const whorl_step *end = step + c->count; step < end; step++, state++) {
    whorl_reach(s, step);
    if (__builtin_expect(step->site != WHORL_NO_SITE, 0))
      whorl_part_fails_in(c, (int32_t)(step - c->steps), source);
    if (step->passed | step->fault) continue;
    s->transitions++;
    if (out->count > 1 && !whorl_owners_agree(&out->owners, state, source->state)) {
      uint32_t owner = whorl_owner(out, state);
      if (owner != out->number) {
        whorl_send(out, owner, state, NULL);
        continue;
      }
    }
    whorl_successor *next = &b->successors[count];
    next->state = state;
    whorl_tree_begin(tree, &b->foldings[count], count, state, source->state, source->folded);
    count++;
  }
  b->count = count;
}

/* Takes the next state of this superstep. */
static inline bool whorl_part_take(whorl_source *out) {
  whorl_own_log *log = &whorl_mine.log;
  const whorl_tree *tree = &whorl_the_search.visited.tree;
  uint64_t end = whorl_own_log_end(log);
  if (log->cursor == end) return false;
  if (log->cursor + 4 < end) whorl_tree_prefetch_unfold(tree, log->pairs[log->cursor + 4]);
  whorl_tree_unfold(tree, log->pairs[log->cursor], &out->unfolded, &out->unfolded_state);
  out->state = &out->unfolded_state;
  out->folded = &out->unfolded;
  out->ref = (uint32_t)log->cursor++;
  out->depth = log->supersteps - 1;
  return true;
}

/* First pass: takes up to `budget` states and expands them. */
static inline void whorl_part_expand_batch(whorl_batch *b, uint64_t *budget) {
  whorl_search *s = &whorl_the_search;
  b->taken = b->count = 0;
  while (b->taken < WHORL_BATCH && b->count < WHORL_FLIGHT && *budget > 0 &&
         whorl_part_take(&b->sources[b->taken])) {
    uint32_t at = b->taken++;
    --*budget;
    if (b->sources[at].depth >= s->options.max_depth)
      s->truncated = true;
    else
      whorl_part_expand_source(b, at);
    b->ends[at] = b->count;
  }
}

/* Second pass: room for all, and where to look for them. Keys change where there is more room, so
 * no other batch may wait with keys of its own. */
static inline bool whorl_part_seek(whorl_batch *b) {
  whorl_search *s = &whorl_the_search;
  if (!whorl_tree_reserve(&s->visited.tree, b->count) ||
      !whorl_tree_reserve_roots(&s->visited.tree, b->count) ||
      !whorl_own_log_reserve(&whorl_mine.log, b->count)) {
    s->stopped = WHORL_STOP_MEMORY;
    return false;
  }
  whorl_tree_fold(&s->visited.tree, b->foldings, b->count);
  whorl_batch_seek_roots(&s->visited.tree, b);
  return true;
}

/* Third pass: adds what is new. Found `from_others`, or by expanding the sources of the batch. */
static inline void whorl_part_add(whorl_batch *b, bool from_others) {
  whorl_search *s = &whorl_the_search;
  whorl_own_log *log = &whorl_mine.log;
  for (uint32_t at = 0, i = 0; at < b->taken; at++) {
    uint32_t parent = from_others ? WHORL_FROM_OTHERS | (log->supersteps - 1) : b->sources[at].ref;
    for (; i < b->ends[at]; i++) {
      const whorl_successor *next = &b->successors[i];
      if (!whorl_roots_add_at(&s->visited.tree.roots, next->slot, next->key)) continue;
      s->states++;
      whorl_own_log_push(log, next->pair, parent);
    }
  }
  b->taken = b->count = 0;
}

/* Whether a survey pays (search.h): once all workers together have so many states, since each has a
 * sample of them. */
static inline bool whorl_part_wants_survey(void) {
  const whorl_search *s = &whorl_the_search;
  uint64_t states = s->states * whorl_mine.out.count;
  return (s->surveys == 0 && states >= WHORL_SURVEY_AT) ||
         (s->surveys == 1 && states >= WHORL_SURVEY_AT * WHORL_SURVEY_AGAIN);
}

/* Gives the tree a better shape if there is one, once there are many states. No batch may be under
 * way. */
static void whorl_part_tend(void) {
  whorl_search *s = &whorl_the_search;
  whorl_shape shape;
  whorl_tree *tree = &s->visited.tree, better;
  if (!whorl_part_wants_survey()) return;
  s->surveys++;
  if (!whorl_survey(&s->initial, tree, &shape)) return;
  if (!whorl_tree_init(&better, &s->account, &shape, false) || !whorl_tree_copy(tree, &better)) {
    whorl_tree_free(&better); /* there is no room for both: the one that is there goes on */
    return;
  }
  if (!whorl_own_log_move(&whorl_mine.log, tree, &better)) {
    s->stopped = WHORL_STOP_MEMORY; /* half of the log goes by the other one */
    return;
  }
  whorl_tree_free(tree);
  *tree = better;
}

/* Expands up to `budget` states, or until an outbox is full. Where it does not matter what is least, a
 * failure ends it as well. */
static void whorl_part_work(uint64_t budget) {
  whorl_search *s = &whorl_the_search;
  whorl_batch *next = &s->batches[0], *pending = &s->batches[1];
  whorl_part_tend();
  next->taken = next->count = pending->taken = pending->count = 0;
  while (!s->stopped) {
    bool enough = whorl_mine.exhaust && whorl_mine.failures.count > 0; /* it can be told */
    if (whorl_mine.out.full || enough) budget = 0;
    whorl_part_expand_batch(next, &budget);
    whorl_part_add(pending, false);
    if (next->taken == 0 &&
        (budget == 0 || whorl_mine.log.cursor == whorl_own_log_end(&whorl_mine.log)))
      return;
    if (!whorl_part_seek(next)) return;
    whorl_batch *other = next;
    next = pending;
    pending = other;
  }
}

/* Begins to insert up to WHORL_ARRIVALS records. How many bytes that are. */
static size_t whorl_part_receive(whorl_batch *b, whorl_state *room, const uint8_t *bytes,
                                 size_t length) {
  whorl_tree *tree = &whorl_the_search.visited.tree;
  uint32_t count = (uint32_t)(length / sizeof *room);
  if (count > WHORL_ARRIVALS) count = WHORL_ARRIVALS;
  memcpy(room, bytes, count * sizeof *room);
  if (count > b->capacity) whorl_more_successors(b, true, count);
  whorl_tree_expect(tree, count);
  for (uint32_t i = 0; i < count; i++) {
    if (!whorl_is_own(&whorl_mine.out, &room[i])) whorl_mine.broken = true;
    b->successors[i].state = &room[i];
    whorl_tree_begin(tree, &b->foldings[i], i, &room[i], NULL, NULL);
  }
  b->count = b->ends[0] = count;
  b->taken = 1;
  return count * sizeof *room;
}

/* Inserts the records of another worker. */
static void whorl_part_take_in(const uint8_t *bytes, size_t length) {
  whorl_search *s = &whorl_the_search;
  whorl_batch *next = &s->batches[0], *pending = &s->batches[1];
  whorl_state *room = whorl_mine.arrivals[0], *pending_room = whorl_mine.arrivals[1];
  whorl_part_tend();
  if (s->stopped) return;
  whorl_mine.received += length / sizeof *room;
  pending->taken = pending->count = 0;
  for (const uint8_t *end = bytes + length; bytes < end;) {
    bytes += whorl_part_receive(next, room, bytes, (size_t)(end - bytes));
    whorl_part_add(pending, true);
    if (!whorl_part_seek(next)) return;
    whorl_batch *other = next;
    whorl_state *other_room = room;
    next = pending;
    pending = other;
    room = pending_room;
    pending_room = other_room;
  }
  whorl_part_add(pending, true);
}

#endif
