/* A set of pairs of references, in four bytes each: the roots of the tree store.
 *
 * A pair goes by its key (keys.h). Buckets of one cache line hold fifteen keys. A key's home is the bucket that it falls into when
 * the range of keys is stretched over the table; a key whose home is full goes to the first of the
 * next buckets that has room. So where a key stands tells the upper part of it, and only the
 * lower 32 bits are kept (Cleary, "Compact hash tables using bidirectional linear probing", 1984):
 *
 *   bucket   | 15 x lower 32 bits | count : 32 |                        narrow
 *            | 10 x lower 32 bits | 10 x next 16 bits | count : 32 |    wide
 *
 * Keys that agree in these 32 bits are 2^32 apart, and so their homes are at least
 * WHORL_ROOTS_REACH buckets apart if the table is not too small: within reach of a home a pattern
 * stands for one key only. That makes it exact. Where nodes are many beside states, the table would
 * have to be larger than it need be; then it becomes a wide one, which keeps 48 bits.
 *
 * A look touches one line, seldom two, and so does an addition: nothing moves. Growing is one pass
 * from the back to the front: a key's new home is not before its old one, so what is read has room
 * to go. It needs no second table.
 *
 * A key that finds no room within reach is kept aside and makes the table grow; that is a matter of
 * chance and rare.
 */
#ifndef WHORL_ROOTS_H
#define WHORL_ROOTS_H

#include "store/keys.h"
#include "store/memory.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define WHORL_ROOTS_REACH_LOG 5
#define WHORL_ROOTS_REACH (UINT64_C(1) << WHORL_ROOTS_REACH_LOG)
#define WHORL_ROOTS_LOAD 75     /* percent, at most: above that too many homes are full */
#define WHORL_ROOTS_MOST_LOG 36 /* of how many pairs there may ever be */
#define WHORL_BUCKET_WORDS 15
#define WHORL_BUCKET_WIDE 10    /* keys of a wide bucket */
#define WHORL_ROOTS_SMALL 65536 /* buckets: a table that is no larger costs nothing */

typedef struct {
  uint32_t words[WHORL_BUCKET_WORDS];
  uint32_t count;
} whorl_bucket;

typedef struct {
  whorl_region memory;
  whorl_bucket *buckets;
  unsigned bits;   /* of a reference; a key has twice as many */
  bool wide;       /* the format of the buckets */
  uint64_t size;   /* homes; there are WHORL_ROOTS_REACH - 1 buckets after the last */
  uint64_t stride; /* from the first key of a home to that of the next, in fixed point */
  uint64_t count;  /* keys */
  uint64_t limit;  /* keys that there may be at this size */
  uint64_t *aside; /* keys that found no room */
  uint64_t aside_count;
} whorl_roots;

/* How many lower bits of a key are kept. */
static inline unsigned whorl_roots_kept(bool wide) { return wide ? 48 : 32; }

static inline uint32_t whorl_roots_room(bool wide) {
  return wide ? WHORL_BUCKET_WIDE : WHORL_BUCKET_WORDS;
}

static inline uint64_t whorl_roots_limit(uint64_t size, bool wide) {
  return size * whorl_roots_room(wide) / 100 * WHORL_ROOTS_LOAD;
}

/* The least size at which what is kept tells keys apart. */
static inline uint64_t whorl_roots_least(unsigned bits, bool wide) {
  unsigned homes = 2 * bits + WHORL_ROOTS_REACH_LOG;
  return UINT64_C(1) << (homes > whorl_roots_kept(wide) ? homes - whorl_roots_kept(wide) : 0);
}

/* `stride` is a fixed-point number with so many bits behind the point. */
static inline unsigned whorl_roots_shift(bool wide) { return 68 - whorl_roots_kept(wide); }

static inline size_t whorl_roots_bytes(const whorl_roots *r) {
  return r->size ? (r->size + WHORL_ROOTS_REACH - 1) * sizeof(whorl_bucket) : 0;
}

