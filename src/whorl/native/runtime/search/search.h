/* The search for violations of safety: in batches, every state once or until a proviso holds.
 *
 * Where the time goes in an explicit search is cache misses: a successor's slot in the index is at
 * a random place in memory, and so is the state that it is compared with. One such miss takes as
 * long as making several successors. They cannot be avoided but they can overlap. So the search
 * takes a batch of states from the frontier rather than one, and goes over their successors three
 * times:
 *
 *   1. expand: make the successors of each source and prefetch what their keys or slots need;
 *   2. seek: with that there, prefetch the slots, or the stored states they may be equal to. What
 *      has been met lately, which half of them have, ends here: it is not new;
 *   3. add in order; what is new goes to the frontier.
 *
 * Two batches take turns, so that a prefetch has the time of another batch's pass to arrive:
 *
 *   batch A   expand  .    seek   .     add    .    expand ...
 *   batch B      .   add    .   expand   .   seek     .    ...
 *
 * Batches do not change what is found: each state is stored once and expanded once. Depth first is
 * then not the order of a recursive search, but the frontier is a stack all the same.
 *
 * Under a reduction with a proviso (proviso.h) a state may be expanded again, with others of its steps
 * and in the end with all.
 */
#ifndef WHORL_SEARCH_H
#define WHORL_SEARCH_H

#include <float.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "search/frontier.h"
#include "search/graph.h"
#include "search/json.h"
#include "search/proviso.h"
#include "search/successor.h"
#include "store/survey.h"
#if WHORL_SWARM
#include "search/arrange.h"
#include "store/sketch.h"
#endif
#if WHORL_THREADS
#include "search/anchored.h"
#include "search/crew.h"
#endif

/* Enough successors in flight to use all that the memory can do at once; see the measurements in
 * tests/native/runtime/README.md. */
#ifndef WHORL_BATCH
#define WHORL_BATCH 8 /* at most so many sources */
#endif
#ifndef WHORL_FLIGHT
#define WHORL_FLIGHT 24 /* no further source after so many successors */
#endif
#ifndef WHORL_SURVEY_AT
#define WHORL_SURVEY_AT 262144 /* states after which the tree gets the shape that suits them */
#endif
#define WHORL_SURVEY_AGAIN 4 /* times as many states later there is another survey, the last */
#ifndef WHORL_GRAPH
#define WHORL_GRAPH 0 /* 1: the graph that is stored can be written to a file (graph.h) */
#endif
#ifndef WHORL_TICK
#define WHORL_TICK 8192 /* successors between looks at the clock */
#endif
#define WHORL_PROGRESS_SECONDS 0.2

typedef struct {
  whorl_kind store;
  whorl_order order;
  uint64_t max_states;
  uint64_t max_depth;
  uint64_t memory; /* bytes */
  double seconds;
  unsigned bits; /* log2 of the size of a bitstate array */
  bool assertions;
  bool end_states;
  bool all_errors;
  FILE *graph; /* where to write the graph that is stored; only with WHORL_GRAPH */
  uint32_t threads;
#if WHORL_SWARM
  uint64_t seed; /* of the hash and of the order */
  whorl_arrangement arrangement;
#endif
} whorl_options;

/* Some states that are expanded together, and their successors. */
typedef struct {
  whorl_source sources[WHORL_BATCH];
  whorl_context contexts[WHORL_BATCH];
  uint32_t ends[WHORL_BATCH]; /* of each source: where its successors end */
  uint32_t made[WHORL_BATCH]; /* and how many of them there are, with those met lately */
  uint32_t taken;             /* sources */
  whorl_successor *successors;
  whorl_folding *foldings; /* of the successors, with the tree */
  uint32_t count;          /* successors; after the second pass, those that may be new */
  uint32_t capacity;
} whorl_batch;

