/* The compressed store, exact: recursive tree compression.
 *
 * After Laarman, van de Pol and Weber, "Parallel recursive state compression for free" (SPIN 2011):
 * a state is cut into leaves; a leaf becomes a reference to where it is kept, two references a
 * pair, that again a reference, and so on up a binary tree, until two references are left. That
 * root pair is the state. States that agree in a part share it, and since a step changes little,
 * there are far fewer nodes than states.
 *
 *                  root pair
 *                 /         \
 *              [3]           2        fold: each place is looked up by what is below it
 *             /   \         /|\
 *            0     1       bytes      unfold: the other way, by reference
 *           /|\   /|\
 *          bytes bytes
 *
 * Ours differs from the paper in five ways. A leaf is not one 32-bit slot but some 16 to 64 bytes
 * (shape.h), so a tree has two or four leaves where theirs would have a dozen: as few look-ups as
 * with Spin's collapse compression, with the root pair of the tree. Between the leaves and the root
 * there are no pairs but at most one group of references, so that a changed leaf is two look-ups,
 * however large the state. The cuts are made where they do most good (survey.h). Tables grow, so a
 * reference cannot be a slot: leaves and groups lie in one arena in the order of arrival, a
 * reference is a place there in words, and an index is beside it. And roots, mixed by a bijection,
 * are their own hashes, so they need four bytes (roots.h).
 *
 * A successor is folded against its source: only what is above a leaf that differs is looked up.
 *
 * There is no place for the way back: the frontier keeps it (frontier.h).
 */
#ifndef WHORL_TREE_H
#define WHORL_TREE_H

#include "store/hash.h"
#ifndef WHORL_THREADS
#define WHORL_THREADS 0 /* 1: several threads may add */
#endif
#ifndef WHORL_NUMBERED
#define WHORL_NUMBERED 0 /* 1: their roots have numbers instead of keys (shared_numbers.h) */
#endif
#if WHORL_THREADS
#include "store/shared_nodes.h"
#include "store/shared_roots.h"
#if WHORL_NUMBERED
#include "store/shared_numbers.h"
#endif
#else
#include "store/nodes.h"
#include "store/roots.h"
#endif

#define WHORL_REFERENCE_MOST 30  /* bits; after that the least table of roots would be too large */
#define WHORL_REFERENCE_ALONE 32 /* where roots are kept elsewhere (states.h) */

/* What is done to the roots of a tree that several threads add to. */
#if WHORL_NUMBERED
#define WHORL_SHARED_MOST WHORL_REFERENCE_ALONE
#define WHORL_AT_ROOTS(step, tree) whorl_numbers_##step(&(tree)->numbers)
#else
#define WHORL_SHARED_MOST WHORL_REFERENCE_MOST
#define WHORL_AT_ROOTS(step, tree) whorl_roots_##step(&(tree)->roots)
#endif
#ifndef WHORL_RECENT
#define WHORL_RECENT (1 << 15) /* fits in a second-level cache */
#endif

#ifndef WHORL_MET_LOG
#define WHORL_MET_LOG 15 /* of how many pairs there are: as large again */
#endif
#define WHORL_MET (1 << WHORL_MET_LOG)

/* The references of one state, by place. */
typedef struct {
  uint32_t refs[WHORL_PLACES];
} whorl_folded;

/* A state to fold: its references, and the groups that have changed, as bits of their places. */
typedef struct {
  whorl_folded folded;
  uint64_t changed;
} whorl_folding;

/* How many references further on those of the next folding are. */
#define WHORL_FOLDING_REFS ((uint32_t)(sizeof(whorl_folding) / sizeof(uint32_t)))

/* A node that has to be looked up: the part of `bytes` that is at `place`. */
typedef struct {
  const uint8_t *bytes;
  uint64_t hash;
  uint64_t recent; /* what was looked up lately, by an equal hash perhaps */
  uint32_t ref;    /* where its reference goes, counted from the first folding's first */
  uint32_t place;
} whorl_lookup;

