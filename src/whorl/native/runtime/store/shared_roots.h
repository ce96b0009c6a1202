/* A set of pairs of references, in four bytes each, that several threads add to: what roots.h is for
 * one.
 *
 * Keys, homes and reach are as there, and so is what makes it exact. A bucket has no count: a place is
 * empty while it is zero, and a key goes to the first empty place within reach of its home.
 *
 *   bucket   | 16 x lower 32 bits |                                                 narrow
 *            | 10 x lower 32 bits | 10 x next 16 bits | a bit each: complete |      wide
 *
 * Whoever adds a key looks at the places from its home on, in one order, and swaps it for the first
 * zero. If that fails somebody else has filled the place, perhaps with the same key, so it is looked at
 * again. Nothing is ever taken out. So whoever adds the same key comes to the same place, and one of
 * them finds it new. In a wide bucket the lower bits are put first, which takes the place, and then the
 * rest; whoever finds its own lower bits there waits until the rest has come.
 *
 * Keys whose lower bits are all zero, one in 2^32, and those that find no room within reach are kept
 * aside, behind a lock.
 *
 * A key may have a mark (shared_marks.h), which goes with it to another table. Keys that are aside have none.
 *
 * Growing takes a barrier: everybody moves chunks of buckets to the new table, in which a key's home is
 * as far from the beginning as before, in proportion. So memory is taken from the front and given back
 * from the front.
 */
#ifndef WHORL_SHARED_ROOTS_H
#define WHORL_SHARED_ROOTS_H

#include "store/keys.h"
#include "store/shared_marks.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define WHORL_ROOTS_REACH_LOG 5
#define WHORL_ROOTS_REACH (UINT64_C(1) << WHORL_ROOTS_REACH_LOG)
#define WHORL_ROOTS_LOAD 75 /* percent, at most: above that too many homes are full */
#define WHORL_BUCKET_WORDS 16
#define WHORL_BUCKET_WIDE 10 /* keys of a wide bucket */
#define WHORL_BUCKET_READY 15
#ifndef WHORL_ROOTS_CHUNK
#define WHORL_ROOTS_CHUNK \
  (WHORL_CHUNK / 64) /* buckets that a thread moves at a time: whole pages */
#endif
#ifndef WHORL_ROOTS_SMALL
#define WHORL_ROOTS_SMALL 65536 /* buckets: a table that is no larger costs nothing */
#endif

typedef struct {
  _Atomic uint32_t words[WHORL_BUCKET_WORDS];
} whorl_bucket;

/* Where buckets are, and how keys are laid out over them. */
typedef struct {
  whorl_bucket *buckets;
  unsigned bits;          /* of a reference; a key has twice as many */
  bool wide;              /* the format of the buckets */
  uint64_t size;          /* homes; there are WHORL_ROOTS_REACH - 1 buckets after the last */
  uint64_t stride;        /* from the first key of a home to that of the next, in fixed point */
  unsigned shift;         /* which takes a key to the upper end of a word */
  whorl_mark_word *marks; /* a word a bucket; NULL: there are none */
} whorl_roots_layout;

/* What all threads have together. */
typedef struct {
  whorl_stock stock; /* of room for keys */
  whorl_roots_layout layout;
  whorl_region memory;
  whorl_region marks_memory;
  whorl_roots_layout old_layout; /* while it grows: what is still to be moved */
  whorl_region old_memory;
  whorl_region old_marks_memory;
  _Alignas(WHORL_LINE) _Atomic uint64_t moved; /* buckets whose move has begun */
  pthread_mutex_t lock;
  uint64_t *aside; /* keys that found no room */
  uint64_t aside_count;
  uint64_t *old_aside;
  uint64_t old_aside_count;
  _Atomic bool crowded; /* so many are aside that it should grow */
} whorl_roots_core;

/* A thread's view. */
typedef struct {
  whorl_roots_layout layout;
  whorl_roots_core *core;
  uint64_t lease;
} whorl_roots;

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

