/* The exact store for several threads: what store.h is for one.
 *
 *   arena   | a thread's block | another's block | ...         every state whole (shared_arena.h)
 *   index   | 0 | hash, reference + 1 | 0 | ...                open addressing, linear probing (shared_index.h)
 *
 * A thread writes a state to its own block and then swaps an entry for the first empty slot from the home
 * of the hash on. If somebody else has filled the slot the search goes on from there, and may come to the
 * same state: then the own one is given up, before anybody has seen it. Two states are compared only
 * if what the entry has of the hash agrees.
 *
 * An entry has the upper half of the hash, by which it has its home, so a larger index is made without
 * looking at the states. Once there are 32 GiB of them, references need more than 32 bits. Then there are 38,
 * and the last 26 of the hash: those near each other have the same first ones. From then on the hash
 * is had from the states, whenever the index grows.
 *
 *   entry   | first 32 of the hash | reference + 1 : 32 |           narrow
 *           | last 26 | reference + 1 : 38              |           wide
 */
#ifndef WHORL_SHARED_STORE_H
#define WHORL_SHARED_STORE_H

#include "store/shared_arena.h"
#include "store/shared_index.h"

#define WHORL_STORE_LOAD 75   /* percent, at most */
#define WHORL_STORE_GROWTH 40 /* percent */
#ifndef WHORL_STORE_NARROW
#define WHORL_STORE_NARROW 32 /* bits of a narrow reference, at most so many */
#endif

typedef struct {
  whorl_index_core index;
  unsigned bits, old_bits; /* of references in the index */
} whorl_store_core;

/* A thread's view. */
typedef struct {
  whorl_arena arena;
  whorl_index_layout index;
  unsigned bits;
  whorl_store_core *core;
  uint64_t lease; /* of entries */
} whorl_store;

/* The first view, of no states. */
static bool whorl_store_init(whorl_store *s, whorl_account *account) {
  memset(s, 0, sizeof *s);
  s->core = (whorl_store_core *)aligned_alloc(WHORL_LINE, sizeof *s->core);
  if (!s->core) return false;
  memset(s->core, 0, sizeof *s->core);
  if (!whorl_arena_init(&s->arena, account) ||
      !whorl_index_init(&s->core->index, account, WHORL_STORE_LOAD, WHORL_STORE_GROWTH))
    return false;
  s->bits = s->core->bits = WHORL_STORE_NARROW;
  s->index = s->core->index.layout;
  return true;
}

/* For one more thread. */
static inline void whorl_store_view(whorl_store *s, const whorl_store *of) {
  *s = *of;
  whorl_arena_view(&s->arena, &of->arena);
  s->lease = 0;
}

/* Frees all; other views are of no use any more. */
static inline void whorl_store_free(whorl_store *s) {
  if (!s->core) return;
  whorl_arena_free(&s->arena);
  whorl_region_free(&s->core->index.memory);
  free(s->core);
  s->core = NULL;
}

static inline size_t whorl_store_bytes(const whorl_store *s) {
  return s->core ? whorl_arena_bytes(&s->arena) + s->core->index.layout.size * 8 : 0;
}

/* Room for `more` states; false if it takes a barrier. */
static inline bool whorl_store_reserve(whorl_store *s, uint64_t more) {
  return whorl_stock_lease(&s->core->index.stock, &s->lease, more) &
         whorl_arena_reserve(&s->arena, more);
}

static inline void whorl_store_prefetch(const whorl_store *s, uint64_t hash) {
  __builtin_prefetch((const void *)&s->index.slots[whorl_index_home(&s->index, hash)], 1);
}

/* What an entry has of a hash. */
static inline uint64_t whorl_store_tag(uint64_t hash, unsigned bits) {
  return bits > 32 ? hash << bits : hash >> bits << bits;
}

/* Where an entry points to. */
static inline whorl_arena_ref whorl_store_ref(uint64_t entry, unsigned bits) {
  return (entry & ((UINT64_C(1) << bits) - 1)) - 1;
}

/* The second half of hiding a miss: the index is there by now, fetch the state it points at. Returns the
 * slot, which is where whorl_store_add may begin. */
