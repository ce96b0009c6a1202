/* Program states by reference, each with a row of colours beside it.
 *
 * A search of the product of a program and a claim stores a program state once, whatever the number
 * of claim states that it is met with. Beside it lies its row: a field for each place that the
 * product can be in at this state (a claim state, or with fairness a claim state in one of the
 * copies). How many bits a field has is the algorithm's affair (WHORL_FIELD_BITS). Behind all fields
 * there may be so many bytes for each place (WHORL_SELECTIONS; see by_stack.h).
 *
 * Rows of up to 32 bits take the word that the arena keeps beside every state, which a search for
 * violations of safety uses for the parent; the product needs no parents, since its stack is the
 * way. Longer rows have a region of their own, by number of state. Of states in the tree store the
 * root pair has to have a place that never moves: roots lie in the order of arrival, with an index
 * beside them, as the nodes below do.
 *
 *   exact   | words | row or, packed, number of the row |      tree   | root | row |
 */
#ifndef WHORL_STATES_H
#define WHORL_STATES_H

#include "store/sought.h"
#include "store/survey.h"

#define WHORL_ROW_IS_BESIDE (WHORL_ROW_BITS <= 32)

typedef struct {
  whorl_visited *visited;
  whorl_table index;  /* of the tree's roots: the upper half of a hash, then the number plus one */
  whorl_region pairs; /* the tree's roots, by number */
  whorl_region rows;
  uint64_t count;
} whorl_states;

typedef uint32_t whorl_row_word;

static bool whorl_states_init(whorl_states *s, whorl_kind kind, whorl_visited *visited,
                              whorl_account *account, const whorl_state *initial) {
  s->visited = visited;
  if (kind == WHORL_TREE) {
    whorl_shape shape;
    whorl_survey(initial, NULL, &shape);
    if (!whorl_tree_init(&visited->tree, account, &shape, true) ||
        !whorl_table_init(&s->index, account, WHORL_MOST_STATES, 85, 20) ||
        !whorl_region_init(&s->pairs, account, WHORL_MOST_STATES * 8))
      return false;
  } else if (!whorl_visited_init(visited, kind, account, 0)) {
    return false;
  }
  return (kind == WHORL_EXACT && WHORL_ROW_IS_BESIDE) ||
         whorl_region_init(&s->rows, account, WHORL_MOST_STATES * WHORL_ROW_WORDS * 4);
}

static inline size_t whorl_states_bytes(const whorl_states *s, whorl_kind kind) {
  bool has_rows = kind == WHORL_TREE || !WHORL_ROW_IS_BESIDE;
  return whorl_visited_bytes(s->visited, kind) +
         (kind == WHORL_TREE ? s->index.length * 8 + s->count * 8 : 0) +
         (has_rows ? s->count * WHORL_ROW_WORDS * 4 : 0);
}

/* Room for `more` states. */
WHORL_INLINE bool whorl_states_reserve(whorl_states *s, whorl_kind kind, uint32_t more) {
  uint64_t count = s->count + more;
  if (kind == WHORL_EXACT) {
    if (!whorl_store_reserve(&s->visited->exact, more)) return false;
    if (WHORL_ROW_IS_BESIDE) return true;
  } else if (count > WHORL_MOST_STATES || !whorl_tree_reserve(&s->visited->tree, more) ||
             !whorl_table_reserve(&s->index, more) || !whorl_region_commit(&s->pairs, count * 8)) {
    return false;
  }
  return whorl_region_commit(&s->rows, count * WHORL_ROW_WORDS * 4);
}

/* The word that the arena keeps beside a state. */
static inline uint32_t *whorl_beside(const whorl_arena *a, uint32_t ref) {
#if WHORL_PACKED
  uint32_t *halves = (uint32_t *)(void *)whorl_arena_record(a, ref);
  return halves + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
#else
  return &whorl_arena_parents(a)[ref];
#endif
}

/* The row of a state. */
WHORL_INLINE uint32_t *whorl_row(const whorl_states *s, whorl_kind kind, uint32_t ref) {
  uint32_t number = ref;
  if (kind == WHORL_EXACT) {
    uint32_t *beside = whorl_beside(&s->visited->exact.arena, ref);
    if (WHORL_ROW_IS_BESIDE) return beside;
    if (WHORL_PACKED) number = *beside;
  }
  return (uint32_t *)(void *)s->rows.base + (uint64_t)number * WHORL_ROW_WORDS;
}

WHORL_INLINE void whorl_row_prefetch(const whorl_states *s, whorl_kind kind, uint32_t ref) {
  if (kind == WHORL_EXACT && (WHORL_ROW_IS_BESIDE || WHORL_PACKED))
    __builtin_prefetch(whorl_beside(&s->visited->exact.arena, ref), 1);
  else
    __builtin_prefetch(whorl_row(s, kind, ref), 1);
}

static inline uint32_t whorl_field_get(const uint32_t *row, uint32_t place) {
  if (WHORL_FIELD_BITS == 32) return row[place];
  uint32_t bit = place * WHORL_FIELD_BITS;
  return row[bit / 32] >> bit % 32 & ((UINT32_C(1) << WHORL_FIELD_BITS % 32) - 1);
}

