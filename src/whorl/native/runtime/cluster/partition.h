/* A partition: one worker's part of a search on several machines, as a library.
 *
 * The states are given out to the workers by their hash. Each has the model, the store and the
 * expansion, just as a verifier has; native/cluster/library.py is the other side of these functions,
 * and native/cluster/levels.py says in which order they are called:
 *
 *   begin, initial, next, then again and again
 *     expand    until there is nothing left of the superstep, and between,
 *     outbox    what others are to insert,
 *     insert    what others sent; it does not matter how often
 *     next      the next superstep
 *
 * A worker that takes over from one that was lost gets its log back instead: load, resume.
 * Everything here is for one thread and one partition a process. Each function that may fail returns
 * 0 or a whorl_stop; then only figures and bitmaps may be asked for.
 */
#ifndef WHORL_PARTITION_H
#define WHORL_PARTITION_H

#include "cluster/interface.h"
#include "cluster/way.h"

/* Sizes that the other side has to know: of a state, and of a record of the log, in bytes; and how
 * many transitions there are. */
void whorl_part_about(uint32_t about[3]) {
  about[0] = sizeof(whorl_state);
  about[1] = (uint32_t)(sizeof(whorl_state) + (whorl_mine.exhaust ? 4 : 0));
  about[2] = WHORL_TRANSITIONS;
}

int whorl_part_begin(const whorl_part_options *asked) {
  whorl_search *s = &whorl_the_search;
  whorl_guard_init();
  whorl_heap = &s->account;
  s->account.limit = asked->memory;
  s->started = whorl_now();
  s->options.max_depth = asked->max_depth;
  s->options.seconds = asked->seconds;
  s->options.assertions = asked->assertions;
  s->options.end_states = asked->end_states;
  WHORL_GUARDED;
  whorl_mine.exhaust = asked->exhaust;
  for (int i = 0; i < 2 * WHORL_BATCH; i++)
    whorl_context_init(&s->batches[i % 2].contexts[i / 2], i ? &s->batches[0].contexts[0] : NULL);
  whorl_outboxes_init(&whorl_mine.out, asked->number, asked->count, 0);
  if (!whorl_visited_init(&s->visited, WHORL_TREE, &s->account, 0) ||
      !whorl_own_log_init(&whorl_mine.log, &s->account, asked->exhaust))
    s->stopped = WHORL_STOP_MEMORY;
  whorl_initial(&s->batches[0].contexts[0], &s->initial);
  if (s->batches[0].contexts[0].fault == WHORL_NO_SITE && asked->count > 1)
    whorl_owners_choose(&whorl_mine.out.owners, &s->batches[0].contexts[0], &s->initial,
                        asked->count);
  return (int)s->stopped;
}

/* Adds a state to the log unless it is stored. */
static void whorl_part_add_one(const whorl_state *state, uint32_t parent, bool anyhow) {
  whorl_search *s = &whorl_the_search;
  whorl_tree *tree = &s->visited.tree;
  if (!whorl_tree_reserve(tree, 1) || !whorl_tree_reserve_roots(tree, 1) ||
      !whorl_own_log_reserve(&whorl_mine.log, 1)) {
    s->stopped = WHORL_STOP_MEMORY;
    return;
  }
  uint64_t pair = whorl_tree_pair_of(tree, state);
  if (!whorl_tree_add(tree, pair) && !anyhow) return;
  s->states++;
  whorl_own_log_push(&whorl_mine.log, pair, parent);
}

/* Stores the initial state if it is ours. Where the model fails before it is there, `site` is where;
 * else -1. */
int whorl_part_initial(int32_t *site) {
  whorl_search *s = &whorl_the_search;
  WHORL_GUARDED;
  *site = s->batches[0].contexts[0].fault;
  if (*site != WHORL_NO_SITE || !whorl_is_own(&whorl_mine.out, &s->initial)) return 0;
  s->transitions = 1;
  whorl_part_add_one(&s->initial, WHORL_FROM_NOWHERE, false);
  return (int)s->stopped;
}

/* Expands up to `budget` states of this superstep, or until an outbox is full. `left`: how many more
 * there are. */
int whorl_part_expand(uint64_t budget, uint64_t *left) {
  WHORL_GUARDED;
  whorl_part_work(budget);
  *left = whorl_own_log_end(&whorl_mine.log) - whorl_mine.log.cursor;
  return (int)whorl_the_search.stopped;
}

/* What is to be sent to a worker, until the next call. */
size_t whorl_part_outbox(uint32_t to, const uint8_t **bytes) {
  whorl_outboxes *out = &whorl_mine.out;
  if (out->count == 1 || to >= out->count) return 0;
  size_t length = out->boxes[to].used;
  *bytes = out->boxes[to].bytes;
  whorl_outbox_clear(out, to);
  return length;
}

/* Inserts a batch of another worker. WHORL_STOP_BROKEN: that one has other owners in mind. */
int whorl_part_insert(const uint8_t *bytes, size_t length) {
  WHORL_GUARDED;
  whorl_part_take_in(bytes, length);
  return whorl_mine.broken ? WHORL_STOP_BROKEN : (int)whorl_the_search.stopped;
}

/* The next superstep begins: how many states there are to expand. What failed before is forgotten. */
int whorl_part_next(uint64_t *found) {
  WHORL_GUARDED;
  whorl_mine.failures.count = 0;
  *found = whorl_own_log_next(&whorl_mine.log);
  return 0;
}

