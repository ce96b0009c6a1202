/* A set of keys of some 56 bits, in six bytes each: the roots of the tree store.
 *
 * Buckets of one cache line hold ten keys. A key's home is the bucket that it falls into when the
 * range of keys is stretched over the table; a key whose home is full goes to the first of the
 * next buckets that has room. So where a key stands tells the upper part of it, and only the
 * lower 48 bits are kept (Cleary, "Compact hash tables using bidirectional linear probing", 1984):
 *
 *   bucket   | 10 x lower 32 bits | 10 x middle 16 bits | count : 32 |
 *
 * Keys that agree in these 48 bits are 2^48 apart, and so their homes are at least
 * WHORL_ROOTS_REACH buckets apart if the table is not too small: within reach of a home a pattern
 * stands for one key only. That makes it exact.
 *
 * A look touches one line, seldom two, and so does an addition: nothing moves. Growing is one pass
 * from the back to the front: a key's new home is not before its old one, so what is read has room
 * to go. It needs no second table.
 *
 * Keys have to be mixed well. A key that finds no room within reach is kept aside and makes the
 * table grow; that is a matter of chance and rare.
 */
#ifndef WHORL_ROOTS_H
#define WHORL_ROOTS_H

#include "hash.h"
#include "memory.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define WHORL_BUCKET_KEYS 10
#define WHORL_KEPT_BITS 48
#define WHORL_ROOTS_REACH_LOG 7
#define WHORL_ROOTS_REACH (UINT64_C(1) << WHORL_ROOTS_REACH_LOG)
#define WHORL_ROOTS_LOAD 85   /* percent, at most */

typedef struct {
  uint32_t low[WHORL_BUCKET_KEYS];
  uint16_t middle[WHORL_BUCKET_KEYS];
  uint32_t count;
} whorl_bucket;

typedef struct {
  whorl_region memory;
  whorl_bucket *buckets;
  unsigned bits;  /* of a key */
  uint64_t size;  /* homes; there are WHORL_ROOTS_REACH - 1 buckets after the last */
  uint64_t count; /* keys */
  uint64_t limit; /* keys that there may be at this size */
  uint64_t *aside; /* keys that found no room */
  uint64_t aside_count;
} whorl_roots;

static inline uint64_t whorl_roots_limit(uint64_t size) {
  return size * WHORL_BUCKET_KEYS / 100 * WHORL_ROOTS_LOAD;
}

static inline size_t whorl_roots_bytes(const whorl_roots *r) {
  return r->size ? (r->size + WHORL_ROOTS_REACH - 1) * sizeof(whorl_bucket) : 0;
}

/* Keys are to have so many bits; `most` is how many there may ever be. */
static bool whorl_roots_init(whorl_roots *r, whorl_account *account, unsigned bits,
                             uint64_t most) {
  assert(sizeof(whorl_bucket) == 64);
  memset(r, 0, sizeof *r);
  r->bits = bits;
  r->size = UINT64_C(1) << (bits - WHORL_KEPT_BITS + WHORL_ROOTS_REACH_LOG);
  r->limit = whorl_roots_limit(r->size);
  if (!whorl_region_init(&r->memory, account, most * 8)) return false;
  r->buckets = (whorl_bucket *)(void *)r->memory.base;
  return whorl_region_commit(&r->memory, whorl_roots_bytes(r));
}

static inline void whorl_roots_free(whorl_roots *r) {
  whorl_region_free(&r->memory);
  free(r->aside);
}

static inline uint64_t whorl_roots_home(const whorl_roots *r, uint64_t key) {
  return (uint64_t)(((whorl_uint128)key * r->size) >> r->bits);
}

static inline void whorl_roots_prefetch(const whorl_roots *r, uint64_t home) {
  __builtin_prefetch(&r->buckets[home], 1);
}

/* Which of a bucket's ten keys agree with `key`: a bit each. It cannot be foreseen, so all are
 * compared, without a branch. */