typedef struct {
  whorl_shape shape;
  whorl_roots roots;
#if WHORL_NUMBERED
  whorl_numbers numbers;
#endif
  whorl_nodes nodes;     /* leaves and groups */
  uint64_t *recent;      /* some of their entries, at their hashes' lower bits */
  uint64_t *met;         /* pairs met lately, at some bits of their hashes */
  unsigned bits;         /* of a root's references: the arena may have 2^bits words */
  whorl_lookup *lookups; /* under way */
  whorl_lookup *asked;   /* their end */
  whorl_lookup *room;    /* and that of the room for them */
  whorl_lookup **missed; /* of them, those that have not been looked up lately */
} whorl_tree;

/* Room for what has been met lately. */
static bool whorl_tree_remember(whorl_tree *t) {
  t->recent = (uint64_t *)calloc(WHORL_RECENT, sizeof *t->recent);
  t->met = (uint64_t *)malloc(WHORL_MET * sizeof *t->met);
  if (!t->recent || !t->met) return false;
  memset(t->met, 0xff, WHORL_MET * sizeof *t->met); /* no pair */
  return true;
}

/* `alone`: roots are kept elsewhere. */
static bool whorl_tree_init(whorl_tree *t, whorl_account *account, const whorl_shape *shape,
                            bool alone) {
  unsigned most = alone ? WHORL_REFERENCE_ALONE : WHORL_REFERENCE_MOST;
  memset(t, 0, sizeof *t);
  t->shape = *shape;
  t->bits = alone ? most : WHORL_MIXED_HALF;
  if (!whorl_nodes_init(&t->nodes, account, most)) return false;
  if (!alone && !whorl_roots_init(&t->roots, account, t->bits)) return false;
  return whorl_tree_remember(t);
}

/* Frees what is not in the tables. */
static inline void whorl_tree_forget(whorl_tree *t) {
  free(t->recent);
  free(t->met);
  size_t lookups = (size_t)(t->room - t->lookups);
  whorl_given_back(t->lookups, lookups * sizeof *t->lookups);
  whorl_given_back(t->missed, lookups * sizeof *t->missed);
}

static inline void whorl_tree_free(whorl_tree *t) {
  whorl_roots_free(&t->roots);
  whorl_nodes_free(&t->nodes);
  whorl_tree_forget(t);
}

static inline uint64_t whorl_tree_count(const whorl_tree *t) {
  return whorl_roots_count(&t->roots);
}

static inline size_t whorl_tree_bytes(const whorl_tree *t) {
  return whorl_roots_bytes(&t->roots) + whorl_nodes_bytes(&t->nodes);
}

static __attribute__((noinline)) void whorl_tree_more_lookups(whorl_tree *t, size_t asked,
                                                              size_t count) {
  size_t before = (size_t)(t->room - t->lookups);
  t->lookups = (whorl_lookup *)whorl_grown(t->lookups, before * sizeof *t->lookups,
                                           count * sizeof *t->lookups);
  t->missed = (whorl_lookup **)whorl_grown(t->missed, before * sizeof *t->missed,
                                           count * sizeof *t->missed);
  t->asked = t->lookups + asked;
  t->room = t->lookups + count;
}

/* Room for the look-ups of `more` states, one level of them. */
static inline void whorl_tree_expect(whorl_tree *t, uint32_t more) {
  size_t count = (size_t)more * WHORL_LEAVES;
  if (__builtin_expect((size_t)(t->room - t->asked) < count, 0))
    whorl_tree_more_lookups(t, (size_t)(t->asked - t->lookups),
                            2 * ((size_t)(t->asked - t->lookups) + count));
}

/* How many words the nodes of `more` states may have: all words of a state, again those that are cut,
 * and the groups. */
static inline uint64_t whorl_tree_words(uint32_t more) {
  return (uint64_t)more * (WHORL_WORDS + WHORL_LEAVES + WHORL_PLACES);
}

#if WHORL_THREADS
/* For one more thread, before it begins: the same tables, and what it has met itself. */
static bool whorl_tree_view(whorl_tree *t, const whorl_tree *of) {
  memset(t, 0, sizeof *t);
  t->shape = of->shape;
  t->bits = of->bits;
  t->roots = of->roots;
  t->nodes = of->nodes;
  t->roots.lease = t->nodes.lease = t->nodes.blocks = t->nodes.next = t->nodes.end = 0;
#if WHORL_NUMBERED
  whorl_numbers_view(&t->numbers, &of->numbers);
#endif
  return whorl_tree_remember(t);
}

