/* An index of 64-bit entries that several threads add to: what table.h is for one.
 *
 *   slots   | 0 | hash : 32, something : 32 | 0 | ...      open addressing, linear probing
 *
 * An entry is swapped for the first empty slot from the home of its upper half on. Nothing moves between
 * barriers, so entries are not in order, unlike in table.h, and an index is emptier.
 */
#ifndef WHORL_SHARED_INDEX_H
#define WHORL_SHARED_INDEX_H

#include "store/shared_marks.h"
#include "store/wide.h"

#ifndef WHORL_INDEX_SMALL
#define WHORL_INDEX_SMALL 16384 /* slots at first */
#endif
#ifndef WHORL_INDEX_CHUNK
#define WHORL_INDEX_CHUNK (WHORL_CHUNK / 8) /* slots that a thread moves at a time: whole pages */
#endif
#define WHORL_INDEX_LOAD 66 /* percent, at most: where what is looked for has to be compared, too */
#define WHORL_INDEX_GROWTH 25 /* percent */

/* An index of entries that several threads add to. */
typedef struct {
  _Atomic uint64_t *slots;
  uint64_t size;
  whorl_mark_word *marks; /* of slots (shared_marks.h); NULL: there are none */
} whorl_index_layout;

typedef struct {
  whorl_stock stock; /* of room for entries */
  whorl_index_layout layout;
  whorl_region memory;
  whorl_region marks_memory;
  whorl_index_layout old_layout;
  whorl_region old_memory;
  whorl_region old_marks_memory;
  unsigned load;                               /* percent, at most */
  unsigned growth;                             /* percent */
  _Alignas(WHORL_LINE) _Atomic uint64_t moved; /* slots whose move has begun */
} whorl_index_core;

static inline uint64_t whorl_index_limit(const whorl_index_core *core, uint64_t size) {
  return size / 100 * core->load;
}

/* Where the search for entries with the upper half of `entry` begins. */
static inline uint64_t whorl_index_home(const whorl_index_layout *l, uint64_t entry) {
  return whorl_product_above(entry >> 32, l->size, 32);
}

static inline uint64_t whorl_index_slot(const whorl_index_layout *l, uint64_t slot) {
  return atomic_load_explicit(&l->slots[slot], memory_order_acquire);
}

static inline uint64_t whorl_index_next(const whorl_index_layout *l, uint64_t slot) {
  return slot + 1 == l->size ? 0 : slot + 1;
}

/* Puts an entry to an empty slot. Otherwise what is in the slot. */
static inline uint64_t whorl_index_put(const whorl_index_layout *l, uint64_t slot, uint64_t entry) {
  uint64_t found = 0;
  whorl_give_way();
  atomic_compare_exchange_strong_explicit(&l->slots[slot], &found, entry, memory_order_acq_rel,
                                          memory_order_acquire);
  return found;
}

static bool whorl_index_init(whorl_index_core *core, whorl_account *account, unsigned load,
                             unsigned growth) {
  uint64_t size = WHORL_INDEX_SMALL;
  core->load = load;
  core->growth = growth;
  if (!whorl_region_init(&core->memory, account, size * 8)) return false;
  core->layout.slots = (_Atomic uint64_t *)(void *)core->memory.base;
  core->layout.size = size;
  core->stock.limit = whorl_index_limit(core, size);
  return whorl_region_commit(&core->memory, size * 8);
}

/* Gives all entries a mark, while there is one thread. Whether there is memory. */
static bool whorl_index_mark_all(whorl_index_core *core) {
  whorl_index_layout *l = &core->layout;
  if (!l->marks && !whorl_marks_init(&core->marks_memory, core->memory.account, l->size))
    return false;
  l->marks = whorl_marks_words(&core->marks_memory);
  for (uint64_t at = 0; at < l->size; at++)
    if (whorl_index_slot(l, at)) whorl_mark_set_own(l->marks, at);
  return true;
}

