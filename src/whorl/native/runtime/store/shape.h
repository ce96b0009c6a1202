/* The shape of the tree that compresses states (tree.h): which bytes are leaves, and what is above.
 *
 * The bytes of a state are cut in two, each part again, and so on until a part is small: that is a
 * leaf. Wide leaves keep the tree flat; how good it is depends on where the cuts are (survey.h).
 * Above the leaves there is one level more: the references of all leaves on one side of the first
 * cut are a group, which is looked up as a leaf is. A side with one leaf only needs none.
 *
 *   bytes     0 ....... 12 | 13 ..... 30 || 31 .... 47     two cuts: three leaves
 *   places    leaf 0         leaf 1         leaf 2         a group (place 3) of leaves 0 and 1,
 *                                                          and the root over places 3 and 2
 *
 * Cuts lie between units, of which a state has 64 at most: so what differs between two states is
 * a word with a bit for each unit.
 */
#ifndef WHORL_SHAPE_H
#define WHORL_SHAPE_H

#include "model/context.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define WHORL_BYTES (8 * WHORL_WORDS)
#define WHORL_UNIT          \
  (WHORL_BYTES <= 64    ? 1 \
   : WHORL_BYTES <= 128 ? 2 \
   : WHORL_BYTES <= 256 ? 4 \
                        : 8 * ((WHORL_BYTES + 511) / 512))
#define WHORL_UNITS ((WHORL_BYTES + WHORL_UNIT - 1) / WHORL_UNIT)
/* What is longer is cut, as long as there are leaves left. A state that is not long has two leaves
 * and nothing between them and the root: that is the least to look up in a step. */
#ifndef WHORL_LEAF_BYTES
#define WHORL_LEAF_BYTES (WHORL_BYTES <= 72 ? 72 : 32)
#endif
/* At most so many leaves, a power of two. */
#define WHORL_LEAVES                    \
  (WHORL_BYTES <= WHORL_LEAF_BYTES ? 2  \
   : WHORL_WORDS <= 8              ? 4  \
   : WHORL_WORDS <= 16             ? 8  \
   : WHORL_WORDS <= 32             ? 16 \
                                   : 32)
#define WHORL_PLACES (WHORL_LEAVES + 2)         /* leaves and groups */
#define WHORL_WINDOW (WHORL_WORDS > 1 ? 16 : 8) /* bytes */
#define WHORL_WINDOW_WORDS (WHORL_WINDOW / 8)
#define WHORL_WINDOWS 4

/* Some bytes of a state, or of its leaves' references: `bytes` from `first` on. What is not long is
 * read without a loop, by one to four windows: the first begins where the part does, the last ends
 * there, and may overlap. They are `at` these bytes, and `in` these of the node, which has
 * the bytes of the part from its beginning. A part of less than a window has a `mask`: what is beside
 * it does not count. */
typedef struct {
  uint64_t mask[2]; /* of the words of a window */
  uint16_t at[WHORL_WINDOWS];
  int16_t in[WHORL_WINDOWS];
  uint16_t first, bytes;
  uint16_t words;
  uint16_t windows; /* 0: it is long */
} whorl_part;

typedef struct {
  uint16_t leaves;
  uint16_t places;
  uint16_t root[2];
  uint16_t cut;                  /* the byte at which the root's second half begins */
  whorl_part part[WHORL_PLACES]; /* leaves of the state; groups of the references */
  uint8_t leaf_of[WHORL_UNITS];
  uint64_t behind[WHORL_LEAVES]; /* the units behind a leaf */
  uint64_t above[WHORL_LEAVES];  /* the group that a leaf is in, as a bit of its place */
} whorl_shape;

/* Chooses where to cut the units first..last-1: after how many of them. */
typedef int whorl_chooser(void *about, int first, int last);

/* In the middle. */
static inline int whorl_choose_middle(void *about, int first, int last) {
  (void)about;
  return (last - first) / 2;
}

static inline int whorl_unit_byte(int unit) {
  return unit * WHORL_UNIT < WHORL_BYTES ? unit * WHORL_UNIT : WHORL_BYTES;
}

/* A part of the bytes first..last-1 of so many. */
static void whorl_lay_part(whorl_part *p, int first, int last, int of) {
  uint8_t mask[16] = {0};
  int bytes = last - first, at = first + WHORL_WINDOW <= of ? first : of - WHORL_WINDOW;
  bool fills = bytes >= WHORL_WINDOW;
  assert(0 < bytes && 0 <= at);
  for (int byte = at; byte < at + WHORL_WINDOW; byte++)
    mask[byte - at] = fills || (first <= byte && byte < last) ? 0xff : 0;
  memcpy(p->mask, mask, sizeof mask);
  int end = fills ? last - WHORL_WINDOW : at;
  for (int i = 0; i < WHORL_WINDOWS; i++) {
    int begin = at + i * WHORL_WINDOW;
    p->at[i] = (uint16_t)(begin < end ? begin : end);
    p->in[i] = (int16_t)(p->at[i] - first);
  }
  int windows = (bytes + WHORL_WINDOW - 1) / WHORL_WINDOW;
  p->windows = (uint16_t)(windows <= WHORL_WINDOWS ? windows : 0);
  p->first = (uint16_t)first;
  p->bytes = (uint16_t)bytes;
  p->words = (uint16_t)((bytes + 7) / 8);
}

