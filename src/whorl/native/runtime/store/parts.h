/* Parts of a state, or of its leaves' references (shape.h): their hashes, and their likeness to nodes.
 *
 * A node has the bytes of a part from its beginning, in words. Windows may begin before it and end
 * behind it: what is beside a part does not count, but it has to be there.
 */
#ifndef WHORL_PARTS_H
#define WHORL_PARTS_H

#include "store/hash.h"
#include "store/shape.h"

/* Whether nodes are read without what is beside them, which another thread may be writing. That does
 * not matter, since it does not count, but a sanitizer would complain. */
#ifdef __SANITIZE_THREAD__
#define WHORL_PARTS_ALONE 1
#else
#define WHORL_PARTS_ALONE 0
#endif

/* Some bits of a hash tell nodes of different sizes apart: their places. They are low among those
 * that the index keeps, so they hardly matter to where it goes. */
#define WHORL_CLASS_SHIFT 32
#define WHORL_CLASSES UINT64_C(64)

static inline uint64_t whorl_window_hash(const uint8_t *bytes, uint64_t a, uint64_t b,
                                         const uint64_t *mask) {
  uint64_t first = whorl_load(bytes), second = WHORL_WINDOW_WORDS > 1 ? whorl_load(bytes + 8) : 0;
  if (mask) {
    first &= mask[0];
    second &= mask[1];
  }
  return whorl_fold(first ^ a, second ^ b);
}

/* Longer parts are read four words at a time, the last four so that they end where the part does. */
static __attribute__((noinline)) uint64_t whorl_hash_long(const whorl_part *p,
                                                          const uint8_t *bytes) {
  uint64_t h = 0;
  const uint8_t *last = bytes + p->first + p->bytes - 32;
  for (const uint8_t *at = bytes + p->first;; at += 32) {
    if (at > last) at = last;
    h = whorl_fold(h, WHORL_HASH_B) +
        (whorl_fold(whorl_load(at) ^ WHORL_HASH_A, whorl_load(at + 8) ^ WHORL_HASH_B) ^
         whorl_fold(whorl_load(at + 16) ^ WHORL_HASH_C, whorl_load(at + 24) ^ WHORL_HASH_D));
    if (at == last) return h;
  }
}

static inline uint64_t whorl_part_hash(const whorl_part *p, const uint8_t *bytes, uint32_t place) {
  int windows = p->windows;
  uint64_t h;
  if (WHORL_BYTES > WHORL_WINDOWS * WHORL_WINDOW && windows == 0) {
    h = whorl_hash_long(p, bytes);
  } else {
    h = whorl_window_hash(bytes + p->at[0], WHORL_HASH_A, WHORL_HASH_B, p->mask);
    if (WHORL_BYTES > WHORL_WINDOW && windows > 1)
      h ^= whorl_window_hash(bytes + p->at[1], WHORL_HASH_C, WHORL_HASH_D, NULL);
    if (WHORL_BYTES > 2 * WHORL_WINDOW && windows > 2) {
      h = whorl_fold(h, WHORL_HASH_B);
      h += whorl_window_hash(bytes + p->at[2], WHORL_HASH_A, WHORL_HASH_B, NULL);
      if (windows > 3) h ^= whorl_window_hash(bytes + p->at[3], WHORL_HASH_C, WHORL_HASH_D, NULL);
    }
  }
  h = whorl_fold(h, WHORL_HASH_D) & WHORL_HASH_MASK & ~((WHORL_CLASSES - 1) << WHORL_CLASS_SHIFT);
  return h | (uint64_t)place << WHORL_CLASS_SHIFT;
}

/* How a window of a node differs from that of a part: no bit is set if it does not. */
#ifdef __SSE2__
typedef __m128i whorl_difference;

