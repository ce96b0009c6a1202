/* The shape of the tree that compresses states (tree.h): which bytes are leaves, and what is above.
 *
 * The bytes of a state are cut in two, each part again, and so on until a part is small: that is a
 * leaf. Wide leaves keep the tree flat; how good it is depends on where the cuts are (survey.h).
 *
 *   bytes     0 ....... 12 | 13 ..... 30 | 31 .... 47      two cuts: three leaves
 *   places    leaf 0         leaf 1        leaf 2          one inner node (place 3) over 0 and 1,
 *                                                          and the root over 3 and 2
 *
 * Leaves have the places from 0 on; inner nodes follow, each after what is below it, by height.
 */
#ifndef WHORL_SHAPE_H
#define WHORL_SHAPE_H

#include "context.h"

#define WHORL_BYTES (8 * WHORL_WORDS)
#ifndef WHORL_LEAF_BYTES
#define WHORL_LEAF_BYTES 32 /* what is longer is cut, as long as there are leaves left */
#endif
/* At most so many leaves, a power of two: all places have to fit into the bits of a word. */
#define WHORL_LEAVES                                                                 \
  (WHORL_BYTES <= WHORL_LEAF_BYTES ? 2                                               \
                                   : WHORL_WORDS <= 8 ? 4                            \
                                                      : WHORL_WORDS <= 16 ? 8        \
                                                                          : WHORL_WORDS <= 32 ? 16 : 32)
#define WHORL_PLACES (2 * WHORL_LEAVES - 2) /* without the root */

/* Some bytes of a state, as words: from `first` on, but the last word from `last` on, so that it
 * ends where the leaf does. Words may overlap. A leaf of less than a word has a `mask`. */
typedef struct {
  uint64_t mask; /* of the last word; all of it in longer leaves */
  uint16_t first, last;
  uint16_t words;
} whorl_leaf;

typedef struct {
  uint16_t leaves;
  uint16_t places;
  uint16_t levels; /* of inner nodes without the root */
  uint16_t root[2];
  uint16_t cut; /* the byte at which the root's second half begins */
  whorl_leaf leaf[WHORL_LEAVES];
  uint16_t below[WHORL_PLACES][2]; /* by place; nothing for leaves */
  uint64_t above[WHORL_LEAVES];    /* the places that a leaf is part of, its own among them */
  uint64_t level[WHORL_LEAVES];    /* the places of each level */
} whorl_shape;

/* Chooses where to cut the bytes first..last-1: after how many of them. */
typedef int whorl_chooser(void *about, int first, int last);

/* In the middle. */
static inline int whorl_choose_middle(void *about, int first, int last) {
  (void)about;
  return (last - first) / 2;
}

/* A tree while it is laid out: inner nodes in the order in which they are made. */
typedef struct {
  whorl_shape *shape;
  whorl_chooser *choose;
  void *about;
  uint16_t below[WHORL_LEAVES][2]; /* leaves as they are, inner nodes from WHORL_LEAVES on */
  uint16_t height[WHORL_LEAVES];
  int nodes;
} whorl_layout;

static uint16_t whorl_lay_leaf(whorl_layout *l, int first, int last) {
  whorl_leaf *leaf = &l->shape->leaf[l->shape->leaves];
  assert(first < last && l->shape->leaves < WHORL_LEAVES);
  leaf->words = (uint16_t)((last - first + 7) / 8);
  leaf->first = (uint16_t)first;
  leaf->last = (uint16_t)(last < 8 ? 0 : last - 8);
  uint8_t mask[8] = {0};
  for (int byte = first > leaf->last ? first : leaf->last; byte < last; byte++)
    mask[byte - leaf->last] = 0xff;
  memcpy(&leaf->mask, mask, 8);
  return l->shape->leaves++;
}

static uint16_t whorl_lay_out(whorl_layout *l, int first, int last, int leaves) {
  bool whole = last - first == WHORL_BYTES;
  if (leaves == 1 || (last - first <= WHORL_LEAF_BYTES && !whole))
    return whorl_lay_leaf(l, first, last);
  int cut = first + l->choose(l->about, first, last);
  assert(first < cut && cut < last);
  if (whole) l->shape->cut = (uint16_t)cut;
  uint16_t left = whorl_lay_out(l, first, cut, leaves / 2);
  uint16_t right = whorl_lay_out(l, cut, last, leaves / 2);
  int node = l->nodes++;
  uint16_t a = left < WHORL_LEAVES ? 0 : l->height[left - WHORL_LEAVES];
  uint16_t b = right < WHORL_LEAVES ? 0 : l->height[right - WHORL_LEAVES];
  l->below[node][0] = left;
  l->below[node][1] = right;
  l->height[node] = (uint16_t)((a > b ? a : b) + 1);
  return (uint16_t)(WHORL_LEAVES + node);
}

/* Cuts a state into leaves, and numbers the inner nodes by height. */
static void whorl_shape_init(whorl_shape *s, whorl_chooser *choose, void *about) {
  whorl_layout l;
  uint16_t place[2 * WHORL_LEAVES]; /* of what is laid out */
  memset(s, 0, sizeof *s);
  memset(&l, 0, sizeof l);
  l.shape = s;
  l.choose = choose;
  l.about = about;
  int top = whorl_lay_out(&l, 0, WHORL_BYTES, WHORL_LEAVES) - WHORL_LEAVES;
  assert(top == l.nodes - 1 && l.nodes == s->leaves - 1);
  for (uint16_t i = 0; i < s->leaves; i++) {
    place[i] = i;
    s->above[i] = UINT64_C(1) << i;
  }
  s->places = s->leaves;
  s->levels = (uint16_t)(l.height[top] - 1);
  for (int height = 1; height <= s->levels; height++)
    for (int i = 0; i < top; i++) {
      if (l.height[i] != height) continue;
      uint16_t at = s->places++;
      place[WHORL_LEAVES + i] = at;
      s->level[height - 1] |= UINT64_C(1) << at;
      for (int side = 0; side < 2; side++) {
        s->below[at][side] = place[l.below[i][side]];
        for (int leaf = 0; leaf < s->leaves; leaf++)
          if (s->above[leaf] >> s->below[at][side] & 1) s->above[leaf] |= UINT64_C(1) << at;
      }
    }
  for (int side = 0; side < 2; side++) s->root[side] = place[l.below[top][side]];
}

static inline uint64_t whorl_load(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, 8);
  return word;
}

/* The last word of a leaf. The others, before it, are at `first` and on. */
static inline uint64_t whorl_leaf_last(const whorl_leaf *l, const uint8_t *bytes) {
  return whorl_load(bytes + l->last) & l->mask;
}

/* The places that are other than in a state that is `like` this one. What a step changes is hard to
 * foresee, so there is no branch on it. */
static inline uint64_t whorl_shape_changed(const whorl_shape *shape, const whorl_state *s,
                                           const whorl_state *like) {
  uint64_t changed = 0;
  for (int leaf = 0; leaf < shape->leaves; leaf++) {
    const whorl_leaf *l = &shape->leaf[leaf];
    const uint8_t *a = (const uint8_t *)s->words, *b = (const uint8_t *)like->words;
    uint64_t differ = whorl_leaf_last(l, a) ^ whorl_leaf_last(l, b);
    for (int at = l->first, i = 1; i < l->words; i++, at += 8)
      differ |= whorl_load(a + at) ^ whorl_load(b + at);
    changed |= shape->above[leaf] & -(uint64_t)(differ != 0);
  }
  return changed;
}

#endif