static inline uint32_t whorl_bucket_equal(const whorl_bucket *b, uint64_t key) {
#ifdef __SSE2__
  __m128i low = _mm_set1_epi32((int)(uint32_t)key), middle = _mm_set1_epi16((short)(key >> 32));
  const __m128i *lows = (const __m128i *)(const void *)b->low;
  __m128i first = _mm_cmpeq_epi32(_mm_load_si128(lows), low);
  __m128i second = _mm_cmpeq_epi32(_mm_load_si128(lows + 1), low);
  __m128i third = _mm_cmpeq_epi32(_mm_load_si128(lows + 2), low); /* two, and then something else */
  __m128i eight = _mm_loadu_si128((const __m128i *)(const void *)b->middle);
  __m128i rest = _mm_loadu_si128((const __m128i *)(const void *)(b->middle + 4)); /* from the fifth on */
  __m128i both = _mm_and_si128(_mm_packs_epi32(first, second), _mm_cmpeq_epi16(eight, middle));
  __m128i last = _mm_and_si128(_mm_packs_epi32(second, third), _mm_cmpeq_epi16(rest, middle));
  uint32_t bits = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(both, last));
  return (bits & 0xff) | (bits >> 12 & 3) << 8;
#else
  uint32_t equal = 0;
  for (uint32_t i = 0; i < WHORL_BUCKET_KEYS; i++)
    equal |= (uint32_t)((b->low[i] == (uint32_t)key) & (b->middle[i] == (uint16_t)(key >> 32)))
             << i;
  return equal;
#endif
}

static inline bool whorl_bucket_has(const whorl_bucket *b, uint64_t key) {
  return (whorl_bucket_equal(b, key) & ((1u << b->count) - 1)) != 0;
}

static inline void whorl_bucket_put(whorl_bucket *b, uint64_t key) {
  assert(b->count < WHORL_BUCKET_KEYS);
  b->low[b->count] = (uint32_t)key;
  b->middle[b->count++] = (uint16_t)(key >> 32);
}

static __attribute__((noinline)) bool whorl_roots_aside(whorl_roots *r, uint64_t key) {
  for (uint64_t i = 0; i < r->aside_count; i++)
    if (r->aside[i] == key) return false;
  r->aside = (uint64_t *)realloc(r->aside, (r->aside_count + 1) * sizeof *r->aside);
  if (!r->aside) abort();
  r->aside[r->aside_count++] = key;
  if (r->count > r->size * WHORL_BUCKET_KEYS / 2) r->limit = 0; /* grow, if that can help */
  return true;
}

/* Adds a key that has this home. Whether it is new. There has to be room: whorl_roots_reserve. */
static inline bool whorl_roots_add_at(whorl_roots *r, uint64_t home, uint64_t key) {
  assert(key >> r->bits == 0 && home == whorl_roots_home(r, key));
  whorl_bucket *b = &r->buckets[home];
  for (const whorl_bucket *end = b + WHORL_ROOTS_REACH; b < end; b++) {
    if (whorl_bucket_has(b, key)) return false;
    if (b->count < WHORL_BUCKET_KEYS) {
      whorl_bucket_put(b, key);
      r->count++;
      return true;
    }
  }
  if (!whorl_roots_aside(r, key)) return false;
  r->count++;
  return true;
}

static inline bool whorl_roots_add(whorl_roots *r, uint64_t key) {
  return whorl_roots_add_at(r, whorl_roots_home(r, key), key);
}

/* The least key that may stand in the bucket at `at` of a table of `size`. */
static inline uint64_t whorl_roots_first(const whorl_roots *r, uint64_t size, uint64_t at) {
  if (at < WHORL_ROOTS_REACH) return 0;
  whorl_uint128 home = at - (WHORL_ROOTS_REACH - 1);
  return (uint64_t)(((home << r->bits) + size - 1) / size);
}

