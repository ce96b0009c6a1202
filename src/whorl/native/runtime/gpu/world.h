/* What kernels work on: buffers in the device's memory. The host has the same (native/gpu/world.py).
 *
 * States are found once and for all: each has an index, by the order in which they were found, and the
 * states of a level of the search are a range of indices. The table has an entry for each, at the first free
 * place from where its hash says:
 *
 *   | upper 24 bits of the hash | index + 1: 40 bits |      0: a free place
 *
 * With a claim what is stored is a node of the product: a state and, in a word behind it, the place
 * (search/product.h).
 *
 * Two threads that find the same state at the same time both take an index, and one of them in vain: such
 * a hole is marked, and nobody looks at it again. */
#ifndef WHORL_WORLD_H
#define WHORL_WORLD_H

#include "model/context.h"

#ifndef WHORL_PLACED
#define WHORL_PLACED 0
#endif
#define WHORL_KEPT (WHORL_WORDS + WHORL_PLACED) /* words of what is stored */

#define WHORL_INDEX_BITS 40
#define WHORL_INDEX_MASK ((UINT64_C(1) << WHORL_INDEX_BITS) - 1)

/* What a launch counts and finds. */
typedef struct {
  uint64_t taken; /* indices; more than there are, if it is full */
  uint64_t holes; /* of them */
  uint64_t transitions;
  uint64_t later;   /* states that need more room, in the list of them */
  uint64_t full;    /* a state was found that there was no room for */
  uint64_t endless; /* an atomic sequence can go round for ever */
  uint64_t failed;  /* something fails that counts */
  uint64_t least; /* the index of the least state that was looked for, plus one; 0: there is none */
  uint64_t queued;  /* nodes in the queue */
  uint64_t left;    /* nodes that were counted */
  uint64_t other;   /* the same, of others */
  uint64_t strange; /* the end of an edge is not stored; or there are too many edges */
} whorl_tally;

/* Every field has 64 bits. */
typedef struct {
  uint64_t *states;
  uint64_t *table;
  uint32_t *holes; /* a bit each */
  uint64_t capacity;
  uint64_t mask;  /* the size of the table, less one */
  uint64_t older; /* the states below were found by launches before this one */
  uint64_t from;  /* the states of this launch; of a list, if there is one */
  uint64_t to;
  const uint64_t *list;
  uint64_t *later;
  uint64_t later_room;
  whorl_tally *tally;
  const uint8_t
      *counts;      /* by site: whether a failure there counts; the last is of invalid end states */
  uint8_t *failed;  /* the same: whether there is one */
  uint8_t *reached; /* by transition; then those that faulted */
  uint8_t *scratch; /* the room of each thread, where that is not its own memory */
  uint64_t room;    /* for so many steps */
  whorl_memo *memo;
  const uint64_t *target; /* the state to which a run is to lead */
  int32_t *told;          /* what whorl_tell found: see whole.h */
  uint64_t told_room;     /* for so many choices */
  int32_t *met;      /* of a claim's search, by site: a transition that fails there, plus one */
  uint32_t *colours; /* of each node (elimination.h) */
  uint64_t *queue;   /* of nodes */
  uint64_t bit;      /* of the hash, by which starts are halved */
} whorl_world;

static inline bool whorl_is_hole(const whorl_world *w, uint64_t index) {
  return w->holes[index / 32] >> (index & 31) & 1;
}

static inline void whorl_get(const whorl_world *w, uint64_t index, whorl_state *out) {
  const uint64_t *words = w->states + index * WHORL_KEPT;
  for (int i = 0; i < WHORL_WORDS; i++) out->words[i] = words[i];
}

static inline uint64_t whorl_place_of(const whorl_world *w, uint64_t index) {
  return WHORL_PLACED ? w->states[index * WHORL_KEPT + WHORL_WORDS] : 0;
}

/* The state is to be expanded again, with more room. */
static inline void whorl_later(const whorl_world *w, uint64_t index) {
  uint64_t at = whorl_next(&w->tally->later);
  if (at < w->later_room) w->later[at] = index;
}

/* Of a byte that many threads set to 1. */
static inline void whorl_raise(uint8_t *flag) {
  if (!WHORL_RECALLED(*flag)) WHORL_NOTE(*flag, (uint8_t)1);
}

static inline void whorl_say(uint64_t *word) {
  if (!whorl_load(word)) whorl_store(word, 1);
}

#endif
