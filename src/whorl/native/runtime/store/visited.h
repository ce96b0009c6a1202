/* What has been visited: one of the four stores.
 *
 * Functions that take a `kind` are inlined where it is a constant, so that each search is compiled
 * for its store and pays nothing for the choice. Defining WHORL_ONLY as one of the kinds leaves the
 * others out, which makes compiling quicker.
 *
 * A state's `key` is what its store knows it by: its hash, or for the tree its root pair, mixed.
 */
#ifndef WHORL_VISITED_H
#define WHORL_VISITED_H

#include "store/tree.h"
#if WHORL_THREADS
#include "store/shared_approximate.h"
#include "store/shared_store.h"
#else
#include "store/approximate.h"
#include "store/store.h"
#endif

#define WHORL_INLINE static inline __attribute__((always_inline))

typedef enum { WHORL_EXACT, WHORL_TREE, WHORL_HASH_COMPACT, WHORL_BITSTATE } whorl_kind;

static const char *const whorl_kind_names[] = {"exact", "tree", "hash-compact", "bitstate"};

#ifdef WHORL_ONLY
#define WHORL_HAS(kind) ((kind) == WHORL_ONLY)
#define WHORL_CHOSEN(kind) ((void)(kind), WHORL_ONLY)
#else
#define WHORL_HAS(kind) true
#define WHORL_CHOSEN(kind) (kind)
#endif

typedef struct {
  whorl_store exact;
  whorl_tree tree;
  whorl_compact compact;
  whorl_bitstate bitstate;
#if WHORL_THREADS
  bool keeps; /* with an approximate store, by levels: the states themselves, too (levels.h) */
  whorl_arena kept;
#endif
} whorl_visited;

static bool whorl_visited_init(whorl_visited *v, whorl_kind kind, whorl_account *account,
                               unsigned bits) {
  switch (kind) {
    case WHORL_EXACT:
      return whorl_store_init(&v->exact, account);
    case WHORL_TREE: {
      whorl_shape shape;
      whorl_shape_init(&shape, whorl_choose_middle, NULL);
      return whorl_tree_init(&v->tree, account, &shape, false);
    }
    case WHORL_HASH_COMPACT:
      return whorl_compact_init(&v->compact, account);
    case WHORL_BITSTATE:
      return whorl_bitstate_init(&v->bitstate, account, bits);
  }
  return false;
}

static size_t whorl_visited_bytes(const whorl_visited *v, whorl_kind kind) {
  switch (kind) {
    case WHORL_EXACT:
      return whorl_store_bytes(&v->exact);
    case WHORL_TREE:
      return whorl_tree_bytes(&v->tree);
    case WHORL_HASH_COMPACT:
      return whorl_compact_bytes(&v->compact);
    case WHORL_BITSTATE:
      return v->bitstate.memory.committed;
  }
  return 0;
}

/* The chance that a new state would now be taken for one that was seen; none if it is exact. */
static double whorl_visited_collision(const whorl_visited *v, whorl_kind kind) {
  if (kind == WHORL_HASH_COMPACT) return whorl_compact_collision(&v->compact);
  if (kind == WHORL_BITSTATE) return whorl_bitstate_collision(&v->bitstate);
  return 0;
}

/* Room for `more` states. */
WHORL_INLINE bool whorl_visited_reserve(whorl_visited *v, whorl_kind kind, uint64_t more) {
  if (kind == WHORL_TREE) return whorl_tree_reserve_roots(&v->tree, more);
#if !WHORL_THREADS
  if (kind == WHORL_EXACT) return whorl_store_reserve(&v->exact, more);
  if (kind == WHORL_HASH_COMPACT) return whorl_compact_reserve(&v->compact, more);
#endif
  return true;
}

WHORL_INLINE void whorl_visited_prefetch(const whorl_visited *v, whorl_kind kind, uint64_t key) {
  if (kind == WHORL_EXACT) whorl_store_prefetch(&v->exact, key);
  if (kind == WHORL_HASH_COMPACT) whorl_compact_prefetch(&v->compact, key);
  if (kind == WHORL_BITSTATE) whorl_bitstate_prefetch(&v->bitstate, key);
}