/* Room for `more` states; false if it takes a barrier. */
static inline bool whorl_tree_lease(whorl_tree *t, uint32_t more) {
  return whorl_nodes_reserve(&t->nodes, (uint64_t)more * WHORL_PLACES, whorl_tree_words(more)) &
#if WHORL_NUMBERED
         whorl_numbers_reserve(&t->numbers, more);
#else
         whorl_roots_reserve(&t->roots, more);
#endif
}

/* The steps of a barrier (shared_roots.h). Everybody: */
static inline void whorl_tree_return(whorl_tree *t) {
  WHORL_AT_ROOTS(return, t);
  whorl_nodes_return(&t->nodes);
}

/* One: begins to make room for so many threads, of which each gets what it wanted. Whether there is
 * memory. */
static bool whorl_tree_begin_growth(whorl_tree *t, uint64_t threads) {
  uint64_t words = whorl_nodes_target(&t->nodes, threads, 1);
  unsigned bits = t->bits;
  while (words >> bits) bits++;
  if (bits > WHORL_SHARED_MOST || !whorl_nodes_begin(&t->nodes, words, threads, 1)) return false;
#if WHORL_NUMBERED
  return whorl_numbers_begin(&t->numbers, threads, 1);
#else
  return whorl_roots_begin(&t->roots, bits, threads, 1);
#endif
}

static inline bool whorl_tree_moves(const whorl_tree *t) {
  return WHORL_AT_ROOTS(moves, t) || whorl_nodes_moves(&t->nodes);
}

/* Everybody, if something moves: */
static inline void whorl_tree_move_tables(whorl_tree *t) {
  whorl_nodes_move(&t->nodes);
  WHORL_AT_ROOTS(move, t);
}

/* One: */
static inline void whorl_tree_end_growth(whorl_tree *t) {
  whorl_nodes_end(&t->nodes);
  WHORL_AT_ROOTS(end, t);
}

/* Everybody: */
static inline void whorl_tree_look(whorl_tree *t) {
  whorl_nodes_look(&t->nodes);
  WHORL_AT_ROOTS(look, t);
  if (!WHORL_NUMBERED) t->bits = t->roots.layout.bits;
}

/* A barrier of one. */
static __attribute__((noinline)) bool whorl_tree_grow_alone(whorl_tree *t) {
  whorl_tree_return(t);
  if (!whorl_tree_begin_growth(t, 1)) return false;
  whorl_tree_move_tables(t);
  whorl_tree_end_growth(t);
  whorl_tree_look(t);
  return true;
}

/* Room for `more` states, while there is one thread. Keys of roots change. */
static inline bool whorl_tree_reserve(whorl_tree *t, uint32_t more) {
  while (__builtin_expect(!whorl_tree_lease(t, more), 0))
    if (!whorl_tree_grow_alone(t)) return false;
  return true;
}

static inline bool whorl_tree_reserve_roots(whorl_tree *t, uint64_t more) {
  return whorl_tree_reserve(t, (uint32_t)more);
}
#else
/* Whether references to the nodes of `more` states fit into a root. */
static inline bool whorl_tree_fits(const whorl_tree *t, uint32_t more) {
  return whorl_nodes_words(&t->nodes, whorl_tree_words(more)) >> t->bits == 0;
}

/* Gives references as many bits as `more` states need. */
static __attribute__((noinline)) bool whorl_tree_widen(whorl_tree *t, uint32_t more) {
  for (; !whorl_tree_fits(t, more); t->bits++)
    if (t->bits >= WHORL_REFERENCE_MOST || !whorl_roots_widen(&t->roots)) return false;
  return true;
}

/* Room to fold `more` states. Keys of roots change. */
static inline bool whorl_tree_reserve(whorl_tree *t, uint32_t more) {
  return (__builtin_expect(whorl_tree_fits(t, more), 1) || whorl_tree_widen(t, more)) &&
         whorl_nodes_reserve(&t->nodes, (uint64_t)more * WHORL_PLACES, whorl_tree_words(more));
}

/* Room for `more` states. */
static inline bool whorl_tree_reserve_roots(whorl_tree *t, uint64_t more) {
  return whorl_roots_reserve(&t->roots, more);
}

#endif