typedef struct whorl_search {
  whorl_options options;
  whorl_account account;
  whorl_visited visited;
  whorl_frontier frontier;
  whorl_batch batches[2];
  whorl_retry retry[4 * WHORL_BATCH];
  whorl_retries retries; /* the states that are to be expanded again (proviso.h) */

  whorl_state initial;
  int surveys; /* so many have been made */
  uint64_t states;
  uint64_t transitions;
  uint32_t depth;
  bool truncated; /* the depth limit left something out */
  bool endless;   /* an atomic sequence can go round for ever */
  bool telling;   /* in the middle of printing a violation */
  whorl_stop stopped;
  bool failed; /* breadth first: a step failed; a state no deeper than this may still be an end */
  uint32_t failed_depth;
  double started;
  double told; /* when progress was last printed */
  uint32_t ticks;
  size_t store_bytes;    /* what the states take, once the search is done */
  uint64_t largest_list; /* of a phase 1 (two_phase.h) */

  uint8_t reached[2][WHORL_TRANSITIONS + 1]; /* transitions: those that went well, and faults */
  uint8_t reported[WHORL_SITES + 1];         /* sites; the last is that of invalid end states */
  int32_t met[WHORL_SITES + 1]; /* of a search for a claim, by site: what failed there, plus one */

#if WHORL_SWARM
  whorl_arranger arranger;
  whorl_sketch sketch;
#endif
#if WHORL_THREADS
  whorl_crew *crew; /* once there are several threads */
  uint32_t number;
  whorl_log log;     /* breadth first */
  whorl_claim claim; /* what is to be expanded of this level */
  whorl_failures failures;
  whorl_failure nearest; /* on the way back: the least that leads there */
  bool leads;
  const whorl_state *failing; /* the state that is being expanded, if it fails */
  uint32_t failed_so_far;     /* and so many failures of one of its steps */
  _Atomic uint64_t told_states, told_transitions; /* by others, with their progress */
  double told_by_any;                             /* of the first: when somebody told it */
  whorl_shares shares;
#endif
} whorl_search;

#if WHORL_THREADS
static _Atomic sig_atomic_t whorl_interrupted;
#else
static volatile sig_atomic_t whorl_interrupted;
#endif

static inline double whorl_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#include "search/trail.h"

#include "search/tell.h"

/* Notes which transitions a step takes. */
static inline void whorl_reach(whorl_search *s, const whorl_step *step) {
  uint8_t *reached = s->reached[step->fault];
  reached[step->transition] = 1;
  if (step->partner != WHORL_NOBODY) reached[step->partner_transition] = 1;
}

static __attribute__((noinline)) void whorl_more_successors(whorl_batch *b, bool foldings,
                                                            uint32_t count) {
  size_t before = b->capacity, after = before ? before : 1024;
  while (after < count) after *= 2;
  b->successors = (whorl_successor *)whorl_grown(b->successors, before * sizeof *b->successors,
                                                 after * sizeof *b->successors);
  b->capacity = (uint32_t)after;
  if (!foldings) return;
  b->foldings = (whorl_folding *)whorl_grown(b->foldings, before * sizeof *b->foldings,
                                             after * sizeof *b->foldings);
}

/* The successors of a source, with what they need first on the way. */
WHORL_INLINE void whorl_expand_source(whorl_search *s, whorl_kind kind, whorl_batch *b,
                                      uint32_t at) {
  whorl_context *c = &b->contexts[at];
  const whorl_source *source = &b->sources[at];
#if WHORL_THREADS
  whorl_anchors_prefetch(&s->frontier, kind, &s->visited, source->ref);
#endif
  bool moves = whorl_expand(c, source->state, &s->endless);
  s->ticks += c->walked;
  c->walked = 0;
  if (WHORL_GRAPH && s->options.graph) {
    whorl_graph_begin(s->options.graph);
    whorl_graph_state(s->options.graph, 's', source->state);
    putc('\n', s->options.graph);
    whorl_graph_runs(s->options.graph, c);
    whorl_graph_end(s->options.graph);
  }
  if (!moves) {
    if (!whorl_valid_end(source->state)) whorl_invalid_end(s, source);
    return;
  }
  if (b->count + c->count > b->capacity)
    whorl_more_successors(b, kind == WHORL_TREE, b->count + c->count);
  if (kind == WHORL_TREE) whorl_tree_expect(&s->visited.tree, c->count);
  uint32_t count = b->count;
  const whorl_step *step = c->steps;
  const whorl_state *state = c->states;
  for (const whorl_step *end = step + c->count; step < end; step++, state++) {
    whorl_reach(s, step);
    if (__builtin_expect(step->site != WHORL_NO_SITE, 0)) {
      whorl_violations(s, c, (int32_t)(step - c->steps), source);
      if (s->stopped) return;
    }
    if (step->passed | step->fault) continue;
    whorl_successor *next = &b->successors[count];
    next->state = state;
    if (kind == WHORL_TREE) {
      whorl_tree_begin(&s->visited.tree, &b->foldings[count], count, state, source->state,
                       source->folded);
    } else {
      next->key = whorl_hash(state);
      whorl_visited_prefetch(&s->visited, kind, next->key);
    }
    count++;
  }
#if WHORL_SWARM
  whorl_arrange(&s->arranger, c, b->successors + b->count, count - b->count);
#endif
  b->count = count;
}