/* Between the prefetch and the addition: where the addition may begin its search. */
WHORL_INLINE uint64_t whorl_visited_seek(const whorl_visited *v, whorl_kind kind, uint64_t key) {
  if (kind == WHORL_EXACT) return whorl_store_seek(&v->exact, key);
  if (kind == WHORL_HASH_COMPACT) return whorl_compact_find(&v->compact, key);
  if (kind == WHORL_TREE) return whorl_roots_home(&v->tree.roots, key);
  return 0;
}

/* Whether the state is new; then it has been added. Only the exact store of one thread notes where it
 * was reached from. */
WHORL_INLINE bool whorl_visited_add(whorl_visited *v, whorl_kind kind, uint64_t slot,
                                    const whorl_state *s, uint64_t key, uint32_t parent) {
  if (kind == WHORL_TREE) return whorl_roots_add_at(&v->tree.roots, slot, key);
  if (kind == WHORL_HASH_COMPACT) return whorl_compact_add(&v->compact, slot, key);
  if (kind == WHORL_BITSTATE) return whorl_bitstate_add(&v->bitstate, key);
#if WHORL_THREADS
  (void)parent;
  return whorl_store_add(&v->exact, slot, s, key);
#else
  return whorl_store_add(&v->exact, slot, s, key, parent);
#endif
}

#if WHORL_THREADS
/* Has an approximate store keep the states themselves, too. Whether there is memory. */
static bool whorl_visited_keep(whorl_visited *v, whorl_kind kind, whorl_account *account) {
  v->keeps = kind == WHORL_HASH_COMPACT || kind == WHORL_BITSTATE;
  return !v->keeps || whorl_arena_init(&v->kept, account);
}

/* What can tell a state by its reference. */
WHORL_INLINE const whorl_arena *whorl_visited_arena(const whorl_visited *v, whorl_kind kind) {
  return kind == WHORL_EXACT ? &v->exact.arena : &v->kept;
}

/* For one more thread, before it begins: the same store. */
static bool whorl_visited_view(whorl_visited *v, whorl_kind kind, const whorl_visited *of) {
  v->keeps = of->keeps;
  if (of->keeps) whorl_arena_view(&v->kept, &of->kept);
  if (kind == WHORL_EXACT) whorl_store_view(&v->exact, &of->exact);
  if (kind == WHORL_TREE) return whorl_tree_view(&v->tree, &of->tree);
  if (kind == WHORL_HASH_COMPACT) whorl_compact_view(&v->compact, &of->compact);
  if (kind == WHORL_BITSTATE) whorl_bitstate_view(&v->bitstate, &of->bitstate);
  return true;
}

/* Room for `more` states; false if it takes a barrier. */
WHORL_INLINE bool whorl_visited_lease(whorl_visited *v, whorl_kind kind, uint32_t more) {
  if (kind == WHORL_EXACT) return whorl_store_reserve(&v->exact, more);
  if (kind == WHORL_TREE) return whorl_tree_lease(&v->tree, more);
  if (v->keeps && !whorl_arena_reserve(&v->kept, more)) return false;
  if (kind == WHORL_HASH_COMPACT)
    return whorl_stock_lease(&v->compact.core->stock, &v->compact.lease, more);
  return true;
}

/* The steps of a barrier (shared_roots.h). Everybody: */
static void whorl_visited_return(whorl_visited *v, whorl_kind kind) {
  if (v->keeps) whorl_arena_return(&v->kept);
  if (kind == WHORL_EXACT) whorl_store_return(&v->exact);
  if (kind == WHORL_TREE) whorl_tree_return(&v->tree);
  if (kind == WHORL_HASH_COMPACT) whorl_stock_return(&v->compact.core->stock, &v->compact.lease);
}

/* One: begins to make room for so many threads. Whether there is memory. */
static bool whorl_visited_begin_growth(whorl_visited *v, whorl_kind kind, uint64_t threads) {
  if (v->keeps && !whorl_arena_begin(&v->kept, threads, 1)) return false;
  if (kind == WHORL_EXACT) return whorl_store_begin(&v->exact, threads, 1);
  if (kind == WHORL_TREE) return whorl_tree_begin_growth(&v->tree, threads);
  return kind != WHORL_HASH_COMPACT || whorl_index_begin(v->compact.core, threads, 1);
}

