/* The exact store: every state whole, numbered in the order of arrival.
 *
 * States lie side by side in an arena, and beside it, by number, the state that each was first
 * reached from: that is all a trail needs. The index is a table of 64-bit entries: the upper 32
 * bits of a state's hash, then its number plus one. Two states are compared only if those 32 bits
 * agree, which happens to different states once in 2^32 / n searches.
 *
 * A 24-byte state costs 24 + 4 + 8 / load bytes.
 */
#ifndef WHORL_STORE_H
#define WHORL_STORE_H

#include "hash.h"
#include "table.h"

#define WHORL_MOST_STATES (UINT64_C(0xfffffffe))

typedef struct {
  whorl_region arena;
  whorl_region parents;
  whorl_state *states;
  uint32_t *parent;
  whorl_table index;
} whorl_store;

static bool whorl_store_init(whorl_store *s, whorl_account *account) {
  if (!whorl_region_init(&s->arena, account, WHORL_MOST_STATES * sizeof(whorl_state)) ||
      !whorl_region_init(&s->parents, account, WHORL_MOST_STATES * sizeof(uint32_t)) ||
      !whorl_table_init(&s->index, account, WHORL_MOST_STATES, 85, 20))
    return false;
  s->states = (whorl_state *)(void *)s->arena.base;
  s->parent = (uint32_t *)(void *)s->parents.base;
  return true;
}

static inline void whorl_store_free(whorl_store *s) {
  whorl_region_free(&s->arena);
  whorl_region_free(&s->parents);
  whorl_table_free(&s->index);
}

static inline uint64_t whorl_store_count(const whorl_store *s) { return s->index.count; }

static inline size_t whorl_store_bytes(const whorl_store *s) {
  return s->index.count * (sizeof(whorl_state) + sizeof(uint32_t)) + s->index.length * 8;
}

/* Room for `more` states. */
static inline bool whorl_store_reserve(whorl_store *s, uint64_t more) {
  uint64_t count = s->index.count + more;
  return count <= WHORL_MOST_STATES && whorl_table_reserve(&s->index, more) &&
         whorl_region_commit(&s->arena, count * sizeof(whorl_state)) &&
         whorl_region_commit(&s->parents, count * sizeof(uint32_t));
}

static inline void whorl_prefetch_state(const whorl_state *s) {
  const char *p = (const char *)s;
  __builtin_prefetch(p);
  __builtin_prefetch(p + sizeof *s - 1);
}

/* The second half of hiding a miss: the index is there by now, fetch the state it points at.
 * Returns the slot, which is where whorl_store_add may begin: insertions only move entries up. */
static inline uint64_t whorl_store_seek(const whorl_store *s, uint64_t hash) {
  uint64_t slot = whorl_table_seek(&s->index, whorl_table_home(&s->index, hash), hash >> 32 << 32);
  uint64_t entry = s->index.slots[slot];
  if (entry >> 32 == hash >> 32)
    whorl_prefetch_state(&s->states[(uint32_t)entry - 1]);
  else
    __builtin_prefetch(&s->index.slots[slot + 8], 1); /* new: entries will move up */
  return slot;
}

/* Adds a state, first reached from `parent`. `slot` is what a search for it gave, if there has been
 * no growth since. Whether it is new; then it has the highest number. */
static inline bool whorl_store_add(whorl_store *s, uint64_t slot, const whorl_state *state,
                                   uint64_t hash, uint32_t parent) {
  const uint64_t *slots = s->index.slots;
  uint64_t least = hash >> 32 << 32;
  while (slots[slot] - 1 < least - (least != 0)) slot++;
  /* Where the hashes agree the entries are in the order of their numbers, and the new number is
   * the greatest, so it comes after them. */
  for (; slots[slot] >> 32 == hash >> 32 && slots[slot] != 0; slot++)
    if (whorl_equal(&s->states[(uint32_t)slots[slot] - 1], state)) return false;
  uint32_t number = (uint32_t)s->index.count;
  s->states[number] = *state;
  s->parent[number] = parent;
  whorl_table_insert(&s->index, slot, least | (number + UINT32_C(1)));
  return true;
}

#endif