static inline uint64_t whorl_roots_buckets(uint64_t size) { return size + WHORL_ROOTS_REACH - 1; }

static inline uint64_t whorl_layout_home(const whorl_roots_layout *l, uint64_t key) {
  return whorl_high(key << l->shift, l->size);
}

static inline uint64_t whorl_roots_home(const whorl_roots *r, uint64_t key) {
  return whorl_layout_home(&r->layout, key);
}

static inline void whorl_roots_prefetch(const whorl_roots *r, uint64_t home) {
  __builtin_prefetch(&r->layout.buckets[home], 1);
}

static inline uint32_t whorl_bucket_word(const whorl_bucket *b, uint32_t i) {
  return atomic_load_explicit((_Atomic uint32_t *)&b->words[i], memory_order_relaxed);
}

static inline _Atomic uint16_t *whorl_bucket_middles(const whorl_bucket *b) {
  return (_Atomic uint16_t *)(void *)((char *)(void *)b + 4 * WHORL_BUCKET_WIDE);
}

/* What is kept of a key, while nobody adds. */
static inline uint64_t whorl_bucket_kept(const whorl_bucket *b, uint32_t i, bool wide) {
  uint64_t low = whorl_bucket_word(b, i);
  if (!wide) return low;
  return low | (uint64_t)atomic_load_explicit(&whorl_bucket_middles(b)[i], memory_order_relaxed)
                   << 32;
}

/* The words of a bucket as they were, each read once, in any order. Others may be adding to it; but places
 * are filled from the front, so whoever adds the same key meanwhile does so at the first place that was
 * empty or, if that is filled by then, behind it. (Sixteen bytes at a time are no atomic access to the
 * language, but each word of them is one to the machine.) */
#if defined(__SSE2__) && !WHORL_WATCHED
typedef struct {
  __m128i words[4];
} whorl_bucket_copy;

static inline whorl_bucket_copy whorl_bucket_look(const whorl_bucket *b) {
  const __m128i *words = (const __m128i *)(const void *)b;
  whorl_bucket_copy copy = {{_mm_load_si128(words), _mm_load_si128(words + 1),
                             _mm_load_si128(words + 2), _mm_load_si128(words + 3)}};
  return copy;
}

/* Which places have these lower bits: a bit each. */
static inline uint32_t whorl_copy_match(const whorl_bucket_copy *b, uint32_t low) {
  __m128i all = _mm_set1_epi32((int)low);
  return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(
      _mm_packs_epi32(_mm_cmpeq_epi32(b->words[0], all), _mm_cmpeq_epi32(b->words[1], all)),
      _mm_packs_epi32(_mm_cmpeq_epi32(b->words[2], all), _mm_cmpeq_epi32(b->words[3], all))));
}
#else
typedef struct {
  uint32_t words[WHORL_BUCKET_WORDS];
} whorl_bucket_copy;

static inline whorl_bucket_copy whorl_bucket_look(const whorl_bucket *b) {
  whorl_bucket_copy copy;
  for (uint32_t i = 0; i < WHORL_BUCKET_WORDS; i++) copy.words[i] = whorl_bucket_word(b, i);
  return copy;
}

static inline uint32_t whorl_copy_match(const whorl_bucket_copy *b, uint32_t low) {
  uint32_t equal = 0;
  for (uint32_t i = 0; i < WHORL_BUCKET_WORDS; i++) equal |= (uint32_t)(b->words[i] == low) << i;
  return equal;
}
#endif

/* The next 16 bits of a place whose lower bits are there: they come soon. */
static inline uint16_t whorl_bucket_middle(const whorl_bucket *b, uint32_t i) {
  _Atomic uint32_t *ready = (_Atomic uint32_t *)&b->words[WHORL_BUCKET_READY];
  while (!(atomic_load_explicit(ready, memory_order_acquire) >> i & 1)) sched_yield();
  return atomic_load_explicit(&whorl_bucket_middles(b)[i], memory_order_relaxed);
}

