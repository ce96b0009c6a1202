/* The exact store: every state whole, in the order of arrival.
 *
 * States lie side by side in an arena (arena.h), each with the state that it was first reached
 * from: that is all a trail needs. A reference says where in the arena a state lies. The index is a
 * table of 64-bit entries: the upper 32 bits of a state's hash, then its reference plus one. Two
 * states are compared only if those 32 bits agree, which happens to different states once in
 * 2^32 / n searches.
 *
 * A 24-byte state costs 24 + 4 + 8 / load bytes.
 */
#ifndef WHORL_STORE_H
#define WHORL_STORE_H

#include "store/arena.h"
#include "store/hash.h"
#include "store/table.h"

typedef struct {
  whorl_arena arena;
  whorl_table index;
} whorl_store;

static bool whorl_store_init(whorl_store *s, whorl_account *account) {
  return whorl_arena_init(&s->arena, account) &&
         whorl_table_init(&s->index, account, WHORL_MOST_STATES, 85, 20);
}

static inline void whorl_store_free(whorl_store *s) {
  whorl_arena_free(&s->arena);
  whorl_table_free(&s->index);
}

static inline uint64_t whorl_store_count(const whorl_store *s) { return s->index.count; }

static inline size_t whorl_store_bytes(const whorl_store *s) {
  return whorl_arena_bytes(&s->arena) + s->index.length * 8;
}

/* Room for `more` states. */
static inline bool whorl_store_reserve(whorl_store *s, uint64_t more) {
  uint64_t count = s->index.count + more;
  return count <= WHORL_MOST_STATES && whorl_table_reserve(&s->index, more) &&
         whorl_arena_reserve(&s->arena, more);
}

static inline void whorl_store_prefetch(const whorl_store *s, uint64_t hash) {
  whorl_table_prefetch(&s->index, hash);
}

/* The second half of hiding a miss: the index is there by now, fetch the state it points at.
 * Returns the slot, which is where whorl_store_add may begin: insertions only move entries up. */
static inline uint64_t whorl_store_seek(const whorl_store *s, uint64_t hash) {
  uint64_t slot = whorl_table_seek(&s->index, whorl_table_home(&s->index, hash), hash >> 32 << 32);
  uint64_t entry = s->index.slots[slot];
  if (entry >> 32 == hash >> 32)
    whorl_arena_prefetch(&s->arena, (uint32_t)entry - 1);
  else
    __builtin_prefetch(&s->index.slots[slot + 8], 1); /* new: entries will move up */
  return slot;
}

/* Adds a state, first reached from `parent`. `slot` is what a search for it gave, if there has been
 * no growth since. Whether it is new; then it is the last of the arena. */
static inline bool whorl_store_add(whorl_store *s, uint64_t slot, const whorl_state *state,
                                   uint64_t hash, uint32_t parent) {
  const uint64_t *slots = s->index.slots;
  uint64_t least = hash >> 32 << 32;
  while (slots[slot] - 1 < least - (least != 0)) slot++;
  /* Where the hashes agree the entries are in the order of their references, and the new one is
   * the greatest, so it comes after them. */
  for (; slots[slot] >> 32 == hash >> 32 && slots[slot] != 0; slot++)
    if (whorl_arena_equal(&s->arena, (uint32_t)slots[slot] - 1, state)) return false;
  uint32_t ref = whorl_arena_add(&s->arena, state, parent);
  whorl_table_insert(&s->index, slot, least | (ref + UINT32_C(1)));
  return true;
}

#endif
