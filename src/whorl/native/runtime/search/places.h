/* From a state to its place in the log of a depth-first search (frontier.h): chains by hash.
 *
 * The log is a stack, so what leaves it is the first of its chain: adding and removing touch one head.
 *
 *   heads   | place | none | place | ...      by the upper bits of a hash
 *   next    | place | none | ...              beside the log: the next place with the same head
 */
#ifndef WHORL_PLACES_H
#define WHORL_PLACES_H

#include "store/memory.h"

#define WHORL_NO_PLACE UINT32_MAX
#define WHORL_PLACES_BITS 10 /* log2 of the number of heads at first */
#define WHORL_PLACES_HASH UINT64_C(0x9e3779b97f4a7c15)

typedef struct {
  whorl_region memory;
  uint32_t *next;
  uint32_t *heads; /* none before places are asked for */
  unsigned bits;
} whorl_places;

static bool whorl_places_init(whorl_places *p, whorl_account *account, uint64_t most) {
  if (!whorl_region_init(&p->memory, account, most * sizeof *p->next)) return false;
  p->next = (uint32_t *)(void *)p->memory.base;
  return true;
}

static inline bool whorl_places_reserve(whorl_places *p, uint64_t count) {
  return whorl_region_commit(&p->memory, count * sizeof *p->next);
}

/* Whether there are too few heads for so many places. */
static inline bool whorl_places_crowded(const whorl_places *p, uint64_t count) {
  return count >> p->bits > 1;
}

/* Forgets all places, and gets heads enough for `count` of them. */
static __attribute__((noinline)) void whorl_places_clear(whorl_places *p, uint64_t count) {
  size_t size = p->heads ? sizeof *p->heads << p->bits : 0;
  if (p->heads) whorl_given_back(p->heads, size);
  if (p->bits == 0) p->bits = WHORL_PLACES_BITS;
  while (count >> p->bits > 0) p->bits += 2;
  size = sizeof *p->heads << p->bits;
  p->heads = (uint32_t *)whorl_taken(size);
  memset(p->heads, 0xff, size);
}

/* Places are not asked for any more. */
static inline void whorl_places_drop(whorl_places *p) {
  if (p->heads) whorl_given_back(p->heads, sizeof *p->heads << p->bits);
  p->heads = NULL;
}

static inline uint32_t *whorl_places_head(const whorl_places *p, uint64_t hash) {
  return &p->heads[hash * WHORL_PLACES_HASH >> (64 - p->bits)];
}

static inline void whorl_places_add(whorl_places *p, uint64_t hash, uint32_t place) {
  uint32_t *head = whorl_places_head(p, hash);
  p->next[place] = *head;
  *head = place;
}

/* Removes the place added last. */
static inline void whorl_places_remove(whorl_places *p, uint64_t hash, uint32_t place) {
  uint32_t *head = whorl_places_head(p, hash);
  assert(*head == place);
  *head = p->next[place];
}

#endif