/* Whether a bucket has the key at one of the places `equal`, which have its lower bits. */
static inline bool whorl_bucket_has(const whorl_bucket *b, uint32_t equal, uint64_t key,
                                    bool wide) {
  if (__builtin_expect(!wide, 1)) return equal != 0;
  for (equal &= (1u << WHORL_BUCKET_WIDE) - 1; equal; equal &= equal - 1)
    if (whorl_bucket_middle(b, (uint32_t)__builtin_ctz(equal)) == (uint16_t)(key >> 32))
      return true;
  return false;
}

/* Puts a key to an empty place; false if it is not empty any more. */
static inline bool whorl_bucket_put(whorl_bucket *b, uint32_t i, uint64_t key, bool wide) {
  uint32_t empty = 0;
  whorl_give_way();
  if (!atomic_compare_exchange_strong_explicit(&b->words[i], &empty, (uint32_t)key,
                                               memory_order_relaxed, memory_order_relaxed))
    return false;
  if (!wide) return true;
  whorl_give_way();
  atomic_store_explicit(&whorl_bucket_middles(b)[i], (uint16_t)(key >> 32), memory_order_relaxed);
  whorl_give_way();
  atomic_fetch_or_explicit(&b->words[WHORL_BUCKET_READY], 1u << i, memory_order_release);
  return true;
}

static __attribute__((noinline)) bool whorl_roots_aside(whorl_roots_core *core, uint64_t key) {
  bool fresh = true;
  pthread_mutex_lock(&core->lock);
  for (uint64_t i = 0; i < core->aside_count && fresh; i++) fresh = core->aside[i] != key;
  if (fresh) {
    core->aside = (uint64_t *)whorl_grown(core->aside, core->aside_count * sizeof *core->aside,
                                          (core->aside_count + 1) * sizeof *core->aside);
    core->aside[core->aside_count++] = key;
    if ((uint32_t)key != 0) atomic_store_explicit(&core->crowded, true, memory_order_relaxed);
  }
  pthread_mutex_unlock(&core->lock);
  return fresh;
}

/* Adds a key that has this home, in one format; whether it is new. `absent`: it is known not to be there. */
static inline __attribute__((always_inline)) bool whorl_layout_add_as(const whorl_roots_layout *l,
                                                                      whorl_roots_core *core,
                                                                      uint64_t home, uint64_t key,
                                                                      bool absent, bool wide) {
  uint32_t low = (uint32_t)key, places = (1u << whorl_roots_room(wide)) - 1;
  if (__builtin_expect(low == 0, 0)) return whorl_roots_aside(core, key);
  whorl_bucket *b = &l->buckets[home];
  for (const whorl_bucket *end = b + WHORL_ROOTS_REACH; b < end; b++)
    for (;;) {
      whorl_bucket_copy copy = whorl_bucket_look(b);
      if (!absent && whorl_bucket_has(b, whorl_copy_match(&copy, low), key, wide)) return false;
      uint32_t empty = whorl_copy_match(&copy, 0) & places;
      if (!empty) break;
      if (whorl_bucket_put(b, (uint32_t)__builtin_ctz(empty), key, wide)) return true;
    }
  return whorl_roots_aside(core, key);
}

/* The wide format is for very many nodes only. */
static __attribute__((noinline)) bool whorl_layout_add_wide(const whorl_roots_layout *l,
                                                            whorl_roots_core *core, uint64_t home,
                                                            uint64_t key, bool absent) {
  return whorl_layout_add_as(l, core, home, key, absent, true);
}

static inline __attribute__((always_inline)) bool whorl_layout_add(const whorl_roots_layout *l,
                                                                   whorl_roots_core *core,
                                                                   uint64_t home, uint64_t key,
                                                                   bool absent) {
  if (__builtin_expect(l->wide, 0)) return whorl_layout_add_wide(l, core, home, key, absent);
  return whorl_layout_add_as(l, core, home, key, absent, false);
}