/* Takes a state to expand. `first`: all that was taken before has been added. */
WHORL_INLINE bool whorl_take_source(whorl_search *s, whorl_kind kind, bool first,
                                    whorl_source *out) {
#if WHORL_THREADS
  if (whorl_by_levels(s)) return whorl_level_take(s, kind, out);
#endif
  return whorl_frontier_take(&s->frontier, kind, &s->visited, first, out);
}

/* First pass: takes states and expands them. `alone`: no other batch is under way. */
WHORL_INLINE void whorl_batch_expand(whorl_search *s, whorl_kind kind, whorl_batch *b, bool alone) {
  b->taken = b->count = 0;
  while (b->taken < WHORL_BATCH &&
         whorl_retry_take(&s->retries, &s->frontier, kind, &s->visited, &b->sources[b->taken],
                          &b->contexts[b->taken])) {
    uint32_t at = b->taken++;
    whorl_expand_source(s, kind, b, at);
    b->ends[at] = b->count;
    if (s->stopped) return;
  }
  while (b->taken < WHORL_BATCH && b->count < WHORL_FLIGHT &&
         whorl_take_source(s, kind, alone && b->taken == 0, &b->sources[b->taken])) {
    uint32_t at = b->taken++;
    b->contexts[at].avoid = b->contexts[at].ample = whorl_nobody();
    if (s->failed && b->sources[at].depth > s->failed_depth) {
      s->stopped = WHORL_STOP_VIOLATION;
      return;
    }
    if (b->sources[at].depth >= s->options.max_depth)
      s->truncated = true;
    else
      whorl_expand_source(s, kind, b, at);
    b->ends[at] = b->count;
    if (s->stopped) return;
  }
}

/* With the tree: of the successors those met lately end here; the others get their keys. */
WHORL_INLINE void whorl_batch_seek_roots(whorl_tree *tree, whorl_batch *b) {
  whorl_successor *kept = b->successors;
  uint32_t i = 0;
  for (uint32_t at = 0; at < b->taken; at++) {
    for (uint32_t end = b->ends[at]; i < end; i++) {
      uint64_t pair = whorl_tree_pair(tree, &b->foldings[i].folded);
      if (whorl_tree_met(tree, pair)) continue;
      kept->state = b->successors[i].state;
      kept->pair = pair;
      kept->key = whorl_tree_key(tree, pair);
      kept->slot = whorl_roots_home(&tree->roots, kept->key);
      kept->folding = i;
      whorl_roots_prefetch(&tree->roots, kept++->slot);
    }
    b->ends[at] = (uint32_t)(kept - b->successors);
  }
  b->count = (uint32_t)(kept - b->successors);
}

/* Second pass: room for all; keys, where they are not known yet; and prefetches. */
WHORL_INLINE void whorl_batch_seek(whorl_search *s, whorl_kind kind, whorl_batch *b) {
#if WHORL_THREADS
  if (!whorl_crew_reserve(s, b->count)) return;
#else
  if ((kind == WHORL_TREE && !whorl_tree_reserve(&s->visited.tree, b->count)) ||
      !whorl_visited_reserve(&s->visited, kind, b->count) ||
      !whorl_frontier_reserve(&s->frontier, kind, b->count)) {
    s->stopped = WHORL_STOP_MEMORY;
    return;
  }
#endif
  for (uint32_t at = 0; at < b->taken; at++) b->made[at] = b->ends[at] - (at ? b->ends[at - 1] : 0);
  if (kind == WHORL_TREE) {
    whorl_tree_fold(&s->visited.tree, b->foldings, b->count);
    whorl_batch_seek_roots(&s->visited.tree, b);
    return;
  }
  for (uint32_t i = 0; i < b->count; i++)
    b->successors[i].slot = whorl_visited_seek(&s->visited, kind, b->successors[i].key);
}

