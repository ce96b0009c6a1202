/* What is still to be expanded, in depth-first or breadth-first order, and the way back.
 *
 * A reference (`ref`) names a state that can still be had, for expanding it or for a trail.
 *
 * Breadth first with the exact store it is the state's number, the store knows its parent, and the
 * frontier is nothing: states are expanded in the order of their numbers.
 *
 * Else the frontier is a log of entries: the reference of the parent, the depth, and what the state
 * can be had from (its number in the exact store, the tree's root pair, or the state itself). A
 * reference is a place in the log. Breadth first, nothing is ever removed. Depth first, an entry stays
 * until all that came after it is gone, as on the stack of a recursive search, so that the way to every
 * entry is there: a trail needs neither a parent for every stored state nor a second search.
 *
 *   entry   | parent : 32 | anchored : 1, depth : 31 | number, root pair or state |
 *
 * Beside the log there is the stack of those that are open, that is, not yet expanded.
 *
 * A state whose entry is gone is closed. Where a reduction has a proviso, it can be known which states
 * are in the log and where (places.h), so that it can be told of any stored state whether it is closed
 * before another one.
 *
 * A tree's state has to be unfolded, node by node, to be expanded. Depth first, what is taken next
 * has mostly been added not long ago, so the states added last are kept as they are, by place.
 *
 * Several states are taken before the successors of any are added (search.h). In a log the search
 * for states to take may step over a few that are open; that is still depth first as far as memory
 * and trails are concerned, and it keeps batches full.
 */
#ifndef WHORL_FRONTIER_H
#define WHORL_FRONTIER_H

#include "search/places.h"
#include "store/visited.h"

#define WHORL_NO_REF UINT32_MAX
#define WHORL_STEP_OVER 64
#ifndef WHORL_KEPT
#define WHORL_KEPT 128 /* states that are kept as they are: a power of two */
#endif

typedef enum { WHORL_DFS, WHORL_BFS } whorl_order;

/* A state taken from the frontier. */
typedef struct {
  uint32_t ref;
  uint32_t depth;
#if WHORL_THREADS
  uint64_t name; /* breadth first: what the log has of it; there is no reference (levels.h) */
#endif
  const whorl_state *state;
  const whorl_folded *folded;
  whorl_state unfolded_state; /* room for what is not kept */
  whorl_folded unfolded;
} whorl_source;

/* A state of the tree that was added lately, while its place in the log has this pair. */
typedef struct {
  uint64_t pair;
  uint32_t place;
  whorl_folded folded;
  whorl_state state;
} whorl_kept;

typedef struct {
  whorl_order order;
  whorl_region memory;
  uint64_t *entries; /* the log */
  uint64_t count;    /* how many entries there are */
  uint64_t head;     /* breadth first: the next to expand */
  uint64_t cursor;   /* depth first: the place taken last */
  whorl_region open_memory;
  uint32_t *open; /* depth first: places, in ascending order */
  uint64_t open_count;
#if WHORL_THREADS
  uint64_t bottom; /* depth first: open entries below have been given away (parcel.h) */
  bool shared;     /* there are other threads, with logs of their own */
  bool marks;      /* what is anchored is marked in the store (anchored.h) */
#endif
  whorl_places places; /* depth first, with a proviso */
  uint64_t level_end;
  uint32_t level;
  whorl_kept kept[WHORL_KEPT]; /* by the lower bits of the place */
} whorl_frontier;

/* How many words an entry has. */
WHORL_INLINE uint64_t whorl_entry_words(whorl_kind kind) {
  return kind == WHORL_EXACT || kind == WHORL_TREE ? 2 : 1 + WHORL_WORDS;
}

/* Whether there is a log. */
WHORL_INLINE bool whorl_has_log(const whorl_frontier *f, whorl_kind kind) {
  return WHORL_THREADS || kind != WHORL_EXACT || f->order == WHORL_DFS;
}

/* Whether it can be known where in the log a state is. */
WHORL_INLINE bool whorl_has_places(const whorl_frontier *f) {
#if WHORL_THREADS
  if (f->shared) return false;
#endif
  return WHORL_PROVISO && f->order == WHORL_DFS;
}