/* Asks for a node: the part of `bytes` that is at `place`, for a reference there. */
static inline void whorl_tree_ask(whorl_tree *t, const uint8_t *bytes, uint32_t refs,
                                  uint32_t place) {
  whorl_lookup *l = t->asked++;
  assert(l < t->room);
  l->bytes = bytes;
  l->hash = whorl_part_hash(&t->shape.part[place], bytes, place);
  l->ref = refs + place;
  l->place = place;
  __builtin_prefetch(&t->recent[l->hash % WHORL_RECENT]);
}

/* The entry of a node that has not been looked up lately, if the index, which is there by now, has
 * one of the same hash. */
static inline uint64_t whorl_tree_ask_index(whorl_tree *t, uint64_t hash) {
  uint64_t entry = whorl_nodes_first(&t->nodes, hash);
  if (entry == 0) return 0;
  __builtin_prefetch(&t->nodes.at[(uint32_t)entry - 1]);
  t->recent[hash % WHORL_RECENT] = entry;
  return entry;
}

/* Whether a node is the one that is looked for. */
static inline bool whorl_tree_equal(const whorl_tree *t, const whorl_lookup *l, uint32_t ref) {
  return whorl_part_equal(&t->shape.part[l->place], t->nodes.at + ref, l->bytes);
}

/* Looks up all that has been asked for. Nodes are few beside states, but more than fit in a near
 * cache; as in the search itself, waiting for many at once is no longer than waiting for one. Most
 * have been looked up lately. */
static inline void whorl_tree_look_up(whorl_tree *t, whorl_folding *foldings) {
  uint32_t *refs = (uint32_t *)(void *)foldings;
  whorl_lookup *end = t->asked, **missed = t->missed;
  uint64_t *recent = t->recent;
  for (whorl_lookup *l = t->lookups; l < end; l++) {
    l->recent = recent[l->hash % WHORL_RECENT];
    if (__builtin_expect(l->recent >> 32 == l->hash >> 32, 1)) {
      __builtin_prefetch(&t->nodes.at[(uint32_t)l->recent - 1]);
    } else {
      *missed++ = l;
      whorl_nodes_prefetch(&t->nodes, l->hash);
    }
  }
  for (whorl_lookup **at = t->missed; at < missed; at++)
    (*at)->recent = whorl_tree_ask_index(t, (*at)->hash);
  for (const whorl_lookup *l = t->lookups; l < end; l++) {
    uint64_t entry = l->recent;
    if (__builtin_expect(entry == 0 || !whorl_tree_equal(t, l, (uint32_t)entry - 1), 0)) {
      entry = whorl_nodes_entry(&t->nodes, &t->shape.part[l->place], l->bytes, l->hash);
      recent[l->hash % WHORL_RECENT] = entry;
    }
    refs[l->ref] = (uint32_t)entry - 1;
  }
  t->asked = t->lookups;
}

/* Begins to fold a state, the folding of number `at`: asks for its leaves. Most of it is as in
 * `like`, which is folded already, if that is not NULL. `s` has to stay until it is folded. */
static inline void whorl_tree_begin(whorl_tree *t, whorl_folding *f, uint32_t at,
                                    const whorl_state *s, const whorl_state *like,
                                    const whorl_folded *folded) {
  const whorl_shape *shape = &t->shape;
  uint64_t differ = UINT64_MAX >> (64 - WHORL_UNITS), changed = 0;
  if (like) {
    differ = whorl_differing(s, like);
    f->folded = *folded;
  }
  while (differ) {
    uint32_t leaf = shape->leaf_of[__builtin_ctzll(differ)];
    differ &= shape->behind[leaf];
    changed |= shape->above[leaf];
    whorl_tree_ask(t, (const uint8_t *)s->words, at * WHORL_FOLDING_REFS, leaf);
  }
  f->changed = changed;
}

/* Folds the states that have been begun; their pairs can then be had. */
static inline void whorl_tree_fold(whorl_tree *t, whorl_folding *foldings, uint32_t count) {
  whorl_tree_look_up(t, foldings);
  if (t->shape.places == t->shape.leaves) return;
  whorl_tree_expect(t, count);
  for (uint32_t i = 0; i < count; i++)
    for (uint64_t groups = foldings[i].changed; groups; groups &= groups - 1)
      whorl_tree_ask(t, (const uint8_t *)foldings[i].folded.refs, i * WHORL_FOLDING_REFS,
                     (uint32_t)__builtin_ctzll(groups));
  whorl_tree_look_up(t, foldings);
}

