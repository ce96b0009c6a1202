/* Nodes that a thread knows of for itself alone, in the order in which it came to them: those on its stack,
 * or those of its second search.
 *
 * They lie in a list that somebody else keeps. What is added last is removed first, so the places that
 * have a hash in common are a chain that begins with the last one (places.h).
 */
#ifndef WHORL_CYAN_H
#define WHORL_CYAN_H

#include "search/product.h"

typedef struct {
  whorl_places places;
  uint64_t count;
} whorl_cyan;

/* Whether a place of a list has a node that counts; to be called by the order of places. */
typedef bool (*whorl_counts_there)(const whorl_node *list, uint64_t place);

static bool whorl_cyan_init(whorl_cyan *c, whorl_account *account) {
  memset(c, 0, sizeof *c);
  if (!whorl_places_init(&c->places, account, WHORL_MOST_STATES)) return false;
  whorl_places_clear(&c->places, 0);
  return true;
}

/* Room for what is in the first `height` places of a list. */
static inline bool whorl_cyan_reserve(whorl_cyan *c, uint64_t height) {
  return height <= WHORL_MOST_STATES && whorl_places_reserve(&c->places, height);
}

/* Whether a node is there. */
static inline bool whorl_cyan_has(const whorl_cyan *c, const whorl_node *list, whorl_node node) {
  uint32_t place = *whorl_places_head(&c->places, node & WHORL_IDENTITY);
  for (; place != WHORL_NO_PLACE; place = c->places.next[place])
    if (((list[place] ^ node) & WHORL_IDENTITY) == 0) return true;
  return false;
}

/* Adds the node that is last in the list, at `place`. Where heads are too few there will be more; then
 * `counts` says which places to add again. */
static inline void whorl_cyan_add(whorl_cyan *c, const whorl_node *list, uint64_t place,
                                  whorl_counts_there counts) {
  whorl_places *places = &c->places;
  c->count++;
  if (__builtin_expect(whorl_places_crowded(places, c->count), 0)) {
    whorl_places_clear(places, c->count);
    for (uint64_t at = 0; at < place; at++)
      if (counts(list, at)) whorl_places_add(places, list[at] & WHORL_IDENTITY, (uint32_t)at);
  }
  whorl_places_add(places, list[place] & WHORL_IDENTITY, (uint32_t)place);
}

/* Removes the node that was added last. */
static inline void whorl_cyan_remove(whorl_cyan *c, const whorl_node *list, uint64_t place) {
  assert(c->count > 0);
  whorl_places_remove(&c->places, list[place] & WHORL_IDENTITY, (uint32_t)place);
  c->count--;
}

#endif