/* Beside the depth in an entry, on several threads: the state is anchored (anchored.h). No depth has this
 * bit, as there are no depths above INT32_MAX; and a state that has it has been expanded. */
#define WHORL_ANCHORED (UINT64_C(1) << 31)

/* The first open entry that has not been given away. */
WHORL_INLINE uint64_t whorl_frontier_bottom(const whorl_frontier *f) {
#if WHORL_THREADS
  return f->bottom;
#else
  (void)f;
  return 0;
#endif
}

/* Whether it is: not before it was asked for the first time. */
WHORL_INLINE bool whorl_keeps_places(const whorl_frontier *f) {
  return WHORL_PROVISO && f->places.heads != NULL;
}

static void whorl_frontier_forget(whorl_frontier *f) {
  for (int i = 0; i < WHORL_KEPT; i++) f->kept[i].place = WHORL_NO_REF;
}

static bool whorl_frontier_init(whorl_frontier *f, whorl_kind kind, whorl_order order,
                                whorl_account *account) {
  memset(f, 0, sizeof *f);
  f->order = order;
  whorl_frontier_forget(f);
  if (!whorl_region_init(&f->memory, account, WHORL_MOST_STATES * whorl_entry_words(kind) * 8))
    return false;
  f->entries = (uint64_t *)(void *)f->memory.base;
  if (order == WHORL_BFS) return true;
  if (!whorl_region_init(&f->open_memory, account, WHORL_MOST_STATES * sizeof *f->open))
    return false;
  f->open = (uint32_t *)(void *)f->open_memory.base;
  return !whorl_has_places(f) || whorl_places_init(&f->places, account, WHORL_MOST_STATES);
}

/* Room for `more` entries. */
WHORL_INLINE bool whorl_frontier_reserve(whorl_frontier *f, whorl_kind kind, uint64_t more) {
  if (!whorl_has_log(f, kind)) return true;
  return f->count + more <= WHORL_MOST_STATES &&
         whorl_region_commit(&f->memory, (f->count + more) * whorl_entry_words(kind) * 8) &&
         (f->order == WHORL_BFS ||
          whorl_region_commit(&f->open_memory, (f->open_count + more) * sizeof *f->open)) &&
         (!whorl_has_places(f) || whorl_places_reserve(&f->places, f->count + more));
}

/* What the state of an entry goes by in the places. */
WHORL_INLINE uint64_t whorl_frontier_hash(const whorl_frontier *f, whorl_kind kind,
                                          const whorl_visited *v, uint32_t place) {
  const uint64_t *entry = &f->entries[place * whorl_entry_words(kind)];
  whorl_state room;
  if (kind == WHORL_TREE) return entry[1];
  if (kind == WHORL_EXACT)
    return whorl_hash(whorl_arena_state(&v->exact.arena, (whorl_arena_ref)entry[1], &room));
  return whorl_hash((const whorl_state *)(const void *)(entry + 1));
}

/* The places of all that is in the log, from the beginning. */
static __attribute__((noinline)) void whorl_frontier_note_all(whorl_frontier *f, whorl_kind kind,
                                                              const whorl_visited *v) {
  whorl_places_clear(&f->places, f->count);
  for (uint32_t place = 0; place < f->count; place++)
    whorl_places_add(&f->places, whorl_frontier_hash(f, kind, v, place), place);
}

/* The place of the entry added last. */
WHORL_INLINE void whorl_frontier_note(whorl_frontier *f, whorl_kind kind, const whorl_visited *v,
                                      uint32_t place) {
  if (__builtin_expect(whorl_places_crowded(&f->places, f->count), 0))
    whorl_frontier_note_all(f, kind, v);
  else
    whorl_places_add(&f->places, whorl_frontier_hash(f, kind, v, place), place);
}

/* Whether a state that is stored is closed before the one at `ref`: it is already, or its entry is
 * above that one. Its `hash` is its pair, with the tree. */