/* Adds a key that has this home; whether it is new. It has to be within the lease. */
static inline __attribute__((always_inline)) bool whorl_roots_add_at(whorl_roots *r, uint64_t home,
                                                                     uint64_t key) {
  assert(key >> 2 * r->layout.bits == 0 && home == whorl_roots_home(r, key) && r->lease > 0);
  bool fresh = whorl_layout_add(&r->layout, r->core, home, key, false);
  r->lease -= fresh;
  return fresh;
}

static inline bool whorl_roots_add(whorl_roots *r, uint64_t key) {
  return whorl_roots_add_at(r, whorl_roots_home(r, key), key);
}

/* Where a key is that has been added; WHORL_NOWHERE: aside. */
static inline uint64_t whorl_layout_find(const whorl_roots_layout *l, uint64_t key) {
  uint64_t home = whorl_layout_home(l, key);
  uint32_t low = (uint32_t)key, places = (1u << whorl_roots_room(l->wide)) - 1;
  for (uint64_t at = home; at < home + WHORL_ROOTS_REACH && low; at++) {
    const whorl_bucket *b = &l->buckets[at];
    whorl_bucket_copy copy = whorl_bucket_look(b);
    uint32_t equal = whorl_copy_match(&copy, low) & places;
    for (; equal; equal &= equal - 1)
      if (whorl_bucket_has(b, equal & -equal, key, l->wide))
        return at * WHORL_BUCKET_WORDS + (uint64_t)__builtin_ctz(equal);
    if (whorl_copy_match(&copy, 0) & places) break;
  }
  return WHORL_NOWHERE;
}

/* Gives all keys that are not aside a mark, while there is one thread. Whether there is memory. */
static bool whorl_roots_mark_all(whorl_roots *r) {
  whorl_roots_core *core = r->core;
  whorl_roots_layout *l = &core->layout;
  uint64_t buckets = whorl_roots_buckets(l->size);
  if (!l->marks &&
      !whorl_marks_init(&core->marks_memory, core->memory.account, buckets * WHORL_BUCKET_WORDS))
    return false;
  l->marks = r->layout.marks = whorl_marks_words(&core->marks_memory);
  for (uint64_t at = 0; at < buckets; at++)
    for (uint32_t i = 0; i < whorl_roots_room(l->wide) && whorl_bucket_word(&l->buckets[at], i);
         i++)
      whorl_mark_set_own(l->marks, at * WHORL_BUCKET_WORDS + i);
  return true;
}

static inline bool whorl_roots_is_marked(const whorl_roots *r, uint64_t key) {
  uint64_t place = r->layout.marks ? whorl_layout_find(&r->layout, key) : WHORL_NOWHERE;
  return place != WHORL_NOWHERE && whorl_mark_get(r->layout.marks, place);
}

/* Marks a key that has been added, if it is not aside. */
static inline void whorl_roots_mark(const whorl_roots *r, uint64_t key) {
  uint64_t place = r->layout.marks ? whorl_layout_find(&r->layout, key) : WHORL_NOWHERE;
  if (place != WHORL_NOWHERE) whorl_mark_set(r->layout.marks, place);
}

/* While there is one thread. */
static inline void whorl_roots_unmark(const whorl_roots *r, uint64_t key) {
  uint64_t place = whorl_layout_find(&r->layout, key);
  if (place != WHORL_NOWHERE) whorl_mark_clear(r->layout.marks, place);
}

static inline void whorl_roots_prefetch_mark(const whorl_roots *r, uint64_t home) {
  if (r->layout.marks) __builtin_prefetch((const void *)&r->layout.marks[home], 1);
}

/* How many keys there are, between barriers about: what is leased counts. */
static inline uint64_t whorl_roots_count(const whorl_roots *r) {
  return whorl_stock_taken(&r->core->stock) - r->lease;
}