static inline void whorl_field_set(uint32_t *row, uint32_t place, uint32_t value) {
  if (WHORL_FIELD_BITS == 32) {
    row[place] = value;
    return;
  }
  assert(place < WHORL_NODE_PLACES && value >> WHORL_FIELD_BITS % 32 == 0);
  uint32_t bit = place * WHORL_FIELD_BITS;
  uint32_t mask = ((UINT32_C(1) << WHORL_FIELD_BITS % 32) - 1) << bit % 32;
  row[bit / 32] = (row[bit / 32] & ~mask) | value << bit % 32;
}

/* The bytes of a place behind the fields. */
static inline uint8_t *whorl_selections(uint32_t *row, uint32_t place) {
  return (uint8_t *)(row + WHORL_COLOUR_WORDS) + (uint64_t)place * WHORL_SELECTIONS;
}

/* The state at a reference. */
WHORL_INLINE void whorl_fetch(const whorl_states *s, whorl_kind kind, uint32_t ref,
                              whorl_fetched *out) {
  if (kind == WHORL_EXACT) {
    out->state = whorl_arena_state(&s->visited->exact.arena, ref, &out->room);
  } else {
    uint64_t pair = ((const uint64_t *)(const void *)s->pairs.base)[ref];
    whorl_tree_unfold(&s->visited->tree, pair, &out->folded, &out->room);
    out->state = &out->room;
  }
}

static inline uint32_t whorl_find_exact(whorl_states *s, const whorl_sought *sought) {
  whorl_store *store = &s->visited->exact;
  const uint64_t *slots = store->index.slots;
  uint64_t hash = sought->hash, least = hash >> 32 << 32, slot = sought->slot;
  while (slots[slot] - 1 < least - (least != 0)) slot++;
  for (; slots[slot] >> 32 == hash >> 32 && slots[slot] != 0; slot++)
    if (whorl_arena_equal(&store->arena, (uint32_t)slots[slot] - 1, sought->state))
      return (uint32_t)slots[slot] - 1;
  uint32_t beside = WHORL_ROW_IS_BESIDE ? 0 : (uint32_t)s->count;
  uint32_t ref = whorl_arena_add(&store->arena, sought->state, beside);
  whorl_table_insert(&store->index, slot, least | (ref + UINT32_C(1)));
  s->count++;
  return ref;
}

static inline uint32_t whorl_find_root(whorl_states *s, const whorl_sought *sought) {
  const uint64_t *slots = s->index.slots;
  uint64_t *pairs = (uint64_t *)(void *)s->pairs.base;
  uint64_t least = sought->hash >> 32 << 32, slot = sought->slot;
  while (slots[slot] - 1 < least - (least != 0)) slot++;
  for (; slots[slot] >> 32 == least >> 32 && slots[slot] != 0; slot++)
    if (pairs[(uint32_t)slots[slot] - 1] == sought->pair) return (uint32_t)slots[slot] - 1;
  assert(s->count < WHORL_MOST_STATES);
  uint32_t number = (uint32_t)s->count++;
  pairs[number] = sought->pair;
  whorl_table_insert(&s->index, slot, least | (number + UINT32_C(1)));
  return number;
}

/* Finds states, adding those that are new; there must be room. As in search.h each of the three
 * passes fetches what the next one needs: the slots, then what they point at. With the tree,
 * `foldings` has been begun for each of them. */
WHORL_INLINE void whorl_find_all(whorl_states *s, whorl_kind kind, whorl_sought *sought,
                                 whorl_folding *foldings, uint32_t count) {
  const whorl_table *index = kind == WHORL_EXACT ? &s->visited->exact.index : &s->index;
  if (kind == WHORL_TREE) whorl_tree_fold(&s->visited->tree, foldings, count);
  for (uint32_t i = 0; i < count; i++) {
    if (kind == WHORL_EXACT) {
      sought[i].hash = whorl_hash(sought[i].state);
    } else {
      sought[i].pair = whorl_tree_pair(&s->visited->tree, &foldings[i].folded);
      sought[i].hash = whorl_mix(sought[i].pair) & WHORL_HASH_MASK;
    }
    whorl_table_prefetch(index, sought[i].hash);
  }
  for (uint32_t i = 0; i < count; i++) {
    uint64_t least = sought[i].hash >> 32 << 32;
    sought[i].slot = whorl_table_seek(index, whorl_table_home(index, least), least);
    uint64_t entry = index->slots[sought[i].slot];
    uint32_t ref = (uint32_t)entry - 1;
    if (entry == 0 || entry >> 32 != least >> 32) {
      __builtin_prefetch(&index->slots[sought[i].slot + 8], 1); /* new: entries will move up */
      continue;
    }
    if (kind == WHORL_EXACT)
      whorl_arena_prefetch(&s->visited->exact.arena, ref);
    else
      __builtin_prefetch((const uint64_t *)(const void *)s->pairs.base + ref);
    if (kind == WHORL_TREE || !WHORL_PACKED) whorl_row_prefetch(s, kind, ref);
  }
  for (uint32_t i = 0; i < count; i++)
    sought[i].ref =
        kind == WHORL_EXACT ? whorl_find_exact(s, &sought[i]) : whorl_find_root(s, &sought[i]);
}

#endif