/* Room for buckets of a format and number. */
static bool whorl_roots_lay(whorl_roots *r, unsigned bits, bool wide, uint64_t size) {
  assert(size >= whorl_roots_least(bits, wide));
  if (!whorl_region_commit(&r->memory, (size + WHORL_ROOTS_REACH - 1) * sizeof(whorl_bucket)))
    return false;
  r->bits = bits;
  r->wide = wide;
  r->size = size;
  r->stride = whorl_power_over(2 * bits + whorl_roots_shift(wide), size);
  r->limit = whorl_roots_limit(size, wide);
  return true;
}

static inline uint64_t whorl_roots_size(const whorl_roots *r) { return r->size; }

static inline uint64_t whorl_roots_count(const whorl_roots *r) { return r->count; }

/* The keys that are aside. */
static inline const uint64_t *whorl_roots_asides(const whorl_roots *r, uint64_t *count) {
  *count = r->aside_count;
  return r->aside;
}

/* References are to have so many bits. */
static bool whorl_roots_init(whorl_roots *r, whorl_account *account, unsigned bits) {
  assert(sizeof(whorl_bucket) == 64);
  memset(r, 0, sizeof *r);
  if (!whorl_region_init(&r->memory, account, (size_t)8 << WHORL_ROOTS_MOST_LOG)) return false;
  r->buckets = (whorl_bucket *)(void *)r->memory.base;
  bool wide = whorl_roots_least(bits, false) > WHORL_ROOTS_SMALL;
  return whorl_roots_lay(r, bits, wide, whorl_roots_least(bits, wide));
}

static inline void whorl_roots_free(whorl_roots *r) {
  whorl_region_free(&r->memory);
  whorl_given_back(r->aside, r->aside_count * sizeof *r->aside);
}

static inline uint64_t whorl_roots_home(const whorl_roots *r, uint64_t key) {
  return whorl_high(key << (64 - 2 * r->bits), r->size);
}

static inline void whorl_roots_prefetch(const whorl_roots *r, uint64_t home) {
  __builtin_prefetch(&r->buckets[home], 1);
}

static inline uint64_t whorl_bucket_kept(const whorl_bucket *b, uint32_t i, bool wide) {
  uint16_t middle = 0;
  if (wide) memcpy(&middle, (const char *)(b->words + WHORL_BUCKET_WIDE) + 2 * i, 2);
  return (uint64_t)middle << 32 | b->words[i];
}

/* Which of a bucket's keys agree with `key`: a bit each. It cannot be foreseen, so all are
 * compared, without a branch. */
static inline uint32_t whorl_bucket_equal(const whorl_bucket *b, uint64_t key, bool wide) {
#ifdef __SSE2__
  __m128i low = _mm_set1_epi32((int)(uint32_t)key);
  const __m128i *words = (const __m128i *)(const void *)b->words;
  __m128i first = _mm_cmpeq_epi32(_mm_load_si128(words), low);
  __m128i second = _mm_cmpeq_epi32(_mm_load_si128(words + 1), low);
  __m128i third = _mm_cmpeq_epi32(_mm_load_si128(words + 2), low);
  if (__builtin_expect(!wide, 1)) {
    __m128i fourth = _mm_cmpeq_epi32(_mm_load_si128(words + 3), low); /* the last is the count */
    return (uint32_t)_mm_movemask_epi8(
        _mm_packs_epi16(_mm_packs_epi32(first, second), _mm_packs_epi32(third, fourth)));
  }
  __m128i middle = _mm_set1_epi16((short)(key >> 32));
  __m128i eight = _mm_loadu_si128((const __m128i *)(const void *)(b->words + WHORL_BUCKET_WIDE));
  __m128i rest = _mm_load_si128(words + 3); /* from the fifth on */
  __m128i both = _mm_and_si128(_mm_packs_epi32(first, second), _mm_cmpeq_epi16(eight, middle));
  __m128i last = _mm_and_si128(_mm_packs_epi32(second, third), _mm_cmpeq_epi16(rest, middle));
  uint32_t bits = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(both, last));
  return (bits & 0xff) | (bits >> 12 & 3) << 8;
