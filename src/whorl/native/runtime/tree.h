/* The compressed store, exact: recursive tree compression.
 *
 * After Laarman, van de Pol and Weber, "Parallel recursive state compression for free" (SPIN 2011):
 * a state is a row of 32-bit leaves; neighbours fold into a 32-bit reference to their pair, and so
 * on up a binary tree, until two references are left. That root pair is the state: eight
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
 * Ours differs from the paper in four ways. Tables grow, so a node's number cannot be its slot:
 * pairs lie in an arena in the order of arrival, with an index beside it. Roots need no number, so
 * they are kept in an ordered table of bare values (table.h), mixed by a bijection so that the
 * entry is its own hash: 8 bytes a state over the load. A child is folded against its parent's
 * references: only nodes above a leaf that differs are looked up. And the tree is balanced by
 * how much the leaves vary (survey.h) rather than by their number.
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
#ifndef WHORL_RECENT
#define WHORL_RECENT (1 << 14) /* fits in a second-level cache */
#endif
#define WHORL_MOST_NODES (UINT64_C(0xfffffffe))

/* All references of one state: its leaves, then its nodes, each after the two below it. */
typedef struct {
  uint32_t refs[WHORL_REFS];
} whorl_folded;

/* A set of nodes: a bit each. */
#define WHORL_NODE_WORDS (WHORL_NODES / 64 + 1)
typedef struct {
  uint64_t bits[WHORL_NODE_WORDS];
} whorl_nodes;

/* A node that has to be looked up, and where its number goes. */
typedef struct {
  uint64_t pair;
  uint64_t hash;
  uint64_t slot;
  uint32_t *number;
} whorl_lookup;

/* A pair that was looked up lately. */
typedef struct {
  uint64_t pair;
  uint64_t number; /* plus one; zero where there is nothing */
} whorl_recent;

typedef struct {
  whorl_table roots;
  bool zero; /* whether the root that mixes to zero, which a table cannot hold, is there */
  whorl_region arena;
  uint64_t *pairs; /* by number of node */
  whorl_table index;
  whorl_recent recent[WHORL_RECENT];
  uint16_t below[WHORL_NODES + 1][2]; /* what each node folds; the last is the root */
  uint16_t level[WHORL_NODES + 2];    /* the first node of each level; nodes come by levels */
  uint16_t levels;                    /* without the root's */
  whorl_nodes above[WHORL_LEAVES];    /* the nodes that each leaf is part of */
  whorl_nodes on[WHORL_NODES + 1];    /* the nodes of each level */
  whorl_lookup *lookups;              /* of the level that is being folded */
  uint32_t lookup_capacity;
} whorl_tree;

/* Where to cut the leaves first..last-1: where the weights of the two parts are nearest. */
static int whorl_tree_cut(const uint32_t *weights, int first, int last) {
  int64_t right = 0, left = 0, best = INT64_MAX;
  int cut = first + 1;
  for (int i = first; i < last; i++) right += weights[i] + 1;
  for (int i = first; i + 1 < last; i++) {
    left += weights[i] + 1;
    right -= weights[i] + 1;
    int64_t difference = left < right ? right - left : left - right;
    if (difference < best) {
      best = difference;
      cut = i + 1;
    }
  }
  return cut;
}

/* A tree while it is laid out: nodes in the order in which they are made. */
typedef struct {
  const uint32_t *weights;
  uint16_t below[WHORL_NODES + 1][2];
  uint16_t height[WHORL_REFS + 1]; /* by place in refs[]; a leaf has 0 */
  int nodes;
} whorl_layout;

/* Lays out the tree over the leaves first..last-1 and returns the place of its top in refs[]. */
static uint16_t whorl_tree_lay_out(whorl_layout *l, int first, int last) {
  if (last - first == 1) return (uint16_t)first;
  int cut = whorl_tree_cut(l->weights, first, last);
  uint16_t left = whorl_tree_lay_out(l, first, cut);
  uint16_t right = whorl_tree_lay_out(l, cut, last);
  int node = l->nodes++;
  uint16_t a = l->height[left], b = l->height[right];
  l->below[node][0] = left;
  l->below[node][1] = right;
  l->height[WHORL_LEAVES + node] = (uint16_t)((a > b ? a : b) + 1);
  return (uint16_t)(WHORL_LEAVES + node);
}

/* Notes which nodes are on each level, and which are above each leaf. */
static void whorl_tree_mark(whorl_tree *t) {
  memset(t->above, 0, sizeof t->above);
  memset(t->on, 0, sizeof t->on);
  for (int leaf = 0; leaf < WHORL_LEAVES; leaf++)
    for (int node = 0, top = leaf; node < WHORL_NODES; node++)
      if (t->below[node][0] == top || t->below[node][1] == top) {
        t->above[leaf].bits[node / 64] |= UINT64_C(1) << node % 64;
        top = WHORL_LEAVES + node;
      }
  for (int level = 0; level < t->levels; level++)
    for (int node = t->level[level]; node < t->level[level + 1]; node++)
      t->on[level].bits[node / 64] |= UINT64_C(1) << node % 64;
}

