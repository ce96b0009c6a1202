/* The states that a worker owns, in the order of arrival, as root pairs: what is to be expanded, and
 * the way back.
 *
 * A superstep expands a range of the log. What comes of it lies further on, here or at other workers.
 *
 *   log   | superstep 0 | superstep 1 | superstep 2 ... | not expanded yet |
 *                                                       ^ cursor
 *
 * By levels, a superstep is all that was found in the one before; that is breadth-first search. Else
 * a worker goes on with what it finds itself before it hears of the others, so that supersteps are few.
 * Then each state has beside it where it was found from: the place in the log of its parent, or, if it
 * came from another worker, the superstep in which that one has a parent.
 */
#ifndef WHORL_OWN_LOG_H
#define WHORL_OWN_LOG_H

#include "store/visited.h"

#define WHORL_FROM_OTHERS UINT32_C(0x80000000) /* with the superstep */
#define WHORL_FROM_NOWHERE UINT32_MAX          /* the initial state */

typedef struct {
  whorl_region memory, parent_memory;
  uint64_t *pairs;
  uint32_t *parents; /* or NULL: by levels */
  uint64_t count, cursor, end;
  uint64_t *begins; /* of each superstep so far */
  uint32_t supersteps, room;
} whorl_own_log;

static bool whorl_own_log_init(whorl_own_log *l, whorl_account *account, bool parents) {
  memset(l, 0, sizeof *l);
  if (!whorl_region_init(&l->memory, account, (size_t)8 << 36)) return false;
  l->pairs = (uint64_t *)(void *)l->memory.base;
  if (!parents) return true;
  if (!whorl_region_init(&l->parent_memory, account, (size_t)4 << 31)) return false;
  l->parents = (uint32_t *)(void *)l->parent_memory.base;
  return true;
}

static inline bool whorl_own_log_reserve(whorl_own_log *l, uint64_t more) {
  if (l->parents && l->count + more >= WHORL_FROM_OTHERS) {
    l->memory.account->refused = WHORL_NO_ROOM;
    return false;
  }
  if (l->parents && !whorl_region_commit(&l->parent_memory, (l->count + more) * 4)) return false;
  return whorl_region_commit(&l->memory, (l->count + more) * 8);
}

static inline void whorl_own_log_push(whorl_own_log *l, uint64_t pair, uint32_t parent) {
  l->pairs[l->count] = pair;
  if (l->parents) l->parents[l->count] = parent;
  l->count++;
}

static void whorl_own_log_note(whorl_own_log *l, uint64_t begin) {
  if (l->supersteps == l->room) {
    uint32_t more = l->room ? 2 * l->room : 64;
    l->begins =
        (uint64_t *)whorl_grown(l->begins, l->room * sizeof *l->begins, more * sizeof *l->begins);
    l->room = more;
  }
  l->begins[l->supersteps++] = begin;
}

/* The next superstep begins. How many states it has to expand. */
static uint64_t whorl_own_log_next(whorl_own_log *l) {
  assert(l->parents || l->cursor == l->end);
  whorl_own_log_note(l, l->cursor);
  l->end = l->count;
  return l->end - l->cursor;
}

/* Where the expansion of this superstep ends. */
static inline uint64_t whorl_own_log_end(const whorl_own_log *l) {
  return l->parents ? l->count : l->end;
}

/* The range of a superstep. */
static inline uint64_t whorl_superstep_end(const whorl_own_log *l, uint32_t superstep) {
  return superstep + 1 < l->supersteps ? l->begins[superstep + 1] : l->cursor;
}

/* The tree has another shape: all that is in the log goes by other pairs. */
static bool whorl_own_log_move(whorl_own_log *l, const whorl_tree *from, whorl_tree *to) {
  for (uint64_t i = 0; i < l->count; i++) {
    if (!whorl_tree_reserve(to, 1)) return false;
    l->pairs[i] = whorl_tree_move(from, to, l->pairs[i]);
  }
  return true;
}

#endif