static inline uint64_t whorl_roots_size(const whorl_roots *r) { return r->layout.size; }

/* The keys that are aside, while nobody adds. */
static inline const uint64_t *whorl_roots_asides(const whorl_roots *r, uint64_t *count) {
  *count = r->core->aside_count;
  return r->core->aside;
}

static inline size_t whorl_roots_bytes(const whorl_roots *r) {
  if (!r->core) return 0;
  size_t marks = r->core->layout.marks ? sizeof(whorl_mark_word) : 0;
  return whorl_roots_buckets(r->core->layout.size) * (sizeof(whorl_bucket) + marks);
}

/* The least key that may stand in the bucket at `at`, or somewhat less. */
static inline uint64_t whorl_layout_first(const whorl_roots_layout *l, uint64_t at) {
  uint64_t home = at < WHORL_ROOTS_REACH ? 0 : at - (WHORL_ROOTS_REACH - 1);
  return whorl_product_above(home, l->stride, whorl_roots_shift(l->wide));
}

/* The keys of the bucket at `at`, while nobody adds; how many there are. */
static inline uint32_t whorl_layout_keys(const whorl_roots_layout *l, uint64_t at,
                                         uint64_t keys[WHORL_BUCKET_WORDS]) {
  const whorl_bucket *b = &l->buckets[at];
  uint64_t first = whorl_layout_first(l, at), mask = UINT64_MAX >> (64 - whorl_roots_kept(l->wide));
  uint32_t count = 0;
  for (; count < whorl_roots_room(l->wide) && whorl_bucket_word(b, count); count++)
    keys[count] = first + ((whorl_bucket_kept(b, count, l->wide) - first) & mask);
  return count;
}

/* The pairs of the bucket at `at`, left ones above right ones, while nobody adds; how many there are. */
static inline uint32_t whorl_roots_pairs(const whorl_roots *r, uint64_t at,
                                         uint64_t pairs[WHORL_BUCKET_WORDS]) {
  uint32_t count = whorl_layout_keys(&r->layout, at, pairs);
  for (uint32_t i = 0; i < count; i++) pairs[i] = whorl_key_pair(pairs[i], r->layout.bits);
  return count;
}

/* The next size. */
static inline uint64_t whorl_roots_more(uint64_t size) {
  return size + (size < WHORL_ROOTS_SMALL ? size
                 : size < 300000          ? size / 2
                 : size < 1000000         ? size / 4
                                          : size / 8);
}

static bool whorl_roots_lay(whorl_roots_core *core, whorl_region *memory, unsigned bits, bool wide,
                            uint64_t size) {
  assert(size >= whorl_roots_least(bits, wide));
  core->memory = *memory;
  core->layout.buckets = (whorl_bucket *)(void *)memory->base;
  core->layout.bits = bits;
  core->layout.shift = 64 - 2 * bits;
  core->layout.wide = wide;
  core->layout.size = size;
  core->layout.stride = whorl_power_over(2 * bits + whorl_roots_shift(wide), size);
  core->stock.limit = whorl_roots_limit(size, wide);
  return true;
}

/* The first view, of a new table. References are to have so many bits. */
static bool whorl_roots_init(whorl_roots *r, whorl_account *account, unsigned bits) {
  assert(sizeof(whorl_bucket) == WHORL_LINE);
  memset(r, 0, sizeof *r);
  bool wide = whorl_roots_least(bits, false) > WHORL_ROOTS_SMALL;
  uint64_t size = whorl_roots_least(bits, wide);
  size_t bytes = whorl_roots_buckets(size) * sizeof(whorl_bucket);
  whorl_region memory;
  if (!whorl_region_init(&memory, account, bytes)) return false;
  if (!whorl_region_commit(&memory, bytes)) {
    whorl_region_free(&memory);
    return false;
  }
  r->core = (whorl_roots_core *)aligned_alloc(WHORL_LINE, sizeof *r->core);
  if (!r->core) return false;
  memset(r->core, 0, sizeof *r->core);
  pthread_mutex_init(&r->core->lock, NULL);
  whorl_roots_lay(r->core, &memory, bits, wide, size);
  r->layout = r->core->layout;
  return true;
}