static bool whorl_visited_moves(const whorl_visited *v, whorl_kind kind) {
  if (kind == WHORL_EXACT) return whorl_store_moves(&v->exact);
  if (kind == WHORL_TREE) return whorl_tree_moves(&v->tree);
  return kind == WHORL_HASH_COMPACT && v->compact.core->old_memory.base != NULL;
}

/* Everybody, if something moves: */
static void whorl_visited_move_tables(whorl_visited *v, whorl_kind kind) {
  if (kind == WHORL_EXACT) whorl_store_move(&v->exact);
  if (kind == WHORL_TREE) whorl_tree_move_tables(&v->tree);
  if (kind == WHORL_HASH_COMPACT) whorl_index_move(v->compact.core);
}

/* One: */
static void whorl_visited_end_growth(whorl_visited *v, whorl_kind kind) {
  if (v->keeps) whorl_arena_end(&v->kept);
  if (kind == WHORL_EXACT) whorl_store_end(&v->exact);
  if (kind == WHORL_TREE) whorl_tree_end_growth(&v->tree);
  if (kind == WHORL_HASH_COMPACT) whorl_index_end(v->compact.core);
}

/* Everybody: */
static void whorl_visited_look(whorl_visited *v, whorl_kind kind) {
  if (kind == WHORL_EXACT) whorl_store_look(&v->exact);
  if (kind == WHORL_TREE) whorl_tree_look(&v->tree);
  if (kind == WHORL_HASH_COMPACT) v->compact.index = v->compact.core->layout;
}

/* Marks beside states (shared_marks.h). All states get one, while there is one thread, if the store has
 * marks; whether there is memory. */
static bool whorl_visited_mark_all(whorl_visited *v, whorl_kind kind) {
  if (kind == WHORL_TREE) return whorl_roots_mark_all(&v->tree.roots);
  if (kind != WHORL_HASH_COMPACT) return true;
  if (!whorl_index_mark_all(v->compact.core)) return false;
  v->compact.index = v->compact.core->layout;
  return true;
}

/* While there is one thread. A state that is stored is known by its pair or, without the tree, by its
 * hash: `name`. */
WHORL_INLINE void whorl_visited_unmark(whorl_visited *v, whorl_kind kind, uint64_t name) {
  if (kind == WHORL_TREE) whorl_roots_unmark(&v->tree.roots, whorl_tree_key(&v->tree, name));
  if (kind == WHORL_HASH_COMPACT)
    whorl_mark_clear(v->compact.index.marks, whorl_compact_slot(&v->compact, name));
}

WHORL_INLINE void whorl_visited_mark(whorl_visited *v, whorl_kind kind, uint64_t name) {
  if (kind == WHORL_TREE) whorl_roots_mark(&v->tree.roots, whorl_tree_key(&v->tree, name));
  if (kind == WHORL_HASH_COMPACT)
    whorl_mark_set(v->compact.index.marks, whorl_compact_slot(&v->compact, name));
}

WHORL_INLINE bool whorl_visited_is_marked(const whorl_visited *v, whorl_kind kind, uint64_t name) {
  if (kind == WHORL_TREE)
    return whorl_roots_is_marked(&v->tree.roots, whorl_tree_key(&v->tree, name));
  return kind == WHORL_HASH_COMPACT &&
         whorl_mark_get(v->compact.index.marks, whorl_compact_slot(&v->compact, name));
}

/* Some time before a state is marked. */
WHORL_INLINE void whorl_visited_prefetch_mark(const whorl_visited *v, whorl_kind kind,
                                              uint64_t name) {
  if (kind != WHORL_TREE) return;
  uint64_t home = whorl_roots_home(&v->tree.roots, whorl_tree_key(&v->tree, name));
  whorl_roots_prefetch(&v->tree.roots, home);
  whorl_roots_prefetch_mark(&v->tree.roots, home);
}

/* Adds what another thread has counted, once it has come to its end. */
static void whorl_visited_add_up(whorl_visited *v, const whorl_visited *other) {
  v->compact.count += other->compact.count;
  v->bitstate.count += other->bitstate.count;
  v->bitstate.set += other->bitstate.set;
}
#endif

#endif