void whorl_part_figures(whorl_part_figures_t *f) {
  const whorl_search *s = &whorl_the_search;
  memset(f, 0, sizeof *f);
  f->states = s->states;
  f->transitions = s->transitions;
  f->logged = whorl_mine.log.count;
  f->cursor = whorl_mine.log.cursor;
  f->sent = whorl_mine.out.sent;
  f->spared = whorl_mine.out.spared;
  f->received = whorl_mine.received;
  f->memory = s->account.committed;
  f->store = whorl_visited_bytes(&s->visited, WHORL_TREE);
  f->supersteps = whorl_mine.log.supersteps;
  f->stopped = s->stopped;
  f->refused = s->account.refused;
  f->truncated = s->truncated;
  f->endless = s->endless;
}

/* A byte for each transition: bit 0 if it went well once, bit 1 if it faulted once. */
void whorl_part_reached(uint8_t *out) {
  for (int i = 0; i < WHORL_TRANSITIONS; i++)
    out[i] = (uint8_t)(whorl_the_search.reached[0][i] | whorl_the_search.reached[1][i] << 1);
}

/* What failed in this superstep: the least of each site. How many there are. */
uint32_t whorl_part_failure(uint32_t at, whorl_part_failure_t *out, whorl_state *state) {
  if (at >= whorl_mine.failures.count) return whorl_mine.failures.count;
  const whorl_failure *f = &whorl_mine.failures.entries[at];
  out->place = f->place;
  out->site = f->site;
  out->step = f->step;
  out->order = f->order;
  *state = f->state;
  return whorl_mine.failures.count;
}

/* A site need not be told of again. */
void whorl_part_told(int32_t site) { whorl_mine.told[site < 0 ? WHORL_SITES : site] = 1; }

/* The least state expanded in a superstep from which a run leads to `target`, and where it is in the
 * log. */
int whorl_part_predecessor(uint32_t superstep, const whorl_state *target, whorl_state *found,
                           uint64_t *place) {
  WHORL_GUARDED;
  whorl_state sought = *target;
  *place = whorl_part_look_back(superstep, &sought, found);
  return 0;
}

/* The state at a place of the log, and where it was found from (log.h). */
int whorl_part_origin(uint64_t place, whorl_state *state, uint32_t *parent) {
  const whorl_own_log *log = &whorl_mine.log;
  if (place >= log->count) return WHORL_STOP_MEMORY;
  whorl_part_state(place, state);
  *parent = log->parents ? log->parents[place] : WHORL_FROM_NOWHERE;
  return 0;
}

/* The choices of the run from a state to another one; or, if `to` is NULL, of the run that ends with
 * steps[step] of its expansion. How many there are is written to `count`: 0 if there is no such run. */
int whorl_part_steps(const whorl_state *from, const whorl_state *to, int32_t step, int32_t *choices,
                     uint32_t most, uint32_t *count) {
  WHORL_GUARDED;
  whorl_context *c = &whorl_the_search.batches[0].contexts[0];
  bool endless;
  whorl_state source = *from;
  c->avoid = c->ample = whorl_nobody();
  if (to)
    step = whorl_trail_step(c, &source, to);
  else
    whorl_expand(c, &source, &endless);
  *count = whorl_part_choices(c, step, choices, most);
  return 0;
}

/* Up to `most` records of the log from a place on. How many. */
uint64_t whorl_part_records(uint64_t from, uint64_t most, uint8_t *out) {
  const whorl_own_log *log = &whorl_mine.log;
  uint64_t at = from;
  for (; at < log->count && at - from < most; at++) {
    whorl_state state;
    whorl_part_state(at, &state);
    memcpy(out, &state, sizeof state);
    out += sizeof state;
    if (!log->parents) continue;
    memcpy(out, &log->parents[at], 4);
    out += 4;
  }
  return at - from;
}

/* Puts records of a log at its end again. */
int whorl_part_load(const uint8_t *bytes, size_t length) {
  whorl_search *s = &whorl_the_search;
  WHORL_GUARDED;
  size_t record = sizeof(whorl_state) + (whorl_mine.exhaust ? 4 : 0);
  for (; length >= record && !s->stopped; bytes += record, length -= record) {
    whorl_state state;
    uint32_t parent = WHORL_FROM_NOWHERE;
    memcpy(&state, bytes, sizeof state);
    if (whorl_mine.exhaust) memcpy(&parent, bytes + sizeof state, 4);
    whorl_part_add_one(&state, parent, true);
  }
  whorl_part_tend();
  return (int)s->stopped;
}

/* After the log was loaded: where its supersteps began. The last one is to be expanded. */
int whorl_part_resume(const uint64_t *begins, uint32_t count) {
  WHORL_GUARDED;
  whorl_own_log *log = &whorl_mine.log;
  for (uint32_t i = 0; i < count; i++) whorl_own_log_note(log, begins[i]);
  log->cursor = count ? begins[count - 1] : 0;
  log->end = log->count;
  return 0;
}

/* Gives back what takes most: what is stored. Nothing may be called after it. */
void whorl_part_end(void) {
  whorl_search *s = &whorl_the_search;
  s->stopped = WHORL_STOP_INTERRUPTED;
  whorl_tree_free(&s->visited.tree);
  whorl_region_free(&whorl_mine.log.memory);
  whorl_region_free(&whorl_mine.log.parent_memory);
}

/* Where the supersteps begin in the log; up to `most` of them. */
uint32_t whorl_part_begins(uint64_t *out, uint32_t most) {
  const whorl_own_log *log = &whorl_mine.log;
  for (uint32_t i = 0; i < log->supersteps && i < most; i++) out[i] = log->begins[i];
  return log->supersteps;
}

#endif