static inline whorl_difference whorl_window_differs(const uint8_t *node, const uint8_t *bytes) {
  if (WHORL_WINDOW_WORDS == 1)
    return _mm_cvtsi64_si128((int64_t)(whorl_load(node) ^ whorl_load(bytes)));
  return _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)node),
                       _mm_loadu_si128((const __m128i *)(const void *)bytes));
}

static inline whorl_difference whorl_masked(whorl_difference d, const uint64_t *mask) {
  return _mm_and_si128(d, _mm_loadu_si128((const __m128i *)(const void *)mask));
}

static inline whorl_difference whorl_either(whorl_difference a, whorl_difference b) {
  return _mm_or_si128(a, b);
}

static inline bool whorl_no_difference(whorl_difference d) {
  return _mm_movemask_epi8(_mm_cmpeq_epi8(d, _mm_setzero_si128())) == 0xffff;
}
#else
typedef struct {
  uint64_t words[2];
} whorl_difference;

static inline whorl_difference whorl_window_differs(const uint8_t *node, const uint8_t *bytes) {
  whorl_difference d = {{whorl_load(node) ^ whorl_load(bytes), 0}};
  if (WHORL_WINDOW_WORDS > 1) d.words[1] = whorl_load(node + 8) ^ whorl_load(bytes + 8);
  return d;
}

static inline whorl_difference whorl_masked(whorl_difference d, const uint64_t *mask) {
  d.words[0] &= mask[0];
  d.words[1] &= mask[1];
  return d;
}

static inline whorl_difference whorl_either(whorl_difference a, whorl_difference b) {
  a.words[0] |= b.words[0];
  a.words[1] |= b.words[1];
  return a;
}

static inline bool whorl_no_difference(whorl_difference d) {
  return (d.words[0] | d.words[1]) == 0;
}
#endif

/* Whether a node has what is at a part. */
static inline bool whorl_part_equal(const whorl_part *p, const uint64_t *words,
                                    const uint8_t *bytes) {
  const uint8_t *node = (const uint8_t *)words;
  int windows = p->windows;
  if (WHORL_PARTS_ALONE) return memcmp(node, bytes + p->first, p->bytes) == 0;
  if (WHORL_BYTES > WHORL_WINDOWS * WHORL_WINDOW && windows == 0)
    return memcmp(node, bytes + p->first, p->bytes) == 0;
  whorl_difference differ =
      whorl_masked(whorl_window_differs(node + p->in[0], bytes + p->at[0]), p->mask);
  if (WHORL_BYTES > WHORL_WINDOW && windows > 1)
    differ = whorl_either(differ, whorl_window_differs(node + p->in[1], bytes + p->at[1]));
  if (WHORL_BYTES > 2 * WHORL_WINDOW && windows > 2) { /* of three, the last one twice */
    differ = whorl_either(differ, whorl_window_differs(node + p->in[2], bytes + p->at[2]));
    differ = whorl_either(differ, whorl_window_differs(node + p->in[3], bytes + p->at[3]));
  }
  return whorl_no_difference(differ);
}

/* Writes a part to where it came from. */
static inline void whorl_part_restore(const whorl_part *p, const uint64_t *words, uint8_t *bytes) {
  const uint8_t *node = (const uint8_t *)words;
  if (WHORL_PARTS_ALONE) {
    memcpy(bytes + p->first, node, p->bytes);
  } else if (p->bytes < WHORL_WINDOW) {
#pragma GCC unroll 2
    for (int i = 0; i < WHORL_WINDOW_WORDS; i++) {
      uint8_t *at = bytes + p->at[0] + 8 * i;
      uint64_t word =
          (whorl_load(at) & ~p->mask[i]) | (whorl_load(node + p->in[0] + 8 * i) & p->mask[i]);
      memcpy(at, &word, 8);
    }
  } else if (p->windows) {
    for (int i = 0; i < p->windows; i++) memcpy(bytes + p->at[i], node + p->in[i], WHORL_WINDOW);
  } else {
    memcpy(bytes + p->first, node, p->bytes);
  }
}

#endif