/* Adds a successor; whether it is new. */
WHORL_INLINE bool whorl_successor_add(whorl_search *s, whorl_kind kind, const whorl_batch *b,
                                      const whorl_successor *next, const whorl_source *source) {
  if (!whorl_visited_add(&s->visited, kind, next->slot, next->state, next->key, source->ref))
    return false;
#if WHORL_THREADS
  bool may = whorl_may_store(s);
#else
  bool may = s->states != s->options.max_states;
#endif
  if (!may) { /* the one too many is in the store only */
    s->stopped = WHORL_STOP_STATES;
    return true;
  }
  s->states++;
#if WHORL_SWARM
  whorl_sketch_add(&s->sketch, next->key);
#endif
  uint32_t depth = source->depth + 1;
  if (depth > s->depth) s->depth = depth;
#if WHORL_THREADS
  if (whorl_by_levels(s)) {
    whorl_log_push(&s->log, &s->visited, kind, next->state, next->pair);
    return true;
  }
#endif
  whorl_frontier_push(&s->frontier, kind, &s->visited, next->state,
                      kind == WHORL_TREE ? &b->foldings[next->folding].folded : NULL, next->pair,
                      source->ref, depth);
  return true;
}

/* Depth first: whether a state that is stored is closed before a source, or anchored. Its `name` is its pair
 * or its hash. */
WHORL_INLINE bool whorl_leads_on(whorl_search *s, whorl_kind kind, const whorl_state *state,
                                 uint64_t name, uint32_t ref) {
#if WHORL_THREADS
  if (s->frontier.shared) return whorl_visited_is_marked(&s->visited, kind, name);
#endif
  return whorl_frontier_closes(&s->frontier, kind, &s->visited, state, name, ref);
}

/* Whether one of the successors of a source, all of which are known, leads on. The first of them is
 * successors[i], or with the tree, where some are gone, foldings[made]. */
static __attribute__((noinline)) bool whorl_one_leads_on(whorl_search *s, whorl_kind kind,
                                                         const whorl_batch *b, uint32_t at,
                                                         uint32_t i, uint32_t made) {
#if WHORL_THREADS
  if (!(s->frontier.shared ? whorl_has_anchors(&s->frontier, kind)
                           : whorl_has_places(&s->frontier)))
    return false;
#else
  if (!whorl_has_places(&s->frontier)) return false;
#endif
  uint32_t ref = b->sources[at].ref;
  for (; kind != WHORL_TREE && i < b->ends[at]; i++)
    if (whorl_leads_on(s, kind, b->successors[i].state, b->successors[i].key, ref)) return true;
  for (uint32_t end = made + b->made[at]; kind == WHORL_TREE && made < end; made++) {
    uint64_t pair = whorl_tree_pair(&s->visited.tree, &b->foldings[made].folded);
    if (whorl_leads_on(s, kind, NULL, pair, ref)) return true;
  }
  return false;
}

/* Third pass: counts the transitions of the batch and adds what is new. */
WHORL_INLINE void whorl_batch_add(whorl_search *s, whorl_kind kind, whorl_batch *b) {
  for (uint32_t at = 0, first = 0, made = 0; at < b->taken; at++) {
    const whorl_source *source = &b->sources[at];
    bool found = false;
    for (uint32_t i = first; i < b->ends[at]; i++) {
      found |= whorl_successor_add(s, kind, b, &b->successors[i], source);
      if (s->stopped) return;
    }
    whorl_context *c = &b->contexts[at];
    bool reduced = WHORL_PROVISO && whorl_some(c->ample);
    if (reduced && !found && !whorl_one_leads_on(s, kind, b, at, first, made)) {
      whorl_retry_later(&s->retries, source, c);
    } else {
      s->transitions += b->made[at];
#if WHORL_THREADS
      whorl_anchors_note(&s->frontier, kind, &s->visited, source->ref, reduced, found);
#endif
    }
    first = b->ends[at];
    made += b->made[at];
  }
}

/* What is still to be expanded goes by other pairs. */
static bool whorl_frontier_replant(whorl_search *s, const whorl_tree *from, whorl_tree *to) {
#if WHORL_THREADS
  if (whorl_by_levels(s)) return whorl_log_move(&s->log, from, to);
#endif
  return whorl_frontier_move(&s->frontier, from, to);
}

