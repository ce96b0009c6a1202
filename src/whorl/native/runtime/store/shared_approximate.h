/* The approximate stores for several threads: what approximate.h is for one.
 *
 * Bits are set by an atomic or. A state is new if one of its bits was not set before; of two threads that come
 * to it at the same time each may have set one, and then both expand it. So there may be a few more
 * states than on one thread, never a violation less. (Nor does a reduction suffer for which a successor has
 * to be new, decision 0061: by the time that a state is expanded all its bits are set, so whoever found it
 * new was expanded before it, and "found" has no cycle.)
 *
 * Hashes lie in an index as that of nodes (shared_nodes.h), where each is new to one thread alone.
 */
#ifndef WHORL_SHARED_APPROXIMATE_H
#define WHORL_SHARED_APPROXIMATE_H

#include "store/hash.h"
#include "store/shared_index.h"

#define WHORL_COMPACT_LOAD 80   /* percent, at most: what is looked for lies in one line, or two */
#define WHORL_COMPACT_GROWTH 12 /* percent */

/* A thread's view. */
typedef struct {
  whorl_index_layout index;
  whorl_index_core *core;
  uint64_t lease;
  uint64_t count; /* that this thread found */
} whorl_compact;

static bool whorl_compact_init(whorl_compact *c, whorl_account *account) {
  memset(c, 0, sizeof *c);
  c->core = (whorl_index_core *)aligned_alloc(WHORL_LINE, sizeof *c->core);
  if (!c->core) return false;
  memset(c->core, 0, sizeof *c->core);
  if (!whorl_index_init(c->core, account, WHORL_COMPACT_LOAD, WHORL_COMPACT_GROWTH)) return false;
  c->index = c->core->layout;
  return true;
}

/* For one more thread, before it begins. */
static inline void whorl_compact_view(whorl_compact *c, const whorl_compact *of) {
  *c = *of;
  c->lease = c->count = 0;
}

/* The hash zero, which a table cannot hold, is taken for one. */
static inline uint64_t whorl_compact_entry(uint64_t hash) { return hash + (hash == 0); }

/* Where the search for a hash begins. */
static inline uint64_t whorl_compact_find(const whorl_compact *c, uint64_t hash) {
  return whorl_index_home(&c->index, whorl_compact_entry(hash));
}

static inline void whorl_compact_prefetch(const whorl_compact *c, uint64_t hash) {
  __builtin_prefetch((const void *)&c->index.slots[whorl_compact_find(c, hash)], 1);
}

/* Whether the state is new; `slot` is what whorl_compact_find gave. It has to be within the lease. */
static inline bool whorl_compact_add(whorl_compact *c, uint64_t slot, uint64_t hash) {
  uint64_t entry = whorl_compact_entry(hash);
  for (;; slot = whorl_index_next(&c->index, slot)) {
    uint64_t found = whorl_index_slot(&c->index, slot);
    if (found == 0) found = whorl_index_put(&c->index, slot, entry);
    if (found == entry) return false;
    if (found != 0) continue;
    assert(c->lease > 0);
    c->lease--;
    c->count++;
    return true;
  }
}

/* The slot of a hash that has been added. */
static inline uint64_t whorl_compact_slot(const whorl_compact *c, uint64_t hash) {
  uint64_t entry = whorl_compact_entry(hash), slot = whorl_index_home(&c->index, entry);
  while (whorl_index_slot(&c->index, slot) != entry) slot = whorl_index_next(&c->index, slot);
  return slot;
}

/* The chance that the next new state is taken for one that was seen. */
static inline double whorl_compact_collision(const whorl_compact *c) {
  return (double)c->count / 18446744073709551616.0; /* 2^64 */
}

static inline size_t whorl_compact_bytes(const whorl_compact *c) {
  if (!c->core) return 0;
  return c->core->layout.size * 8 +
         (c->core->layout.marks ? whorl_marks_size(c->core->layout.size) : 0);
}

#define WHORL_BITSTATE_HASHES 3

typedef struct {
  whorl_region memory;
  _Atomic uint64_t *bits;
  unsigned log2;
  uint64_t count; /* states that this thread found */
  uint64_t set;   /* bits that it set */
} whorl_bitstate;

static bool whorl_bitstate_init(whorl_bitstate *b, whorl_account *account, unsigned log2) {
  assert(log2 >= 6 && log2 < 60);
  size_t bytes = (size_t)1 << (log2 - 3);
  b->log2 = log2;
  b->count = b->set = 0;
  if (!whorl_region_init(&b->memory, account, bytes) || !whorl_region_commit(&b->memory, bytes))
    return false;
  b->bits = (_Atomic uint64_t *)(void *)b->memory.base;
  return true;
}

static inline void whorl_bitstate_view(whorl_bitstate *b, const whorl_bitstate *of) {
  *b = *of;
  b->count = b->set = 0;
}

static inline void whorl_bitstate_prefetch(const whorl_bitstate *b, uint64_t hash) {
  for (int i = 0; i < WHORL_BITSTATE_HASHES; i++) {
    __builtin_prefetch((const void *)&b->bits[hash >> (64 - b->log2) >> 6], 1);
    hash = whorl_rehash(hash);
  }
}

/* Whether the state is new. */
static inline bool whorl_bitstate_add(whorl_bitstate *b, uint64_t hash) {
  bool fresh = false;
  for (int i = 0; i < WHORL_BITSTATE_HASHES; i++) {
    uint64_t place = hash >> (64 - b->log2), bit = UINT64_C(1) << (place & 63);
    _Atomic uint64_t *word = &b->bits[place >> 6];
    if (!(atomic_load_explicit(word, memory_order_relaxed) & bit)) {
      whorl_give_way();
      bool was = atomic_fetch_or_explicit(word, bit, memory_order_relaxed) & bit;
      b->set += !was;
      fresh |= !was;
    }
    hash = whorl_rehash(hash);
  }
  b->count += fresh;
  return fresh;
}

/* The chance that the next new state is taken for one that was seen: that all its bits are set. */
static inline double whorl_bitstate_collision(const whorl_bitstate *b) {
  double full = (double)b->set / (double)(UINT64_C(1) << b->log2), chance = 1;
  for (int i = 0; i < WHORL_BITSTATE_HASHES; i++) chance *= full;
  return chance;
}

#endif