#else
  uint32_t equal = 0;
  for (uint32_t i = 0; i < whorl_roots_room(wide); i++)
    equal |= (uint32_t)(whorl_bucket_kept(b, i, wide) ==
                        (key & (UINT64_MAX >> (64 - whorl_roots_kept(wide)))))
             << i;
  return equal;
#endif
}

static inline bool whorl_bucket_has(const whorl_bucket *b, uint64_t key, bool wide) {
  return (whorl_bucket_equal(b, key, wide) & ((1u << b->count) - 1)) != 0;
}

static inline void whorl_bucket_put(whorl_bucket *b, uint64_t key, bool wide) {
  assert(b->count < whorl_roots_room(wide));
  b->words[b->count] = (uint32_t)key;
  if (wide) {
    uint16_t middle = (uint16_t)(key >> 32);
    memcpy((char *)(b->words + WHORL_BUCKET_WIDE) + 2 * b->count, &middle, 2);
  }
  b->count++;
}

static __attribute__((noinline)) bool whorl_roots_aside(whorl_roots *r, uint64_t key) {
  for (uint64_t i = 0; i < r->aside_count; i++)
    if (r->aside[i] == key) return false;
  r->aside = (uint64_t *)whorl_grown(r->aside, r->aside_count * sizeof *r->aside,
                                     (r->aside_count + 1) * sizeof *r->aside);
  r->aside[r->aside_count++] = key;
  if (r->count > r->size * whorl_roots_room(r->wide) / 2) r->limit = 0; /* grow, if it can help */
  return true;
}

