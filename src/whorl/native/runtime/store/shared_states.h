/* Program states by number, each with a row of bits beside it, for several threads: what states.h is for
 * one.
 *
 * A state is in the tree (tree.h), and its root has a number (shared_numbers.h). A row has a field of
 * WHORL_FIELD_BITS for each place that the product can be in at this state. A bit of a field is set by
 * one atomic operation and is never taken back: what a thread knows of a node for itself alone is not
 * here (cyan.h).
 */
#ifndef WHORL_SHARED_STATES_H
#define WHORL_SHARED_STATES_H

#include "store/sought.h"
#include "store/survey.h"

typedef struct {
  whorl_visited *visited; /* of the thread */
} whorl_states;

typedef _Atomic uint32_t whorl_row_word;

static bool whorl_states_init(whorl_states *s, whorl_kind kind, whorl_visited *visited,
                              whorl_account *account, const whorl_state *initial) {
  whorl_shape shape;
  assert(kind == WHORL_TREE);
  (void)kind;
  s->visited = visited;
  whorl_survey(initial, NULL, &shape);
  return whorl_tree_init(&visited->tree, account, &shape, true) &&
         whorl_numbers_init(&visited->tree.numbers, account, WHORL_ROW_WORDS * 4);
}

static inline size_t whorl_states_bytes(const whorl_states *s, whorl_kind kind) {
  return whorl_visited_bytes(s->visited, kind) + whorl_numbers_bytes(&s->visited->tree.numbers);
}

/* Room for `more` states, while there is one thread. */
WHORL_INLINE bool whorl_states_reserve(whorl_states *s, whorl_kind kind, uint32_t more) {
  (void)kind;
  return whorl_tree_reserve(&s->visited->tree, more);
}

WHORL_INLINE whorl_row_word *whorl_row(const whorl_states *s, whorl_kind kind, uint32_t ref) {
  (void)kind;
  return (whorl_row_word *)(void *)whorl_numbers_row(&s->visited->tree.numbers, ref);
}

WHORL_INLINE void whorl_row_prefetch(const whorl_states *s, whorl_kind kind, uint32_t ref) {
  __builtin_prefetch((const void *)whorl_row(s, kind, ref), 1);
}

/* The bits of a place. What was done before they were set is seen by whoever sees them. */
static inline uint32_t whorl_field_get(whorl_row_word *row, uint32_t place) {
  uint32_t bit = place * WHORL_FIELD_BITS;
  uint32_t word = atomic_load_explicit(&row[bit / 32], memory_order_acquire);
  return word >> bit % 32 & ((UINT32_C(1) << WHORL_FIELD_BITS) - 1);
}

/* Sets bits of a place; which were set before. */
static inline uint32_t whorl_field_add(whorl_row_word *row, uint32_t place, uint32_t bits) {
  uint32_t bit = place * WHORL_FIELD_BITS;
  assert(place < WHORL_NODE_PLACES && bits >> WHORL_FIELD_BITS == 0);
  whorl_give_way();
  uint32_t word = atomic_fetch_or_explicit(&row[bit / 32], bits << bit % 32, memory_order_acq_rel);
  return word >> bit % 32 & ((UINT32_C(1) << WHORL_FIELD_BITS) - 1);
}

/* The state at a reference. */
WHORL_INLINE void whorl_fetch(const whorl_states *s, whorl_kind kind, uint32_t ref,
                              whorl_fetched *out) {
  (void)kind;
  const whorl_tree *tree = &s->visited->tree;
  whorl_tree_unfold(tree, tree->numbers.pairs[ref], &out->folded, &out->room);
  out->state = &out->room;
}

/* Finds states, adding those that are new; there must be room. As in states.h each pass fetches what the
 * next one needs. */
WHORL_INLINE void whorl_find_all(whorl_states *s, whorl_kind kind, whorl_sought *sought,
                                 whorl_folding *foldings, uint32_t count) {
  whorl_tree *tree = &s->visited->tree;
  whorl_numbers *numbers = &tree->numbers;
  whorl_tree_fold(tree, foldings, count);
  for (uint32_t i = 0; i < count; i++) {
    sought[i].pair = whorl_tree_pair(tree, &foldings[i].folded);
    sought[i].hash = whorl_mix(sought[i].pair) & WHORL_HASH_MASK;
    whorl_numbers_prefetch(numbers, sought[i].hash);
  }
  for (uint32_t i = 0; i < count; i++) {
    uint64_t entry = whorl_numbers_first(numbers, sought[i].hash);
    if (entry == 0) continue;
    __builtin_prefetch(&numbers->pairs[(uint32_t)entry - 1]);
    whorl_row_prefetch(s, kind, (uint32_t)entry - 1);
  }
  for (uint32_t i = 0; i < count; i++)
    sought[i].ref = whorl_numbers_find(numbers, sought[i].pair, sought[i].hash);
}

#endif