/* The same tree with its nodes by levels, from the leaves up, so that those of a level can be
 * looked up together. */
static void whorl_tree_shape(whorl_tree *t, const uint32_t *weights) {
  whorl_layout l;
  uint16_t place[WHORL_REFS + 1]; /* where refs of the layout have gone */
  memset(&l, 0, sizeof l);
  l.weights = weights;
  int top = whorl_tree_lay_out(&l, 0, WHORL_LEAVES);
  assert(l.nodes == WHORL_NODES + 1 && top == WHORL_REFS);
  for (int i = 0; i < WHORL_LEAVES; i++) place[i] = (uint16_t)i;
  int nodes = 0;
  for (int height = 1; height <= l.height[top]; height++) {
    t->level[height - 1] = (uint16_t)nodes;
    for (int i = 0; i < l.nodes; i++)
      if (l.height[WHORL_LEAVES + i] == height) {
        t->below[nodes][0] = place[l.below[i][0]];
        t->below[nodes][1] = place[l.below[i][1]];
        place[WHORL_LEAVES + i] = (uint16_t)(WHORL_LEAVES + nodes++);
      }
  }
  t->levels = (uint16_t)(l.height[top] - 1);
  whorl_tree_mark(t);
}

/* `weights` says how much each leaf varies (survey.h). */
static bool whorl_tree_init(whorl_tree *t, whorl_account *account,
                            const uint32_t weights[WHORL_LEAVES]) {
  whorl_tree_shape(t, weights);
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
  free(t->lookups);
}

static inline uint64_t whorl_tree_count(const whorl_tree *t) { return t->roots.count + t->zero; }

static inline size_t whorl_tree_bytes(const whorl_tree *t) {
  return t->roots.length * 8 + t->index.length * 8 + t->index.count * 8;
}

static __attribute__((noinline)) void whorl_tree_more_lookups(whorl_tree *t, uint32_t count) {
  t->lookup_capacity = 2 * count;
  free(t->lookups);
  t->lookups = (whorl_lookup *)malloc(t->lookup_capacity * sizeof *t->lookups);
  if (!t->lookups) abort();
}

/* Room to fold `more` states. */
static inline bool whorl_tree_reserve(whorl_tree *t, uint32_t more) {
  uint64_t new_nodes = (uint64_t)more * WHORL_NODES;
  uint64_t nodes = t->index.count + new_nodes;
  if (t->lookup_capacity < more * WHORL_NODES + 1)
    whorl_tree_more_lookups(t, more * WHORL_NODES + 1);
  return nodes <= WHORL_MOST_NODES && whorl_table_reserve(&t->index, new_nodes) &&
         whorl_region_commit(&t->arena, nodes * 8);
}

/* Room for `more` states. */
static inline bool whorl_tree_reserve_roots(whorl_tree *t, uint64_t more) {
  return whorl_table_reserve(&t->roots, more);
}

/* The number of the node for a pair, a new one if need be. */
static inline uint32_t whorl_tree_node(whorl_tree *t, uint64_t slot, uint64_t pair,
                                       uint64_t hash) {
  const uint64_t *slots = t->index.slots;
  uint64_t least = hash >> 32 << 32;
  while (slots[slot] - 1 < least - (least != 0)) slot++;
  for (; slots[slot] != 0 && slots[slot] >> 32 == hash >> 32; slot++) {
    uint32_t number = (uint32_t)slots[slot] - 1;
    if (t->pairs[number] == pair) return number;
  }
  uint32_t number = (uint32_t)t->index.count;
  t->pairs[number] = pair;
  whorl_table_insert(&t->index, slot, least | (number + UINT32_C(1)));
  return number;
}

static inline uint64_t whorl_tree_hash(uint64_t pair) { return whorl_mix(pair) & WHORL_HASH_MASK; }

static inline whorl_recent *whorl_tree_recent(whorl_tree *t, uint64_t hash) {
  return &t->recent[hash % WHORL_RECENT];
}

/* Looks up what is left of a level. Nodes are few beside states, but more than fit in a near cache;
 * as in the search itself, waiting for many at once is no longer than waiting for one. */
static inline void whorl_tree_look_up(whorl_tree *t, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    whorl_lookup *l = &t->lookups[i];
    uint64_t home = whorl_table_home(&t->index, l->hash);
    l->slot = whorl_table_seek(&t->index, home, l->hash >> 32 << 32);
    uint64_t entry = t->index.slots[l->slot];
    if (entry >> 32 == l->hash >> 32) __builtin_prefetch(&t->pairs[(uint32_t)entry - 1]);
  }
  for (uint32_t i = 0; i < count; i++) {
    whorl_lookup *l = &t->lookups[i];
    *l->number = whorl_tree_node(t, l->slot, l->pair, l->hash);
    whorl_recent *recent = whorl_tree_recent(t, l->hash);
    recent->pair = l->pair;
    recent->number = (uint64_t)*l->number + 1;
  }
}