/* The root pair, by which a state is known. */
static inline uint64_t whorl_tree_pair(const whorl_tree *t, const whorl_folded *f) {
  return (uint64_t)f->refs[t->shape.root[0]] << 32 | f->refs[t->shape.root[1]];
}

/* The pair of a state on its own. There has to be room: whorl_tree_reserve. */
static inline uint64_t whorl_tree_pair_of(whorl_tree *t, const whorl_state *s) {
  whorl_folding folding;
  whorl_tree_expect(t, 1);
  whorl_tree_begin(t, &folding, 0, s, NULL, NULL);
  whorl_tree_fold(t, &folding, 1);
  return whorl_tree_pair(t, &folding.folded);
}

/* The key of a pair among the roots. */
static inline uint64_t whorl_tree_key(const whorl_tree *t, uint64_t pair) {
  return whorl_pair_key(pair, t->bits);
}

/* Some states later: what unfolding begins with. */
static inline void whorl_tree_prefetch_unfold(const whorl_tree *t, uint64_t pair) {
  __builtin_prefetch(&t->nodes.at[pair >> 32]);
  __builtin_prefetch(&t->nodes.at[(uint32_t)pair]);
}

/* A state and all its references, from its root pair. */
static inline void whorl_tree_unfold(const whorl_tree *t, uint64_t pair, whorl_folded *f,
                                     whorl_state *s) {
  const whorl_shape *shape = &t->shape;
  f->refs[shape->root[0]] = (uint32_t)(pair >> 32);
  f->refs[shape->root[1]] = (uint32_t)pair;
  for (int i = shape->leaves; i < shape->places; i++)
    whorl_part_restore(&shape->part[i], t->nodes.at + f->refs[i], (uint8_t *)f->refs);
  for (int i = 0; i < shape->leaves; i++)
    whorl_part_restore(&shape->part[i], t->nodes.at + f->refs[i], (uint8_t *)s->words);
}

/* What a pair of `from` is in `to`. There has to be room. */
static inline uint64_t whorl_tree_move(const whorl_tree *from, whorl_tree *to, uint64_t pair) {
  whorl_folded folded;
  whorl_state state;
  whorl_tree_unfold(from, pair, &folded, &state);
  return whorl_tree_pair_of(to, &state);
}

/* Whether this is the pair of a state met lately. It will be one from now on, so it has to be added.
 * Steps that commute lead to the same state within a few steps: about half of all successors need
 * not be looked for any further, and the roots are where a look takes longest. */
static inline bool whorl_tree_met(whorl_tree *t, uint64_t pair) {
  uint64_t *met = &t->met[pair * WHORL_HASH_A >> (64 - WHORL_MET_LOG)];
  bool same = *met == pair;
  *met = pair;
  return same;
}

/* Whether the state is new. */
static inline bool whorl_tree_add(whorl_tree *t, uint64_t pair) {
  return whorl_roots_add(&t->roots, whorl_tree_key(t, pair));
}

/* Puts a state of `from` into `to`. */
static inline bool whorl_tree_copy_one(const whorl_tree *from, whorl_tree *to, uint64_t pair) {
  if (!whorl_tree_reserve(to, 1) || !whorl_tree_reserve_roots(to, 1)) return false;
  whorl_tree_add(to, whorl_tree_move(from, to, pair));
  return true;
}

/* Puts all states of `from` into `to`, which is new. */
static bool whorl_tree_copy(const whorl_tree *from, whorl_tree *to) {
  for (uint64_t at = 0; at < whorl_roots_size(&from->roots) + WHORL_ROOTS_REACH - 1; at++) {
    uint64_t pairs[WHORL_BUCKET_WORDS];
    uint32_t count = whorl_roots_pairs(&from->roots, at, pairs);
    for (uint32_t i = 0; i < count; i++)
      if (!whorl_tree_copy_one(from, to, pairs[i])) return false;
  }
  uint64_t count;
  const uint64_t *aside = whorl_roots_asides(&from->roots, &count);
  for (uint64_t i = 0; i < count; i++)
    if (!whorl_tree_copy_one(from, to, whorl_key_pair(aside[i], from->bits))) return false;
  return true;
}

#endif