/* Frees the table; other views are of no use any more. */
static inline void whorl_roots_free(whorl_roots *r) {
  whorl_roots_core *core = r->core;
  if (!core) return;
  whorl_region_free(&core->memory);
  if (core->layout.marks) whorl_region_free(&core->marks_memory);
  whorl_given_back(core->aside, core->aside_count * sizeof *core->aside);
  pthread_mutex_destroy(&core->lock);
  free(core);
  r->core = NULL;
}

/* Room for `more` keys; false if it takes a barrier. */
static inline bool whorl_roots_reserve(whorl_roots *r, uint64_t more) {
  return whorl_stock_lease(&r->core->stock, &r->lease, more);
}

/* The four steps of a barrier. Everybody gives back its lease; one begins; everybody moves, and then looks
 * at the table as it is by then, after one has ended it. */
static inline void whorl_roots_return(whorl_roots *r) {
  whorl_stock_return(&r->core->stock, &r->lease);
}

static inline bool whorl_roots_suffice(const whorl_roots *r, unsigned bits, uint64_t threads,
                                       uint64_t least) {
  return bits == r->core->layout.bits && whorl_stock_suffices(&r->core->stock, threads, least) &&
         !atomic_load_explicit(&r->core->crowded, memory_order_relaxed);
}

/* Begins to grow, for references of `bits`, if that is needed. Whether there is memory. */
static bool whorl_roots_begin(whorl_roots *r, unsigned bits, uint64_t threads, uint64_t least) {
  whorl_roots_core *core = r->core;
  if (whorl_roots_suffice(r, bits, threads, least)) return true;
  bool crowded = atomic_load_explicit(&core->crowded, memory_order_relaxed);
  atomic_store_explicit(&core->crowded, false, memory_order_relaxed);
  uint64_t size = core->layout.size, small = size > WHORL_ROOTS_SMALL ? size : WHORL_ROOTS_SMALL;
  /* With bad luck some keys find no room in a table that is nearly empty: growing does not help. */
  if (crowded && 2 * whorl_stock_taken(&core->stock) > core->stock.limit)
    size = whorl_roots_more(size);
  bool wide = core->layout.wide || whorl_roots_least(bits, false) > small;
  uint64_t wanted = atomic_load_explicit(&core->stock.wanted, memory_order_relaxed);
  if (wanted < least) wanted = least;
  wanted = whorl_stock_taken(&core->stock) + threads * wanted;
  while (whorl_roots_limit(size, wide) < wanted) size = whorl_roots_more(size);
  if (size < whorl_roots_least(bits, wide)) size = whorl_roots_least(bits, wide);
  if (size == core->layout.size && bits == core->layout.bits) return true;
  uint64_t buckets = whorl_roots_buckets(size);
  whorl_region memory, marks = core->marks_memory;
  if (core->layout.marks && !whorl_region_succeed(&marks, &core->marks_memory,
                                                  whorl_marks_size(buckets * WHORL_BUCKET_WORDS)))
    return false;
  if (!whorl_region_succeed(&memory, &core->memory, buckets * sizeof(whorl_bucket))) {
    if (core->layout.marks) whorl_region_recede(&marks, &core->marks_memory);
    return false;
  }
  core->old_marks_memory = core->marks_memory;
  core->marks_memory = marks;
  core->old_memory = core->memory;
  core->old_layout = core->layout;
  core->old_aside = core->aside;
  core->old_aside_count = core->aside_count;
  core->aside = NULL;
  core->aside_count = 0;
  whorl_roots_lay(core, &memory, bits, wide, size);
  if (core->layout.marks) core->layout.marks = whorl_marks_words(&core->marks_memory);
  atomic_store_explicit(&core->moved, 0, memory_order_relaxed);
  return true;
}