static inline uint64_t whorl_store_seek(const whorl_store *s, uint64_t hash) {
  uint64_t slot = whorl_index_home(&s->index, hash), entry, tag = whorl_store_tag(hash, s->bits);
  while ((entry = whorl_index_slot(&s->index, slot)) && (entry ^ tag) >> s->bits)
    slot = whorl_index_next(&s->index, slot);
  if (entry) whorl_arena_prefetch(&s->arena, whorl_store_ref(entry, s->bits));
  return slot;
}

/* Adds a state. `slot` is what a search for it gave, if there has been no barrier since. Whether it is new;
 * then it is the last of the arena. There has to be room. */
static inline bool whorl_store_add(whorl_store *s, uint64_t slot, const whorl_state *state,
                                   uint64_t hash) {
  uint64_t own = 0, tag = whorl_store_tag(hash, s->bits);
  for (;; slot = whorl_index_next(&s->index, slot)) {
    uint64_t entry = whorl_index_slot(&s->index, slot);
    if (entry == 0) {
      if (own == 0) own = tag | (whorl_arena_write(&s->arena, state) + 1);
      entry = whorl_index_put(&s->index, slot, own);
      if (entry == 0) {
        assert(s->lease > 0);
        s->lease--;
        whorl_arena_keep(&s->arena);
        return true;
      }
    }
    if ((entry ^ tag) >> s->bits == 0 &&
        whorl_arena_equal(&s->arena, whorl_store_ref(entry, s->bits), state))
      return false;
  }
}

/* The steps of a barrier (shared_roots.h). */
static inline void whorl_store_return(whorl_store *s) {
  whorl_stock_return(&s->core->index.stock, &s->lease);
  whorl_arena_return(&s->arena);
}

/* Begins to make room for so many threads. Whether there is memory. */
static bool whorl_store_begin(whorl_store *s, uint64_t threads, uint64_t least) {
  whorl_store_core *core = s->core;
  if (!whorl_arena_begin(&s->arena, threads, least)) return false;
  core->old_bits = core->bits;
  if (s->arena.core->stock.limit * WHORL_ARENA_BLOCK >> core->bits == 0)
    return whorl_index_begin(&core->index, threads, least);
  core->bits = WHORL_ARENA_BITS;
  return whorl_index_grow(&core->index, threads, least);
}

static inline bool whorl_store_moves(const whorl_store *s) {
  return s->core->index.old_memory.base != NULL;
}

/* Moves a chunk of the index whose new entries are wide: by the hashes of the states. */
static void whorl_store_move_wide(whorl_store *s, uint64_t at, uint64_t end) {
  const whorl_index_core *index = &s->core->index;
  unsigned bits = s->core->bits, old_bits = s->core->old_bits;
  whorl_state room;
  for (; at < end; at++) {
    uint64_t entry = whorl_index_old(index, at),
             soon = at + 8 < end ? whorl_index_old(index, at + 8) : 0;
    if (soon) whorl_arena_prefetch(&s->arena, whorl_store_ref(soon, old_bits));
    if (entry == 0) continue;
    whorl_arena_ref ref = whorl_store_ref(entry, old_bits);
    uint64_t hash = whorl_hash(whorl_arena_state(&s->arena, ref, &room));
    whorl_index_refill(&index->layout, hash, whorl_store_tag(hash, bits) | (ref + 1));
  }
}

/* Moves chunks of the index as long as there are any. */
static void whorl_store_move(whorl_store *s) {
  whorl_index_core *index = &s->core->index;
  uint64_t at, end;
  if (s->core->bits <= 32) {
    whorl_index_move(index);
    return;
  }
  while (whorl_index_take_chunk(index, &at, &end)) {
    whorl_store_move_wide(s, at, end);
    whorl_index_leave_chunk(index, at, end);
  }
}

static inline void whorl_store_end(whorl_store *s) {
  whorl_index_end(&s->core->index);
  whorl_arena_end(&s->arena);
}

static inline void whorl_store_look(whorl_store *s) {
  s->index = s->core->index.layout;
  s->bits = s->core->bits;
}

#endif