static bool whorl_frontier_closes(whorl_frontier *f, whorl_kind kind, const whorl_visited *v,
                                  const whorl_state *s, uint64_t hash, uint32_t ref) {
  if (!whorl_keeps_places(f)) whorl_frontier_note_all(f, kind, v);
  uint32_t place = *whorl_places_head(&f->places, hash);
  for (; place != WHORL_NO_PLACE; place = f->places.next[place]) {
    const uint64_t *entry = &f->entries[place * whorl_entry_words(kind)];
    bool same = kind == WHORL_TREE ? entry[1] == hash
                : kind == WHORL_EXACT
                    ? whorl_arena_equal(&v->exact.arena, (whorl_arena_ref)entry[1], s)
                    : whorl_equal((const whorl_state *)(const void *)&entry[1], s);
    if (same) return place > ref;
  }
  return true;
}

/* Adds a new state. With the exact store it is the one stored last; with the tree it is kept if
 * its references are given. */
WHORL_INLINE void whorl_frontier_push(whorl_frontier *f, whorl_kind kind, const whorl_visited *v,
                                      const whorl_state *s, const whorl_folded *folded,
                                      uint64_t pair, uint32_t parent, uint32_t depth) {
  if (!whorl_has_log(f, kind)) return;
  uint32_t place = (uint32_t)f->count++;
  uint64_t *entry = &f->entries[place * whorl_entry_words(kind)];
  entry[0] = (uint64_t)parent << 32 | depth;
  if (f->order == WHORL_DFS) f->open[f->open_count++] = place;
  if (kind == WHORL_EXACT)
    entry[1] = v->exact.arena.last;
  else if (kind == WHORL_TREE)
    entry[1] = pair;
  else
    memcpy(entry + 1, s, sizeof *s);
  if (whorl_keeps_places(f)) whorl_frontier_note(f, kind, v, place);
  if (kind == WHORL_TREE && folded) {
    whorl_kept *kept = &f->kept[place % WHORL_KEPT];
    kept->pair = pair;
    kept->place = place;
    kept->folded = *folded;
    kept->state = *s;
  }
}

/* The state at a reference. It is there until another one is added. */
WHORL_INLINE void whorl_frontier_state(const whorl_frontier *f, whorl_kind kind,
                                       const whorl_visited *v, uint32_t ref, whorl_source *out) {
  const uint64_t *entry = &f->entries[ref * whorl_entry_words(kind)];
  out->ref = ref;
  if (kind == WHORL_EXACT) {
    whorl_arena_ref number = f->order == WHORL_DFS ? (whorl_arena_ref)entry[1] : ref;
    out->state = whorl_arena_state(&v->exact.arena, number, &out->unfolded_state);
  } else if (kind == WHORL_TREE) {
    const whorl_kept *kept = &f->kept[ref % WHORL_KEPT];
    out->state = &kept->state;
    out->folded = &kept->folded;
    if (kept->place == ref && kept->pair == entry[1]) return;
    whorl_tree_unfold(&v->tree, entry[1], &out->unfolded, &out->unfolded_state);
    out->state = &out->unfolded_state;
    out->folded = &out->unfolded;
  } else {
    out->state = (const whorl_state *)(const void *)(entry + 1);
  }
}

static inline uint32_t whorl_frontier_parent(const whorl_frontier *f, whorl_kind kind,
                                             const whorl_visited *v, uint32_t ref) {
#if !WHORL_THREADS
  if (!whorl_has_log(f, kind)) return whorl_arena_parent(&v->exact.arena, ref);
#else
  (void)v;
#endif
  return (uint32_t)(f->entries[ref * whorl_entry_words(kind)] >> 32);
}

/* The tree has another shape: what is in the log goes by other pairs. All of it is in both. */
static bool whorl_frontier_move(whorl_frontier *f, const whorl_tree *from, whorl_tree *to) {
  uint64_t words = whorl_entry_words(WHORL_TREE);
  whorl_frontier_forget(f);
  for (uint64_t i = 0; i < f->count; i++) {
    if (!whorl_tree_reserve(to, 1)) return false;
    uint64_t *pair = &f->entries[i * words + 1];
    *pair = whorl_tree_move(from, to, *pair);
  }
  return true;
}

