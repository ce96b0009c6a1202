/* Insertion of states: the table, the array of states, and the holes in it (world.h). */
#ifndef WHORL_INSERT_H
#define WHORL_INSERT_H

#include "gpu/world.h"
#include "store/hash.h"

/* An index that a thread has taken and not used yet. */
typedef struct {
  uint64_t index;
  bool there;
} whorl_spare;

/* Whether a stored state is this one. Some of those found by this launch may be in the cache as they
 * were before: these are read from behind it. */
static inline bool whorl_is_at(const whorl_world *w, uint64_t index, const whorl_state *s,
                               uint64_t place) {
  const uint64_t *words = w->states + index * WHORL_KEPT;
  uint64_t differ = 0;
  if (index < w->older) {
    for (int i = 0; i < WHORL_WORDS; i++) differ |= words[i] ^ s->words[i];
    if (WHORL_PLACED) differ |= words[WHORL_WORDS] ^ place;
  } else {
    whorl_fence();
    for (int i = 0; i < WHORL_WORDS; i++) differ |= whorl_read(&words[i]) ^ s->words[i];
    if (WHORL_PLACED) differ |= whorl_read(&words[WHORL_WORDS]) ^ place;
  }
  return differ == 0;
}

static inline bool whorl_take_index(const whorl_world *w, whorl_spare *spare) {
  if (spare->there) return true;
  uint64_t index = whorl_next(&w->tally->taken);
  if (index >= w->capacity) {
    whorl_say(&w->tally->full);
    return false;
  }
  spare->index = index;
  spare->there = true;
  return true;
}

static inline uint64_t whorl_hash_of(const whorl_state *s, uint64_t place) {
  uint64_t hash = whorl_hash(s);
  if (!WHORL_PLACED) return hash;
  return whorl_rehash(whorl_fold(hash ^ WHORL_HASH_D, place + WHORL_HASH_B)) & WHORL_HASH_MASK;
}

/* Stores a state, with its place, unless it is stored. Whether it is new; not where it is full. */
static inline bool whorl_insert(const whorl_world *w, const whorl_state *s, uint64_t place,
                                whorl_spare *spare) {
  const uint64_t hash = whorl_hash_of(s, place), upper = hash & ~WHORL_INDEX_MASK;
  for (uint64_t slot = hash & w->mask;; slot = (slot + 1) & w->mask) {
    uint64_t entry = whorl_load(&w->table[slot]);
    if (entry == 0) {
      if (!whorl_take_index(w, spare)) return false;
      uint64_t *words = w->states + spare->index * WHORL_KEPT;
      for (int i = 0; i < WHORL_WORDS; i++) whorl_write(&words[i], s->words[i]);
      if (WHORL_PLACED) whorl_write(&words[WHORL_WORDS], place);
      entry = whorl_put_first(&w->table[slot], upper | (spare->index + 1));
      if (entry == 0) {
        spare->there = false;
        return true;
      }
    }
    if ((entry & ~WHORL_INDEX_MASK) == upper &&
        whorl_is_at(w, (entry & WHORL_INDEX_MASK) - 1, s, place))
      return false;
  }
}

/* An index that was not used after all is a hole. */
static inline void whorl_give_up_spare(const whorl_world *w, const whorl_spare *spare) {
  if (spare->there) whorl_mark(w->holes, spare->index);
}

/* The table is another one: an entry for each state, all of which differ. */
WHORL_KERNEL whorl_gpu_enter(const whorl_world *w) {
  uint64_t index = w->from + whorl_thread();
  if (index >= w->to || whorl_is_hole(w, index)) return;
  whorl_state s;
  whorl_get(w, index, &s);
  const uint64_t hash = whorl_hash_of(&s, whorl_place_of(w, index));
  const uint64_t entry = (hash & ~WHORL_INDEX_MASK) | (index + 1);
  uint64_t slot = hash & w->mask;
  while (whorl_put_first(&w->table[slot], entry) != 0) slot = (slot + 1) & w->mask;
}

#endif