/* Moves what is stored to a tree of another shape. */
static void whorl_replant(whorl_search *s, const whorl_shape *shape) {
  whorl_tree *tree = &s->visited.tree, better;
  if (!whorl_tree_init(&better, &s->account, shape, false) || !whorl_tree_copy(tree, &better) ||
      !whorl_frontier_replant(s, tree, &better)) {
    s->stopped = WHORL_STOP_MEMORY;
    whorl_tree_free(&better);
    return;
  }
  assert(whorl_tree_count(&better) == whorl_tree_count(tree));
  whorl_tree_free(tree);
  *tree = better;
  if (whorl_keeps_places(&s->frontier))
    whorl_frontier_note_all(&s->frontier, WHORL_TREE, &s->visited);
}

/* Once there are many states a survey pays: the tree gets the shape that suits them. */
static inline bool whorl_wants_survey(const whorl_search *s) {
#if WHORL_THREADS
  if (s->crew->count > 1) return false; /* it would take a barrier */
#endif
  return s->surveys == 0 ? s->states >= WHORL_SURVEY_AT
                         : s->surveys == 1 && s->states >= WHORL_SURVEY_AT * WHORL_SURVEY_AGAIN;
}

/* Gives the tree a better shape if there is one. No batch may be under way: references change. */
static __attribute__((noinline)) void whorl_tend(whorl_search *s) {
  whorl_shape shape;
  s->surveys++;
  if (whorl_survey(&s->initial, &s->visited.tree, &shape)) whorl_replant(s, &shape);
}

static __attribute__((noinline)) void whorl_look_at_clock(whorl_search *s) {
  s->ticks = 0;
  double now = whorl_now();
#if WHORL_THREADS
  atomic_store_explicit(&s->told_states, s->states, memory_order_relaxed);
  atomic_store_explicit(&s->told_transitions, s->transitions, memory_order_relaxed);
#endif
  if (now - s->started > s->options.seconds) s->stopped = WHORL_STOP_TIME;
  if (now - s->told > WHORL_PROGRESS_SECONDS && !s->telling) whorl_progress(s, now);
}

/* The frontier has to keep what is below this place: what comes of it is still to be added. */
WHORL_INLINE uint64_t whorl_open_from(const whorl_search *s, const whorl_batch *pending) {
  uint64_t floor = 0;
  for (uint32_t i = 0; i < pending->taken; i++)
    if (pending->sources[i].ref >= floor) floor = (uint64_t)pending->sources[i].ref + 1;
  return whorl_retry_floor(&s->retries, floor);
}

/* The search itself, for one kind of store. */
WHORL_INLINE void whorl_search_run_kind(whorl_search *s, whorl_kind kind) {
  whorl_batch *next = &s->batches[0], *pending = &s->batches[1];
  for (;;) {
    whorl_frontier_begin(&s->frontier, kind, &s->visited, whorl_open_from(s, pending));
    whorl_batch_expand(s, kind, next, pending->taken == 0);
    if (s->stopped) return;
#if WHORL_THREADS
    if (next->taken + pending->taken == 0) {
      if (!whorl_more_work(s)) return;
      continue;
    }
    if (whorl_is_wanted(s)) whorl_give(s, whorl_parcel_pack(&s->frontier, kind));
#else
    if (next->taken + pending->taken == 0) return;
#endif
    whorl_batch_add(s, kind, pending);
    if (s->stopped) return;
    s->ticks += pending->count + pending->taken;
    pending->taken = pending->count = 0;
    whorl_batch_seek(s, kind, next);
    if (s->stopped) return;
    if (whorl_interrupted) {
      s->stopped = WHORL_STOP_INTERRUPTED;
      return;
    }
    if (s->ticks >= WHORL_TICK) {
      whorl_look_at_clock(s);
      if (s->stopped) return;
      if ((kind == WHORL_TREE || WHORL_THREADS) && whorl_wants_survey(s)) {
        whorl_batch_add(s, kind, next);
        next->taken = next->count = 0;
        if (kind != WHORL_TREE)
          s->surveys++;
        else if (!s->stopped)
          whorl_tend(s);
        if (s->stopped) return;
#if WHORL_THREADS
        whorl_crew_gather(s);
        if (s->stopped) return;
#endif
      }
    }
    whorl_batch *other = next;
    next = pending;
    pending = other;
  }
}

