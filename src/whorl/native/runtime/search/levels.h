/* Breadth-first search by levels, by any number of threads, with the same counterexample each time.
 *
 * Each thread has a log of the states that it found, in the order of arrival; what was found in a level is
 * a range of each log. With the tree a log has root pairs. The exact store has states side by side in an arena
 * (shared_arena.h), and the approximate ones get one for this: there a log has runs of them, each with the
 * reference of the first. The states of a level are expanded by whoever claims them, some at a
 * time. Once all have been, the next level begins: so a state is found at its least depth, however many
 * threads there are, and what is found does not depend on them unless the reduction does (proviso.h).
 *
 *   log of thread 0   | level 0 | level 1 | level 2 ...
 *   log of thread 1   |         | level 1 | level 2 ...
 *
 * Of the failures of a level the one in the least state is told; the way to it is made of least states,
 * too. There is no parent beside a state: for each level back to the first one all its states are expanded
 * again, and the least one that leads on is taken. That is one more search at most, and only if there is
 * something to tell. So the logs, and with an approximate store the states, are kept to the end.
 */
#ifndef WHORL_LEVELS_H
#define WHORL_LEVELS_H

#include "model/expand.h"
#include "search/frontier.h"
#include "search/least.h"
#include "store/shared.h"

#ifndef WHORL_CLAIM
#define WHORL_CLAIM 64 /* states that are claimed at a time */
#endif

#define WHORL_RUN_ONE (UINT64_C(1) << WHORL_ARENA_BITS) /* in an entry that is a run */

/* A thread's log. */
typedef struct {
  _Alignas(
      WHORL_LINE) _Atomic uint64_t claimed; /* of this level: where what is not claimed begins */
  uint64_t end;                             /* and ends */
  uint64_t count;                           /* of the log, with what was found since */
  uint64_t *begins;                         /* of each level so far */
  uint32_t levels, room;
  whorl_region memory;
  uint64_t *entries;    /* pairs or runs */
  whorl_arena_ref next; /* where the last run would go on */
} whorl_log;

/* What a thread has claimed of some log. */
typedef struct {
  const whorl_log *log;
  uint64_t at, end;
  uint64_t left; /* of the run that was begun last: so many states */
  whorl_arena_ref next;
} whorl_claim;

static bool whorl_log_init(whorl_log *l, whorl_account *account) {
  memset(l, 0, sizeof *l);
  if (!whorl_region_init(&l->memory, account, (size_t)8 << 37)) return false;
  l->entries = (uint64_t *)(void *)l->memory.base;
  return true;
}

/* Everything found so far is the next level. How much that is. */
static uint64_t whorl_log_next_level(whorl_log *l) {
  if (l->levels == l->room) {
    uint32_t more = l->room ? 2 * l->room : 64;
    l->begins =
        (uint64_t *)whorl_grown(l->begins, l->room * sizeof *l->begins, more * sizeof *l->begins);
    l->room = more;
  }
  atomic_store_explicit(&l->claimed, l->end, memory_order_relaxed);
  l->begins[l->levels++] = l->end;
  uint64_t size = l->count - l->end;
  l->end = l->count;
  return size;
}

static inline bool whorl_log_reserve(whorl_log *l, uint64_t more) {
  return whorl_region_commit(&l->memory, (l->count + more) * 8);
}

/* Logs the state that is in the arena by now, as the last one: in a run with the one before if that is of the
 * same level. */
static inline void whorl_log_record(whorl_log *l, const whorl_arena *a) {
  bool goes_on = l->count > l->end && l->next == a->last;
  if (goes_on && l->entries[l->count - 1] >> WHORL_ARENA_BITS < WHORL_CLAIM)
    l->entries[l->count - 1] += WHORL_RUN_ONE;
  else
    l->entries[l->count++] = WHORL_RUN_ONE | a->last;
  l->next = a->next;
}

/* Logs a state that was found just now. `pair`: with the tree. */
WHORL_INLINE void whorl_log_push(whorl_log *l, whorl_visited *v, whorl_kind kind,
                                 const whorl_state *s, uint64_t pair) {
  if (kind == WHORL_TREE) {
    l->entries[l->count++] = pair;
    return;
  }
  if (kind != WHORL_EXACT) {
    whorl_arena_write(&v->kept, s);
    whorl_arena_keep(&v->kept);
  }
  whorl_log_record(l, whorl_visited_arena(v, kind));
}

/* Claims some states of a log. Whether there were any. */
static inline bool whorl_log_claim(whorl_log *l, whorl_kind kind, whorl_claim *claim) {
  uint64_t entries = kind == WHORL_TREE ? WHORL_CLAIM : 1;
  if (atomic_load_explicit(&l->claimed, memory_order_relaxed) >= l->end) return false;
  uint64_t at = atomic_fetch_add_explicit(&l->claimed, entries, memory_order_relaxed);
  if (at >= l->end) return false;
  claim->log = l;
  claim->at = at;
  claim->end = at + entries < l->end ? at + entries : l->end;
  return true;
}

/* Whether there is a state left. */
static inline bool whorl_claim_has(const whorl_claim *claim) {
  return claim->at < claim->end || claim->left > 0;
}

/* A state of a level, by its name: its pair, or its reference. */
WHORL_INLINE void whorl_level_state(const whorl_visited *v, whorl_kind kind, uint64_t name,
                                    uint32_t level, whorl_source *out) {
  if (kind == WHORL_TREE) {
    whorl_tree_unfold(&v->tree, name, &out->unfolded, &out->unfolded_state);
    out->state = &out->unfolded_state;
    out->folded = &out->unfolded;
  } else {
    out->state = whorl_arena_state(whorl_visited_arena(v, kind), name, &out->unfolded_state);
  }
  out->name = name;
  out->depth = level;
  out->ref = 0;
}

/* The name of the next state of a claim; there is one. */
WHORL_INLINE uint64_t whorl_claim_next(whorl_claim *claim, const whorl_visited *v,
                                       whorl_kind kind) {
  const uint64_t *entries = claim->log->entries;
  if (kind == WHORL_TREE) {
    if (claim->at + 5 < claim->end) whorl_tree_prefetch_unfold(&v->tree, entries[claim->at + 5]);
    return entries[claim->at++];
  }
  if (claim->left == 0) {
    uint64_t run = entries[claim->at++];
    claim->left = run >> WHORL_ARENA_BITS;
    claim->next = run & (WHORL_RUN_ONE - 1);
  }
  claim->left--;
  whorl_arena_ref ref = claim->next;
  claim->next = whorl_arena_behind(whorl_visited_arena(v, kind), ref);
  return ref;
}

/* The next state itself. */
WHORL_INLINE void whorl_claim_take(whorl_claim *claim, const whorl_visited *v, whorl_kind kind,
                                   uint32_t level, whorl_source *out) {
  whorl_level_state(v, kind, whorl_claim_next(claim, v, kind), level, out);
}

/* The tree has another shape: all that is in the log goes by other pairs. */
static bool whorl_log_move(whorl_log *l, const whorl_tree *from, whorl_tree *to) {
  for (uint64_t i = 0; i < l->count; i++) {
    if (!whorl_tree_reserve(to, 1)) return false;
    l->entries[i] = whorl_tree_move(from, to, l->entries[i]);
  }
  return true;
}

#endif
