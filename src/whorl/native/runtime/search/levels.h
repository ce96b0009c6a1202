/* Breadth-first search by levels, by any number of threads, with the same counterexample each time.
 *
 * Each thread has a log of the states that it found, as root pairs in the order of arrival; what was found
 * in a level is a range of each log. The states of a level are expanded by whoever claims them, some at a
 * time. Once all have been, the next level begins: so a state is found at its least depth, however many
 * threads there are, and what is found does not depend on them unless the reduction does (proviso.h).
 *
 *   log of thread 0   | level 0 | level 1 | level 2 ...
 *   log of thread 1   |         | level 1 | level 2 ...
 *
 * Of the failures of a level the one in the least state is told; the way to it is made of least states,
 * too. There is no parent beside a state: for each level back to the first one all its states are expanded
 * again, and the least one that leads on is taken. That is one more search at most, and only if there is
 * something to tell.
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

/* A thread's log. */
typedef struct {
  _Alignas(
      WHORL_LINE) _Atomic uint64_t claimed; /* of this level: where what is not claimed begins */
  uint64_t end;                             /* and ends */
  uint64_t count;                           /* of the log, with what was found since */
  uint64_t *begins;                         /* of each level so far */
  uint32_t levels, room;
  whorl_region memory;
  uint64_t *pairs;
} whorl_log;

/* What a thread has claimed of some log. */
typedef struct {
  const whorl_log *log;
  uint64_t at, end;
} whorl_claim;

static bool whorl_log_init(whorl_log *l, whorl_account *account) {
  memset(l, 0, sizeof *l);
  if (!whorl_region_init(&l->memory, account, (size_t)8 << 37)) return false;
  l->pairs = (uint64_t *)(void *)l->memory.base;
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

static inline void whorl_log_push(whorl_log *l, uint64_t pair) { l->pairs[l->count++] = pair; }

/* Claims some states of a log. Whether there were any. */
static inline bool whorl_log_claim(whorl_log *l, whorl_claim *claim) {
  if (atomic_load_explicit(&l->claimed, memory_order_relaxed) >= l->end) return false;
  uint64_t at = atomic_fetch_add_explicit(&l->claimed, WHORL_CLAIM, memory_order_relaxed);
  if (at >= l->end) return false;
  claim->log = l;
  claim->at = at;
  claim->end = at + WHORL_CLAIM < l->end ? at + WHORL_CLAIM : l->end;
  return true;
}

/* A state of a level, by its pair. */
static inline void whorl_level_state(const whorl_tree *tree, uint64_t pair, uint32_t level,
                                     whorl_source *out) {
  whorl_tree_unfold(tree, pair, &out->unfolded, &out->unfolded_state);
  out->state = &out->unfolded_state;
  out->folded = &out->unfolded;
  out->pair = pair;
  out->depth = level;
  out->ref = 0;
}

/* The next state of a claim; there is one. */
static inline void whorl_claim_take(whorl_claim *claim, const whorl_tree *tree, uint32_t level,
                                    whorl_source *out) {
  uint64_t pair = claim->log->pairs[claim->at++];
  if (claim->at + 4 < claim->end)
    whorl_tree_prefetch_unfold(tree, claim->log->pairs[claim->at + 4]);
  whorl_level_state(tree, pair, level, out);
}

/* The tree has another shape: all that is in the log goes by other pairs. */
static bool whorl_log_move(whorl_log *l, const whorl_tree *from, whorl_tree *to) {
  for (uint64_t i = 0; i < l->count; i++) {
    if (!whorl_tree_reserve(to, 1)) return false;
    l->pairs[i] = whorl_tree_move(from, to, l->pairs[i]);
  }
  return true;
}

#endif
