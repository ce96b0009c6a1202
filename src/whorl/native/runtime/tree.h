/* The compressed store, exact: recursive tree compression.
 *
 * After Laarman, van de Pol and Weber, "Parallel recursive state compression for free" (SPIN 2011):
 * a state is a row of 32-bit leaves; neighbours fold into a 32-bit reference to their pair, and so
 * on up a balanced binary tree, until two references are left. That root pair is the state: eight
 * bytes. States that agree in a part share its nodes, and since a step changes little, there are
 * far fewer nodes than states.
 *
 *                  root pair                    refs[] = leaves 0..5, then nodes 6..9
 *                 /         \
 *              [7]           [9]                fold: each node is looked up by the pair below it
 *             /   \         /   \
 *          [6]     2     [8]     5              unfold: the other way, by number
 *         /   \         /   \
 *        0     1       3     4
 *
 * Ours differs from the paper in three ways. Tables grow, so a node's number cannot be its slot:
 * pairs lie in an arena in the order of arrival, with an index beside it. Roots need no number, so
 * they are kept in an ordered table of bare values (table.h), mixed by a bijection so that the
 * entry is its own hash: 8 bytes a state over the load. And a child is folded against its
 * parent's references: a node whose two parts are the parent's is the parent's.
 *
 * There is no place for the way back: the frontier keeps it (frontier.h).
 */
#ifndef WHORL_TREE_H
#define WHORL_TREE_H

#include "hash.h"
#include "table.h"

#define WHORL_LEAVES (2 * WHORL_WORDS)
#define WHORL_NODES (WHORL_LEAVES - 2) /* without the root */
#define WHORL_REFS (WHORL_LEAVES + WHORL_NODES)
#define WHORL_MOST_NODES (UINT64_C(0xfffffffe))

/* All references of one state: its leaves, then its nodes, each after the two below it. */
typedef struct {
  uint32_t refs[WHORL_REFS];
} whorl_folded;

typedef struct {
  whorl_table roots;
  bool zero; /* whether the root that mixes to zero, which a table cannot hold, is there */
  whorl_region arena;
  uint64_t *pairs; /* by number of node */
  whorl_table index;
  uint16_t below[WHORL_NODES + 1][2]; /* what each node folds; the last is the root */
} whorl_tree;

/* Lays out the tree over the leaves first..last-1 and returns the place of its top in refs[]. */
static uint16_t whorl_tree_shape(whorl_tree *t, int first, int last, int *nodes) {
  if (last - first == 1) return (uint16_t)first;
  int middle = first + (last - first + 1) / 2;
  uint16_t left = whorl_tree_shape(t, first, middle, nodes);
  uint16_t right = whorl_tree_shape(t, middle, last, nodes);
  t->below[*nodes][0] = left;
  t->below[*nodes][1] = right;
  return (uint16_t)(WHORL_LEAVES + (*nodes)++);
}

static bool whorl_tree_init(whorl_tree *t, whorl_account *account) {
  int nodes = 0;
  whorl_tree_shape(t, 0, WHORL_LEAVES, &nodes);
  assert(nodes == WHORL_NODES + 1);
  t->zero = false;
  if (!whorl_region_init(&t->arena, account, WHORL_MOST_NODES * 8) ||
      !whorl_table_init(&t->index, account, WHORL_MOST_NODES, 80, 25) ||
      !whorl_table_init(&t->roots, account, UINT64_C(1) << 36, 90, 10))
    return false;
  t->pairs = (uint64_t *)(void *)t->arena.base;
  return true;
}

static inline void whorl_tree_free(whorl_tree *t) {
  whorl_table_free(&t->roots);
  whorl_table_free(&t->index);
  whorl_region_free(&t->arena);
}

static inline uint64_t whorl_tree_count(const whorl_tree *t) { return t->roots.count + t->zero; }

static inline size_t whorl_tree_bytes(const whorl_tree *t) {
  return t->roots.length * 8 + t->index.length * 8 + t->index.count * 8;
}

/* Room to fold `more` states; and room for as many roots. */
static inline bool whorl_tree_reserve(whorl_tree *t, uint64_t more) {
  uint64_t nodes = t->index.count + more * WHORL_NODES;
  return nodes <= WHORL_MOST_NODES && whorl_table_reserve(&t->index, more * WHORL_NODES) &&
         whorl_region_commit(&t->arena, nodes * 8);
}