/* Cuts the units first..last-1 into so many leaves at most. */
static void whorl_lay_out(whorl_shape *s, whorl_chooser *choose, void *about, int first, int last,
                          int leaves) {
  bool whole = first == 0 && last == WHORL_UNITS;
  int from = whorl_unit_byte(first), to = whorl_unit_byte(last);
  if (leaves == 1 || last - first == 1 || (to - from <= WHORL_LEAF_BYTES && !whole)) {
    assert(s->leaves < WHORL_LEAVES);
    for (int unit = first; unit < last; unit++) s->leaf_of[unit] = (uint8_t)s->leaves;
    s->behind[s->leaves] = last < 64 ? UINT64_MAX << last : 0;
    whorl_lay_part(&s->part[s->leaves++], from, to, WHORL_BYTES);
    return;
  }
  int cut = first + choose(about, first, last);
  assert(first < cut && cut < last);
  whorl_lay_out(s, choose, about, first, cut, leaves / 2);
  if (whole) {
    s->cut = (uint16_t)whorl_unit_byte(cut);
    s->root[1] = s->leaves; /* the first leaf of the second half */
  }
  whorl_lay_out(s, choose, about, cut, last, leaves / 2);
}

/* Cuts a state into leaves, and puts groups above them. */
static void whorl_shape_init(whorl_shape *s, whorl_chooser *choose, void *about) {
  memset(s, 0, sizeof *s);
  whorl_lay_out(s, choose, about, 0, WHORL_UNITS, WHORL_LEAVES);
  s->places = s->leaves;
  uint16_t bounds[3] = {0, s->root[1], s->leaves};
  for (int side = 0; side < 2; side++) {
    uint16_t first = bounds[side], last = bounds[side + 1];
    s->root[side] = first;
    if (last - first == 1) continue;
    s->root[side] = s->places;
    for (int leaf = first; leaf < last; leaf++) s->above[leaf] = UINT64_C(1) << s->places;
    whorl_lay_part(&s->part[s->places++], 4 * first, 4 * last, 4 * WHORL_PLACES);
  }
}

static inline uint64_t whorl_load(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, 8);
  return word;
}

#ifdef __SSE2__
/* Sixteen bytes of where two states agree: the pair of words number `at`. Behind the end they do. */
static inline __m128i whorl_agree(const whorl_state *s, const whorl_state *like, int at) {
  __m128i a = _mm_setzero_si128(), b = a;
  const __m128i *left = (const __m128i *)(const void *)s->words + at;
  const __m128i *right = (const __m128i *)(const void *)like->words + at;
  if (2 * at + 1 < WHORL_WORDS) {
    a = _mm_loadu_si128(left);
    b = _mm_loadu_si128(right);
  } else if (2 * at < WHORL_WORDS) {
    a = _mm_loadl_epi64(left);
    b = _mm_loadl_epi64(right);
  }
  return WHORL_UNIT == 1   ? _mm_cmpeq_epi8(a, b)
         : WHORL_UNIT == 2 ? _mm_cmpeq_epi16(a, b)
                           : _mm_cmpeq_epi32(a, b);
}
#endif

/* The units in which two states differ. What a step changes is hard to foresee, so there is no
 * branch on it. */
static inline uint64_t whorl_differing(const whorl_state *s, const whorl_state *like) {
  uint64_t differ = 0;
#ifdef __SSE2__
  if (WHORL_UNIT <= 4) {
#pragma GCC unroll 4
    for (int i = 0; i < (WHORL_UNITS + 15) / 16; i++) {
      __m128i agree;
      if (WHORL_UNIT == 1) {
        agree = whorl_agree(s, like, i);
      } else if (WHORL_UNIT == 2) {
        agree = _mm_packs_epi16(whorl_agree(s, like, 2 * i), whorl_agree(s, like, 2 * i + 1));
      } else {
        agree = _mm_packs_epi16(
            _mm_packs_epi32(whorl_agree(s, like, 4 * i), whorl_agree(s, like, 4 * i + 1)),
            _mm_packs_epi32(whorl_agree(s, like, 4 * i + 2), whorl_agree(s, like, 4 * i + 3)));
      }
      differ |= (uint64_t)(~_mm_movemask_epi8(agree) & 0xffff) << 16 * i;
    }
    return differ;
  }
#endif
  const uint8_t *a = (const uint8_t *)s->words, *b = (const uint8_t *)like->words;
  for (int i = 0; i < WHORL_WORDS; i++) {
    if (s->words[i] == like->words[i]) continue;
    for (int byte = 8 * i; byte < 8 * i + 8; byte++)
      differ |= (uint64_t)(a[byte] != b[byte]) << byte / WHORL_UNIT;
  }
  return differ;
}

#endif