/* At a barrier: begins to grow. Whether there is memory. */
static bool whorl_index_grow(whorl_index_core *core, uint64_t threads, uint64_t least) {
  uint64_t size = core->layout.size, wanted = whorl_stock_target(&core->stock, threads, least);
  do size = size < 100000 ? 2 * size : size + size / 100 * core->growth;
  while (whorl_index_limit(core, size) < wanted);
  whorl_region memory, marks = core->marks_memory;
  if (core->layout.marks &&
      !whorl_region_succeed(&marks, &core->marks_memory, whorl_marks_size(size)))
    return false;
  if (!whorl_region_succeed(&memory, &core->memory, size * 8)) {
    if (core->layout.marks) whorl_region_recede(&marks, &core->marks_memory);
    return false;
  }
  core->old_memory = core->memory;
  core->old_layout = core->layout;
  core->memory = memory;
  if (core->layout.marks) {
    core->old_marks_memory = core->marks_memory;
    core->marks_memory = marks;
    core->layout.marks = whorl_marks_words(&marks);
  }
  core->layout.slots = (_Atomic uint64_t *)(void *)memory.base;
  core->layout.size = size;
  core->stock.limit = whorl_index_limit(core, size);
  atomic_store_explicit(&core->moved, 0, memory_order_relaxed);
  return true;
}

/* The same if that is needed. */
static bool whorl_index_begin(whorl_index_core *core, uint64_t threads, uint64_t least) {
  return whorl_stock_suffices(&core->stock, threads, least) ||
         whorl_index_grow(core, threads, least);
}

/* The next chunk of the old slots to be moved, if there is one. */
static bool whorl_index_take_chunk(whorl_index_core *core, uint64_t *at, uint64_t *end) {
  uint64_t chunk = WHORL_INDEX_CHUNK, size = core->old_layout.size;
  if (!core->old_memory.base) return false;
  *at = atomic_fetch_add_explicit(&core->moved, chunk, memory_order_relaxed);
  *end = *at + chunk < size ? *at + chunk : size;
  return *at < size;
}

/* It has been moved. */
static void whorl_index_leave_chunk(whorl_index_core *core, uint64_t at, uint64_t end) {
  whorl_region_discard(&core->old_memory, at * 8, (end - at) * 8);
}

static inline uint64_t whorl_index_old(const whorl_index_core *core, uint64_t slot) {
  return atomic_load_explicit(&core->old_layout.slots[slot], memory_order_relaxed);
}

/* Puts an entry that is not there yet to the home of a hash or behind. Where it has come to. */
static inline uint64_t whorl_index_refill(const whorl_index_layout *l, uint64_t hash,
                                          uint64_t entry) {
  uint64_t slot = whorl_index_home(l, hash);
  while (whorl_index_slot(l, slot) || whorl_index_put(l, slot, entry))
    slot = whorl_index_next(l, slot);
  return slot;
}

/* Everybody moves chunks, as long as there are any. */
static void whorl_index_move(whorl_index_core *core) {
  uint64_t at, end;
  while (whorl_index_take_chunk(core, &at, &end)) {
    for (uint64_t i = at; i < end; i++) {
      uint64_t entry = whorl_index_old(core, i);
      if (!entry) continue;
      uint64_t slot = whorl_index_refill(&core->layout, entry, entry);
      if (core->layout.marks && whorl_mark_get(core->old_layout.marks, i))
        whorl_mark_set(core->layout.marks, slot);
    }
    whorl_index_leave_chunk(core, at, end);
  }
}

/* One ends it, once all have moved. */
static void whorl_index_end(whorl_index_core *core) {
  atomic_store_explicit(&core->stock.wanted, 0, memory_order_relaxed);
  if (!core->old_memory.base) return;
  whorl_region_end(&core->old_memory);
  if (core->layout.marks) whorl_region_end(&core->old_marks_memory);
}

#endif