static inline bool whorl_roots_moves(const whorl_roots *r) {
  return r->core->old_memory.base != NULL;
}

/* Where keys that are moved go to, and nobody else is at work: the buckets between two. What is filled of
 * each is known, or less than it is. */
typedef struct {
  uint64_t low, high;
  uint8_t *filled;
} whorl_roots_own;

/* Whether a key of this home stays there. */
static inline bool whorl_own_has(const whorl_roots_own *own, uint64_t home) {
  return home - own->low < own->high - own->low;
}

/* Puts a key that is not in the table to a place that is empty. */
static inline void whorl_own_fill(whorl_bucket *b, uint32_t i, uint64_t key, bool wide) {
  whorl_give_way();
  atomic_store_explicit(&b->words[i], (uint32_t)key, memory_order_relaxed);
  if (!wide) return;
  uint32_t ready = whorl_bucket_word(b, WHORL_BUCKET_READY) | 1u << i;
  atomic_store_explicit(&whorl_bucket_middles(b)[i], (uint16_t)(key >> 32), memory_order_relaxed);
  atomic_store_explicit(&b->words[WHORL_BUCKET_READY], ready, memory_order_relaxed);
}

/* The same, where the next place of its home is not. Where it has come to. */
static __attribute__((noinline)) uint64_t whorl_own_seek(const whorl_roots_own *own,
                                                         whorl_roots_core *core, uint64_t home,
                                                         uint64_t key, bool wide) {
  uint32_t room = whorl_roots_room(wide);
  for (uint64_t at = home, end = home + WHORL_ROOTS_REACH; at < end && (uint32_t)key; at++) {
    whorl_bucket *b = &core->layout.buckets[at];
    uint32_t i = own->filled[at - own->low];
    while (i < room && whorl_bucket_word(b, i)) i++;
    own->filled[at - own->low] = (uint8_t)(i < room ? i + 1 : room);
    if (i == room) continue;
    whorl_own_fill(b, i, key, wide);
    return at * WHORL_BUCKET_WORDS + i;
  }
  whorl_roots_aside(core, key);
  return WHORL_NOWHERE;
}

/* Puts a key that is not in the table to its home or behind. Where it has come to. */
static inline __attribute__((always_inline)) uint64_t whorl_own_put(const whorl_roots_own *own,
                                                                    const whorl_roots_layout *l,
                                                                    whorl_roots_core *core,
                                                                    uint64_t home, uint64_t key,
                                                                    bool wide) {
  uint8_t *filled = &own->filled[home - own->low];
  uint32_t i = *filled;
  whorl_bucket *b = &l->buckets[home];
  if (__builtin_expect(i == whorl_roots_room(wide) || (uint32_t)key == 0 || whorl_bucket_word(b, i),
                       0))
    return whorl_own_seek(own, core, home, key, wide);
  *filled = (uint8_t)(i + 1);
  whorl_own_fill(b, i, key, wide);
  return home * WHORL_BUCKET_WORDS + i;
}