static inline void whorl_tree_leaves(whorl_folded *f, const whorl_state *s) {
  for (int i = 0; i < WHORL_WORDS; i++) {
    f->refs[2 * i] = (uint32_t)(s->words[i] >> 32);
    f->refs[2 * i + 1] = (uint32_t)s->words[i];
  }
}

/* The root pair, mixed: the key of the state. */
static inline uint64_t whorl_tree_key(const whorl_tree *t, const whorl_folded *f) {
  const uint16_t *below = t->below[WHORL_NODES];
  return whorl_mix((uint64_t)f->refs[below[0]] << 32 | f->refs[below[1]]);
}

/* A state to fold. Its leaves are set, and those of its nodes that are not `changed`. */
typedef struct {
  whorl_folded folded;
  whorl_nodes changed;
} whorl_folding;

/* Most of the state is as in `like`, if that is not NULL. What a step changes is hard to predict,
 * so there is no branch on it. */
static inline void whorl_folding_init(const whorl_tree *t, whorl_folding *f, const whorl_state *s,
                                      const whorl_folded *like) {
  uint32_t *refs = f->folded.refs;
  whorl_tree_leaves(&f->folded, s);
  if (!like) {
    memset(&f->changed, 0xff, sizeof f->changed);
    return;
  }
  memset(&f->changed, 0, sizeof f->changed);
  for (int leaf = 0; leaf < WHORL_LEAVES; leaf++) {
    uint64_t differs = -(uint64_t)(refs[leaf] != like->refs[leaf]);
    for (int i = 0; i < WHORL_NODE_WORDS; i++)
      f->changed.bits[i] |= t->above[leaf].bits[i] & differs;
  }
  memcpy(refs + WHORL_LEAVES, like->refs + WHORL_LEAVES, WHORL_NODES * sizeof *refs);
}

/* One node of a state: looked up lately, or one more to look up. */
static inline uint32_t whorl_tree_fold_node(whorl_tree *t, whorl_folding *f, int node,
                                            uint32_t lookups) {
  uint32_t *refs = f->folded.refs;
  uint64_t pair = (uint64_t)refs[t->below[node][0]] << 32 | refs[t->below[node][1]];
  uint64_t hash = whorl_tree_hash(pair);
  const whorl_recent *recent = whorl_tree_recent(t, hash);
  if (recent->pair == pair && recent->number != 0) {
    refs[WHORL_LEAVES + node] = (uint32_t)(recent->number - 1);
    return lookups;
  }
  whorl_table_prefetch(&t->index, hash);
  whorl_lookup *l = &t->lookups[lookups];
  l->pair = pair;
  l->hash = hash;
  l->number = &refs[WHORL_LEAVES + node];
  return lookups + 1;
}

/* Folds many states, level by level; their keys can then be had. */
static inline void whorl_tree_fold(whorl_tree *t, whorl_folding *foldings, uint32_t count) {
  assert(t->lookup_capacity >= count * WHORL_NODES);
  for (int level = 0; level < t->levels; level++) {
    uint32_t lookups = 0;
    for (uint32_t i = 0; i < count; i++)
      for (int word = 0; word < WHORL_NODE_WORDS; word++) {
        uint64_t nodes = foldings[i].changed.bits[word] & t->on[level].bits[word];
        for (; nodes; nodes &= nodes - 1)
          lookups = whorl_tree_fold_node(t, &foldings[i], 64 * word + __builtin_ctzll(nodes),
                                         lookups);
      }
    whorl_tree_look_up(t, lookups);
  }
}

/* Some states later: what unfolding begins with. */
static inline void whorl_tree_prefetch_unfold(const whorl_tree *t, uint64_t key) {
  if (WHORL_NODES < 2) return;
  uint64_t root = whorl_unmix(key);
  if (t->below[WHORL_NODES][0] >= WHORL_LEAVES) __builtin_prefetch(&t->pairs[root >> 32]);
  if (t->below[WHORL_NODES][1] >= WHORL_LEAVES) __builtin_prefetch(&t->pairs[(uint32_t)root]);
}

/* A state and all its references, from its key. */
static inline void whorl_tree_unfold(const whorl_tree *t, uint64_t key, whorl_folded *f,
                                     whorl_state *s) {
  uint64_t root = whorl_unmix(key);
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

static inline uint64_t whorl_tree_find(const whorl_tree *t, uint64_t key) {
  return key ? whorl_table_find(&t->roots, key) : 0;
}

/* Whether the state is new; `slot` is what whorl_tree_find gave. */
static inline bool whorl_tree_add(whorl_tree *t, uint64_t slot, uint64_t key) {
  if (key != 0) return whorl_table_add(&t->roots, slot, key);
  bool fresh = !t->zero;
  t->zero = true;
  return fresh;
}

#endif