/* Adds a key that has this home. Whether it is new. There has to be room: whorl_roots_reserve. */
static inline bool whorl_roots_add_at(whorl_roots *r, uint64_t home, uint64_t key) {
  assert(key >> 2 * r->bits == 0 && home == whorl_roots_home(r, key));
  whorl_bucket *b = &r->buckets[home];
  for (const whorl_bucket *end = b + WHORL_ROOTS_REACH; b < end; b++) {
    if (whorl_bucket_has(b, key, r->wide)) return false;
    if (b->count < whorl_roots_room(r->wide)) {
      whorl_bucket_put(b, key, r->wide);
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

/* The least key that may stand in the bucket at `at`, or somewhat less. */
static inline uint64_t whorl_roots_first(const whorl_roots *r, uint64_t at) {
  uint64_t home = at < WHORL_ROOTS_REACH ? 0 : at - (WHORL_ROOTS_REACH - 1);
  return whorl_product_above(home, r->stride, whorl_roots_shift(r->wide));
}

/* A key of a bucket: the one within reach of it, where `first` is the least. */
static inline uint64_t whorl_bucket_key(const whorl_bucket *b, uint32_t i, uint64_t first,
                                        bool wide) {
  uint64_t mask = UINT64_MAX >> (64 - whorl_roots_kept(wide));
  return first + ((whorl_bucket_kept(b, i, wide) - first) & mask);
}

/* Adds a key that is not there yet. */
static inline void whorl_roots_put(whorl_roots *r, uint64_t key, bool wide) {
  whorl_bucket *to = &r->buckets[whorl_roots_home(r, key)];
  for (const whorl_bucket *end = to + WHORL_ROOTS_REACH; to < end; to++)
    if (to->count < whorl_roots_room(wide)) {
      whorl_bucket_put(to, key, wide);
      return;
    }
  whorl_roots_aside(r, key);
}

/* Adds what a bucket held, where it was `at` of the table that was `before`. */
static inline __attribute__((always_inline)) void whorl_roots_again(whorl_roots *r,
                                                                    const whorl_roots *before,
                                                                    const whorl_bucket *b,
                                                                    uint64_t at, bool wide,
                                                                    bool was_wide, bool widens) {
  uint64_t first = whorl_roots_first(before, at);
  for (uint32_t i = 0; i < b->count; i++) {
    uint64_t key = whorl_bucket_key(b, i, first, was_wide);
    if (widens) key = whorl_key_widen(key, before->bits, r->bits);
    whorl_roots_put(r, key, wide);
  }
}

/* The same, of any tables. Most often the format is the narrow one and stays so. */
static inline void whorl_roots_move(whorl_roots *r, const whorl_roots *before,
                                    const whorl_bucket *b, uint64_t at) {
  if (__builtin_expect(!r->wide && before->bits == r->bits, 1))
    whorl_roots_again(r, before, b, at, false, false, false);
  else
    whorl_roots_again(r, before, b, at, r->wide, before->wide, before->bits != r->bits);
}

/* Grows to `size` homes, in place, for references of `bits`. */
static bool whorl_roots_resize(whorl_roots *r, unsigned bits, bool wide, uint64_t size) {
  whorl_roots before = *r;
  uint64_t buckets = before.size + WHORL_ROOTS_REACH - 1;
  assert(size > before.size);
  /* At the front a new home may be before the bucket that is being read. So the buckets of the
   * front are set apart first: homes of those behind move up by the reach or more. */
  uint64_t steps = before.size / (size - before.size) + 1;
  uint64_t front = (WHORL_ROOTS_REACH + 1) * steps + WHORL_ROOTS_REACH;
  if (front > buckets) front = buckets;
  whorl_bucket *apart = (whorl_bucket *)malloc(front * sizeof *apart);
  if (!apart || !whorl_roots_lay(r, bits, wide, size)) {
    free(apart);
    return false;
  }
  memcpy(apart, r->buckets, front * sizeof *apart);
  memset(r->buckets, 0, front * sizeof *apart);
  r->aside = NULL;
  r->aside_count = 0;
  for (uint64_t at = buckets; at-- > front;) {
    whorl_bucket b = r->buckets[at];
    memset(&r->buckets[at], 0, sizeof b);
    whorl_roots_move(r, &before, &b, at);
  }
  for (uint64_t at = 0; at < front; at++) whorl_roots_move(r, &before, &apart[at], at);
  for (uint64_t i = 0; i < before.aside_count; i++)
    whorl_roots_put(r, whorl_key_widen(before.aside[i], before.bits, bits), wide);
  whorl_given_back(before.aside, before.aside_count * sizeof *before.aside);
  free(apart);
  return true;
}

/* The next size. What a small table has too much costs nothing, and every growth moves all that is
 * there. */
static inline uint64_t whorl_roots_more(uint64_t size) {
  return size + (size < WHORL_ROOTS_SMALL ? size
                 : size < 300000          ? size / 2
                 : size < 1000000         ? size / 4
                                          : size / 8);
}

/* Room for `more` keys. */
static inline bool whorl_roots_reserve(whorl_roots *r, uint64_t more) {
  if (__builtin_expect(r->count + more <= r->limit, 1)) return true;
  uint64_t size = r->size;
  do size = whorl_roots_more(size);
  while (whorl_roots_limit(size, r->wide) < r->count + more);
  return whorl_roots_resize(r, r->bits, r->wide, size);
}

/* Room for references of a bit more. */
static bool whorl_roots_widen(whorl_roots *r) {
  unsigned bits = r->bits + 1;
  uint64_t size = r->size + r->size / 16, least = whorl_roots_least(bits, r->wide);
  bool wide = r->wide || least > (size > WHORL_ROOTS_SMALL ? size : WHORL_ROOTS_SMALL);
  while (whorl_roots_limit(size, wide) < r->count) size = whorl_roots_more(size);
  least = whorl_roots_least(bits, wide);
  return whorl_roots_resize(r, bits, wide, size > least ? size : least);
}

/* The pairs of the bucket at `at`, left ones above right ones; how many there are. */
static inline uint32_t whorl_roots_pairs(const whorl_roots *r, uint64_t at,
                                         uint64_t pairs[WHORL_BUCKET_WORDS]) {
  const whorl_bucket *b = &r->buckets[at];
  uint64_t first = whorl_roots_first(r, at);
  for (uint32_t i = 0; i < b->count; i++)
    pairs[i] = whorl_key_pair(whorl_bucket_key(b, i, first, r->wide), r->bits);
  return b->count;
}

#endif