static inline bool whorl_tree_reserve_roots(whorl_tree *t, uint64_t more) {
  return whorl_table_reserve(&t->roots, more);
}

/* The number of the node for a pair, a new one if need be. */
static inline uint32_t whorl_tree_node(whorl_tree *t, uint32_t left, uint32_t right) {
  uint64_t pair = (uint64_t)left << 32 | right;
  uint64_t hash = whorl_mix(pair) & WHORL_HASH_MASK;
  const uint64_t *slots = t->index.slots;
  uint64_t least = hash >> 32 << 32;
  uint64_t slot = whorl_table_seek(&t->index, whorl_table_home(&t->index, hash), least);
  for (; slots[slot] != 0 && slots[slot] >> 32 == hash >> 32; slot++) {
    uint32_t number = (uint32_t)slots[slot] - 1;
    if (t->pairs[number] == pair) return number;
  }
  uint32_t number = (uint32_t)t->index.count;
  t->pairs[number] = pair;
  whorl_table_insert(&t->index, slot, least | (number + UINT32_C(1)));
  return number;
}

static inline void whorl_tree_leaves(whorl_folded *f, const whorl_state *s) {
  for (int i = 0; i < WHORL_WORDS; i++) {
    f->refs[2 * i] = (uint32_t)(s->words[i] >> 32);
    f->refs[2 * i + 1] = (uint32_t)s->words[i];
  }
}

static inline uint64_t whorl_tree_root(const whorl_tree *t, const whorl_folded *f) {
  const uint16_t *below = t->below[WHORL_NODES];
  return (uint64_t)f->refs[below[0]] << 32 | f->refs[below[1]];
}

/* The root pair of a state. */
static inline uint64_t whorl_tree_fold(whorl_tree *t, const whorl_state *s) {
  whorl_folded f;
  whorl_tree_leaves(&f, s);
  for (int i = 0; i < WHORL_NODES; i++)
    f.refs[WHORL_LEAVES + i] =
        whorl_tree_node(t, f.refs[t->below[i][0]], f.refs[t->below[i][1]]);
  return whorl_tree_root(t, &f);
}

/* The same, where most of it is as in the state `like`. */
static inline uint64_t whorl_tree_fold_like(whorl_tree *t, const whorl_state *s,
                                            const whorl_folded *like) {
  whorl_folded f;
  whorl_tree_leaves(&f, s);
  for (int i = 0; i < WHORL_NODES; i++) {
    int a = t->below[i][0], b = t->below[i][1];
    f.refs[WHORL_LEAVES + i] = f.refs[a] == like->refs[a] && f.refs[b] == like->refs[b]
                                   ? like->refs[WHORL_LEAVES + i]
                                   : whorl_tree_node(t, f.refs[a], f.refs[b]);
  }
  return whorl_tree_root(t, &f);
}

/* A state and all its references, from its root pair. */
static inline void whorl_tree_unfold(const whorl_tree *t, uint64_t root, whorl_folded *f,
                                     whorl_state *s) {
  f->refs[t->below[WHORL_NODES][0]] = (uint32_t)(root >> 32);
  f->refs[t->below[WHORL_NODES][1]] = (uint32_t)root;
  for (int i = WHORL_NODES; i-- > 0;) {
    uint64_t pair = t->pairs[f->refs[WHORL_LEAVES + i]];
    f->refs[t->below[i][0]] = (uint32_t)(pair >> 32);
    f->refs[t->below[i][1]] = (uint32_t)pair;
  }
  for (int i = 0; i < WHORL_WORDS; i++)
    s->words[i] = (uint64_t)f->refs[2 * i] << 32 | f->refs[2 * i + 1];
}

static inline void whorl_tree_prefetch(const whorl_tree *t, uint64_t root) {
  whorl_table_prefetch(&t->roots, whorl_mix(root));
}

/* Adds a state by its root pair. Whether it is new. */
static inline bool whorl_tree_add(whorl_tree *t, uint64_t root) {
  uint64_t mixed = whorl_mix(root);
  if (mixed != 0) return whorl_table_add(&t->roots, whorl_table_home(&t->roots, mixed), mixed);
  bool fresh = !t->zero;
  t->zero = true;
  return fresh;
}

#endif
