/* The approximate stores: they may take a new state for one that was seen, and so miss a part of
 * the state space; never the other way round. A violation that they find is real.
 *
 * Hash compaction (Wolper and Leroy, 1993; Stern and Dill, 1995) keeps a 64-bit hash of each state
 * in an ordered table. Bitstate hashing (Holzmann, 1987; with several hash functions, which makes
 * it a Bloom filter) keeps no more than a few bits of a large array set.
 */
#ifndef WHORL_APPROXIMATE_H
#define WHORL_APPROXIMATE_H

#include "store/hash.h"
#include "store/table.h"

#ifndef WHORL_SWARM
#define WHORL_SWARM 0 /* 1: one of many bitstate searches, which are to differ (search/arrange.h) */
#endif

typedef struct {
  whorl_table hashes;
} whorl_compact;

static bool whorl_compact_init(whorl_compact *c, whorl_account *account) {
  return whorl_table_init(&c->hashes, account, UINT64_C(1) << 36, 90, 10);
}

/* The hash zero, which a table cannot hold, is taken for one. */
static inline uint64_t whorl_compact_entry(uint64_t hash) { return hash + (hash == 0); }

static inline uint64_t whorl_compact_find(const whorl_compact *c, uint64_t hash) {
  return whorl_table_find(&c->hashes, whorl_compact_entry(hash));
}

/* Whether the state is new; `slot` is what whorl_compact_find gave. */
static inline bool whorl_compact_add(whorl_compact *c, uint64_t slot, uint64_t hash) {
  return whorl_table_add(&c->hashes, slot, whorl_compact_entry(hash));
}

static inline void whorl_compact_prefetch(const whorl_compact *c, uint64_t hash) {
  whorl_table_prefetch(&c->hashes, hash);
}

static inline bool whorl_compact_reserve(whorl_compact *c, uint64_t more) {
  return whorl_table_reserve(&c->hashes, more);
}

static inline size_t whorl_compact_bytes(const whorl_compact *c) { return c->hashes.length * 8; }

/* The chance that the next new state is taken for one that was seen. */
static inline double whorl_compact_collision(const whorl_compact *c) {
  return (double)c->hashes.count / 18446744073709551616.0; /* 2^64 */
}

#define WHORL_BITSTATE_HASHES 3

typedef struct {
  whorl_region memory;
  uint64_t *bits;
  unsigned log2;
  uint64_t count; /* states */
  uint64_t set;   /* bits */
#if WHORL_SWARM
  uint64_t seed; /* another hash function for each */
#endif
} whorl_bitstate;

static bool whorl_bitstate_init(whorl_bitstate *b, whorl_account *account, unsigned log2) {
  assert(log2 >= 6 && log2 < 60);
  size_t bytes = (size_t)1 << (log2 - 3);
  b->log2 = log2;
  b->count = b->set = 0;
  if (!whorl_region_init(&b->memory, account, bytes) || !whorl_region_commit(&b->memory, bytes))
    return false;
  b->bits = (uint64_t *)(void *)b->memory.base;
  return true;
}

/* What the places of a state are made of. */
static inline uint64_t whorl_bitstate_hash(const whorl_bitstate *b, uint64_t hash) {
#if WHORL_SWARM
  return whorl_mix(hash ^ b->seed);
#else
  (void)b;
  return hash;
#endif
}

static inline void whorl_bitstate_prefetch(const whorl_bitstate *b, uint64_t hash) {
  hash = whorl_bitstate_hash(b, hash);
  for (int i = 0; i < WHORL_BITSTATE_HASHES; i++) {
    __builtin_prefetch(&b->bits[hash >> (64 - b->log2) >> 6], 1);
    hash = whorl_rehash(hash);
  }
}

/* Whether the state is new. */
static inline bool whorl_bitstate_add(whorl_bitstate *b, uint64_t hash) {
  bool fresh = false;
  hash = whorl_bitstate_hash(b, hash);
  for (int i = 0; i < WHORL_BITSTATE_HASHES; i++) {
    uint64_t place = hash >> (64 - b->log2);
    uint64_t bit = UINT64_C(1) << (place & 63);
    if (!(b->bits[place >> 6] & bit)) {
      b->bits[place >> 6] |= bit;
      b->set++;
      fresh = true;
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