/* A key of a bucket: the one within reach of it, where `first` is the least. */
static inline uint64_t whorl_bucket_key(const whorl_bucket *b, uint32_t i, uint64_t first) {
  uint64_t kept = (uint64_t)b->middle[i] << 32 | b->low[i];
  return first + ((kept - first) & ((UINT64_C(1) << WHORL_KEPT_BITS) - 1));
}

/* Adds what a bucket of a table of `size` held, where it was `at`. */
static inline void whorl_roots_again(whorl_roots *r, const whorl_bucket *b, uint64_t size,
                                     uint64_t at) {
  uint64_t first = whorl_roots_first(r, size, at);
  for (uint32_t i = 0; i < b->count; i++) {
    uint64_t key = whorl_bucket_key(b, i, first);
    whorl_bucket *to = &r->buckets[whorl_roots_home(r, key)];
    for (const whorl_bucket *end = to + WHORL_ROOTS_REACH;; to++) {
      if (to == end) {
        whorl_roots_aside(r, key);
        break;
      }
      if (to->count < WHORL_BUCKET_KEYS) {
        whorl_bucket_put(to, key);
        break;
      }
    }
  }
}

/* Grows to `size` homes, in place. */
static bool whorl_roots_resize(whorl_roots *r, uint64_t size) {
  uint64_t before = r->size;
  uint64_t buckets = before + WHORL_ROOTS_REACH - 1;
  assert(size > before);
  if (!whorl_region_commit(&r->memory, (size + WHORL_ROOTS_REACH - 1) * sizeof(whorl_bucket)))
    return false;
  /* At the front a new home may be before the bucket that is being read. So the buckets of the
   * front are set apart first: homes of those behind move up by the reach or more. */
  uint64_t front = (WHORL_ROOTS_REACH + 1) * (before / (size - before) + 1) + WHORL_ROOTS_REACH;
  if (front > buckets) front = buckets;
  whorl_bucket *apart = (whorl_bucket *)malloc(front * sizeof *apart);
  if (!apart) return false;
  memcpy(apart, r->buckets, front * sizeof *apart);
  memset(r->buckets, 0, front * sizeof *apart);
  uint64_t *aside = r->aside, aside_count = r->aside_count;
  r->aside = NULL;
  r->aside_count = 0;
  r->size = size;
  r->limit = whorl_roots_limit(size);
  for (uint64_t at = buckets; at-- > front;) {
    whorl_bucket b = r->buckets[at];
    memset(&r->buckets[at], 0, sizeof b);
    whorl_roots_again(r, &b, before, at);
  }
  for (uint64_t at = 0; at < front; at++) whorl_roots_again(r, &apart[at], before, at);
  r->count -= aside_count;
  for (uint64_t i = 0; i < aside_count; i++) whorl_roots_add(r, aside[i]);
  free(aside);
  free(apart);
  return true;
}

/* Room for `more` keys. */
static inline bool whorl_roots_reserve(whorl_roots *r, uint64_t more) {
  if (__builtin_expect(r->count + more <= r->limit, 1)) return true;
  uint64_t size = r->size;
  do /* what a small table has too much costs nothing, and every growth moves all that is there */
    size += size < 200000 ? size : size < 800000 ? size / 4 : size / 8;
  while (whorl_roots_limit(size) < r->count + more);
  return whorl_roots_resize(r, size);
}

/* The keys of the bucket at `at`; how many there are. */
static inline uint32_t whorl_roots_keys(const whorl_roots *r, uint64_t at,
                                        uint64_t keys[WHORL_BUCKET_KEYS]) {
  const whorl_bucket *b = &r->buckets[at];
  uint64_t first = whorl_roots_first(r, r->size, at);
  for (uint32_t i = 0; i < b->count; i++) keys[i] = whorl_bucket_key(b, i, first);
  return b->count;
}

#endif