/* Stores the initial state. */
static void whorl_search_start(whorl_search *s) {
  whorl_kind kind = WHORL_CHOSEN(s->options.store);
  whorl_heap = &s->account;
  s->account.limit = s->options.memory;
  s->started = s->told = whorl_now();
#if WHORL_THREADS
  bool ready = whorl_crew_init(s);
  whorl_context *c = &s->batches[0].contexts[0];
#else
  s->retries.entries = s->retry;
  s->retries.most = sizeof s->retry / sizeof *s->retry;
  whorl_context *c = &s->batches[0].contexts[0];
  for (int i = 0; i < 2 * WHORL_BATCH; i++)
    whorl_context_init(&s->batches[i % 2].contexts[i / 2], i ? c : NULL);
#endif
  whorl_initial(c, &s->initial);
  if (c->fault != WHORL_NO_SITE) {
    whorl_violation(s, c->fault, WHORL_NO_REF, -1, whorl_nobody(), 0);
    s->stopped = WHORL_STOP_VIOLATION; /* there is nothing to search */
    return;
  }
  if (!whorl_visited_init(&s->visited, kind, &s->account, s->options.bits) ||
#if WHORL_THREADS
      !ready || (whorl_by_levels(s) && !whorl_visited_keep(&s->visited, kind, &s->account)) ||
      !whorl_crew_reserve(s, 1) ||
#else
      !whorl_frontier_init(&s->frontier, kind, s->options.order, &s->account) ||
      !whorl_frontier_reserve(&s->frontier, kind, 1) ||
#endif
      !whorl_visited_reserve(&s->visited, kind, 1) ||
      (kind == WHORL_TREE && !whorl_tree_reserve(&s->visited.tree, 1))) {
    s->stopped = WHORL_STOP_MEMORY;
    return;
  }
  if (s->options.max_states == 0) {
    s->stopped = WHORL_STOP_STATES;
    return;
  }
#if WHORL_SWARM
  assert(kind == WHORL_BITSTATE); /* with the tree, foldings go by the order of successors */
  s->arranger.arrangement = s->options.arrangement;
  s->arranger.seed = s->visited.bitstate.seed = s->options.seed;
  whorl_sketch_add(&s->sketch, whorl_hash(&s->initial));
#endif
  uint64_t key = whorl_hash(&s->initial), pair = 0;
  if (kind == WHORL_TREE) {
    pair = whorl_tree_pair_of(&s->visited.tree, &s->initial);
    key = whorl_tree_key(&s->visited.tree, pair);
  }
  s->states = s->transitions = 1;
  uint64_t slot = whorl_visited_seek(&s->visited, kind, key);
  whorl_visited_add(&s->visited, kind, slot, &s->initial, key, WHORL_NO_REF);
#if WHORL_THREADS
  atomic_store(&s->crew->states, 1);
  if (whorl_by_levels(s)) {
    whorl_log_push(&s->log, &s->visited, kind, &s->initial, pair);
    whorl_log_next_level(&s->log);
    return;
  }
#endif
  whorl_frontier_push(&s->frontier, kind, &s->visited, &s->initial, NULL, pair, WHORL_NO_REF, 0);
}

/* Searches until everything is expanded, or something ends it. */
static void whorl_work(whorl_search *s) {
  switch (WHORL_CHOSEN(s->options.store)) {
    case WHORL_EXACT:
      if (WHORL_HAS(WHORL_EXACT)) whorl_search_run_kind(s, WHORL_EXACT);
      break;
    case WHORL_TREE:
      if (WHORL_HAS(WHORL_TREE)) whorl_search_run_kind(s, WHORL_TREE);
      break;
    case WHORL_HASH_COMPACT:
      if (WHORL_HAS(WHORL_HASH_COMPACT)) whorl_search_run_kind(s, WHORL_HASH_COMPACT);
      break;
    case WHORL_BITSTATE:
      if (WHORL_HAS(WHORL_BITSTATE)) whorl_search_run_kind(s, WHORL_BITSTATE);
      break;
  }
#if WHORL_THREADS
  if (s->stopped) whorl_stop_all(s, s->stopped);
#endif
}

static void whorl_search_run(whorl_search *s) {
  whorl_search_start(s);
  if (s->stopped) return;
  whorl_work(s);
#if WHORL_THREADS
  whorl_crew_end(s);
#endif
  if (s->failed && !s->stopped) s->stopped = WHORL_STOP_VIOLATION;
}

#endif