#if WHORL_THREADS
/* Whether the log says which of its states are anchored. */
WHORL_INLINE bool whorl_has_anchors(const whorl_frontier *f, whorl_kind kind) {
  return WHORL_PROVISO && f->order == WHORL_DFS &&
         (kind == WHORL_TREE || kind == WHORL_HASH_COMPACT);
}

/* One thread alone closes the states from `top` on, and what is closed is anchored: so is what found it. */
WHORL_INLINE void whorl_frontier_close(whorl_frontier *f, whorl_kind kind, uint64_t top) {
  uint64_t words = whorl_entry_words(kind);
  if (!whorl_has_anchors(f, kind) || f->shared) return;
  for (uint64_t place = f->count; place-- > top;)
    for (uint64_t at = f->entries[place * words] >> 32;
         at != WHORL_NO_REF && !(f->entries[at * words] & WHORL_ANCHORED);
         at = f->entries[at * words] >> 32)
      f->entries[at * words] |= WHORL_ANCHORED;
}
#endif

/* Begins a batch. Depth first, what is expanded at the top has nothing left above it and can go,
 * but not below `floor`. */
WHORL_INLINE void whorl_frontier_begin(whorl_frontier *f, whorl_kind kind, const whorl_visited *v,
                                       uint64_t floor) {
  if (f->order == WHORL_BFS) return;
  uint64_t top =
      f->open_count > whorl_frontier_bottom(f) ? (uint64_t)f->open[f->open_count - 1] + 1 : 0;
  if (top < floor) top = floor;
  assert(top <= f->count);
  for (uint64_t place = f->count; whorl_keeps_places(f) && place-- > top;)
    whorl_places_remove(&f->places, whorl_frontier_hash(f, kind, v, (uint32_t)place),
                        (uint32_t)place);
#if WHORL_THREADS
  whorl_frontier_close(f, kind, top);
#endif
  f->count = f->cursor = top;
}

/* Takes a state into a batch. `first`: all that was taken before has been added. */
WHORL_INLINE bool whorl_frontier_take(whorl_frontier *f, whorl_kind kind, const whorl_visited *v,
                                      bool first, whorl_source *out) {
  uint64_t words = whorl_entry_words(kind);
#if WHORL_THREADS
  (void)first; /* by levels there is no frontier */
#else
  if (!whorl_has_log(f, kind)) {
    if (f->head == f->level_end) { /* a batch has states of one level only */
      if (!first || f->head == v->exact.arena.end) return false;
      f->level += f->head > 0;
      f->level_end = v->exact.arena.end;
    }
    out->depth = f->level;
    whorl_frontier_state(f, kind, v, (uint32_t)f->head, out);
    f->head = whorl_arena_next(&v->exact.arena, f->head);
    return true;
  }
#endif
  uint64_t place;
  if (f->order == WHORL_BFS) {
    if (f->head == f->count) return false;
    place = f->head++;
    if (kind == WHORL_TREE && place + 4 < f->count)
      whorl_tree_prefetch_unfold(&v->tree, f->entries[(place + 4) * words + 1]);
  } else {
    if (f->open_count == whorl_frontier_bottom(f)) return false;
    place = f->open[f->open_count - 1];
    if (place + WHORL_STEP_OVER < f->cursor) return false;
    f->cursor = place;
    f->open_count--;
    uint64_t soon = f->open_count >= 4 ? f->entries[f->open[f->open_count - 4] * words + 1] : 0;
    if (kind == WHORL_TREE && f->open_count >= 4) whorl_tree_prefetch_unfold(&v->tree, soon);
    if (kind == WHORL_EXACT && f->open_count >= 4)
      whorl_arena_prefetch(&v->exact.arena, (whorl_arena_ref)soon);
  }
  out->depth = (uint32_t)f->entries[place * words];
  assert(!(out->depth & WHORL_ANCHORED));
  whorl_frontier_state(f, kind, v, (uint32_t)place, out);
  return true;
}

#endif