/* Moves the buckets from `at` to `end`, from one format to another. */
static inline __attribute__((always_inline)) void whorl_roots_move_own(whorl_roots_core *core,
                                                                       const whorl_roots_own *own,
                                                                       uint64_t at, uint64_t end,
                                                                       bool was_wide, bool wide,
                                                                       bool widens) {
  const whorl_roots_layout old = core->old_layout, layout = core->layout;
  uint64_t mask = UINT64_MAX >> (64 - whorl_roots_kept(was_wide));
  for (; at < end; at++) {
    const whorl_bucket *b = &old.buckets[at];
    uint64_t first = whorl_layout_first(&old, at);
    for (uint32_t i = 0; i < whorl_roots_room(was_wide) && whorl_bucket_word(b, i); i++) {
      uint64_t key = first + ((whorl_bucket_kept(b, i, was_wide) - first) & mask);
      if (widens) key = whorl_key_widen(key, old.bits, layout.bits);
      uint64_t home = whorl_layout_home(&layout, key), place;
      bool marked = old.marks && whorl_mark_get(old.marks, at * WHORL_BUCKET_WORDS + i);
      if (__builtin_expect(whorl_own_has(own, home), 1)) {
        place = whorl_own_put(own, &layout, core, home, key, wide);
        if (marked && place != WHORL_NOWHERE) whorl_mark_set_own(layout.marks, place);
      } else {
        whorl_layout_add_as(&layout, core, home, key, true, wide);
        place = marked ? whorl_layout_find(&layout, key) : WHORL_NOWHERE;
        if (place != WHORL_NOWHERE) whorl_mark_set(layout.marks, place);
      }
    }
  }
}

/* Moves the buckets from `at` to `end`. Those that were before have keys up to the first of `at`, and those
 * behind from within reach of `end` on; what is between, and goes nowhere near it, nobody else moves. */
static void whorl_roots_move_chunk(whorl_roots_core *core, uint64_t at, uint64_t end) {
  const whorl_roots_layout *old = &core->old_layout, *layout = &core->layout;
  uint64_t reach = WHORL_ROOTS_REACH;
  whorl_roots_own own = {0, 0, NULL};
  if (end - at > 2 * reach) {
    uint64_t least = whorl_layout_first(old, at + reach), most = whorl_layout_first(old, end - 1);
    own.low =
        whorl_layout_home(layout, whorl_key_widen(least, old->bits, layout->bits)) + reach + 2;
    own.high = whorl_layout_home(layout, whorl_key_widen(most, old->bits, layout->bits));
    own.high = own.high > own.low + reach ? own.high - reach : own.low;
    own.filled = (uint8_t *)calloc(own.high - own.low + reach, 1);
    if (!own.filled) own.high = own.low;
  }
  if (__builtin_expect(!layout->wide && old->bits == layout->bits, 1))
    whorl_roots_move_own(core, &own, at, end, false, false, false);
  else
    whorl_roots_move_own(core, &own, at, end, old->wide, layout->wide, true);
  free(own.filled);
}

/* Moves chunks as long as there are any. */
static void whorl_roots_move(whorl_roots *r) {
  whorl_roots_core *core = r->core;
  uint64_t chunk = WHORL_ROOTS_CHUNK, buckets = whorl_roots_buckets(core->old_layout.size);
  while (whorl_roots_moves(r)) {
    uint64_t at = atomic_fetch_add_explicit(&core->moved, chunk, memory_order_relaxed);
    if (at >= buckets) return;
    uint64_t end = at + chunk < buckets ? at + chunk : buckets;
    whorl_roots_move_chunk(core, at, end);
    whorl_region_discard(&core->old_memory, at * sizeof(whorl_bucket),
                         (end - at) * sizeof(whorl_bucket));
  }
}

/* One ends it, once all have moved. */
static void whorl_roots_end(whorl_roots *r) {
  whorl_roots_core *core = r->core;
  atomic_store_explicit(&core->stock.wanted, 0, memory_order_relaxed);
  if (!whorl_roots_moves(r)) return;
  for (uint64_t i = 0; i < core->old_aside_count; i++) {
    uint64_t key = whorl_key_widen(core->old_aside[i], core->old_layout.bits, core->layout.bits);
    whorl_layout_add(&core->layout, core, whorl_layout_home(&core->layout, key), key, true);
  }
  whorl_given_back(core->old_aside, core->old_aside_count * sizeof *core->old_aside);
  whorl_region_end(&core->old_memory);
  if (core->layout.marks) whorl_region_end(&core->old_marks_memory);
}

static inline void whorl_roots_look(whorl_roots *r) { r->layout = r->core->layout; }

#endif
