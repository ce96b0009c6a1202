/* In which order the successors of a state are taken, where searches of a swarm are to differ.
 *
 * An order changes which part of a large state space a bitstate search comes to, and nothing else: the
 * successors are those of the state and of its ample set, as in any search. Randomness is drawn from
 * the seed and a counter, so a search with the same seed is the same search.
 */
#ifndef WHORL_ARRANGE_H
#define WHORL_ARRANGE_H

#include "search/successor.h"
#include "store/hash.h"
#include "store/wide.h"

typedef enum {
  WHORL_WRITTEN,    /* as they are found: the last one is taken first */
  WHORL_REVERSED,   /* the other way round */
  WHORL_SHUFFLED,   /* in a random order, another one in each state */
  WHORL_BY_PROCESS, /* by processes, one and the same random order of these in all states */
} whorl_arrangement;

#define WHORL_ARRANGEMENTS 4
static const char *const whorl_arrangement_names[WHORL_ARRANGEMENTS] = {"written", "reversed",
                                                                        "shuffled", "by-process"};

typedef struct {
  whorl_arrangement arrangement;
  uint64_t seed;
  uint64_t drawn; /* random numbers so far */
} whorl_arranger;

/* A random number below `most`: SplitMix64's counter, and the upper half of a product. */
static inline uint64_t whorl_draw(whorl_arranger *a, uint64_t most) {
  uint64_t number = whorl_mix(a->seed + ++a->drawn * UINT64_C(0x9e3779b97f4a7c15));
  return whorl_high(number, most);
}

static inline void whorl_swap(whorl_successor *a, whorl_successor *b) {
  whorl_successor other = *a;
  *a = *b;
  *b = other;
}

/* Where the process that made a successor stands among all. */
static inline uint64_t whorl_rank(const whorl_arranger *a, const whorl_context *c,
                                  const whorl_successor *made) {
  return whorl_mix(a->seed ^ (uint64_t)(c->steps[made->state - c->states].pid + 1));
}

/* Puts successors of a state, made in a context, into the order in which they are to be added. */
static inline void whorl_arrange(whorl_arranger *a, const whorl_context *c, whorl_successor *made,
                                 uint32_t count) {
  for (uint32_t i = 0; i < count; i++) switch (a->arrangement) {
      case WHORL_WRITTEN:
        return;
      case WHORL_REVERSED:
        if (i < count / 2) whorl_swap(&made[i], &made[count - 1 - i]);
        break;
      case WHORL_SHUFFLED: /* Fisher and Yates */
        whorl_swap(&made[i], &made[i + whorl_draw(a, count - i)]);
        break;
      case WHORL_BY_PROCESS: /* those of one process stay in order */
        for (uint32_t at = i;
             at > 0 && whorl_rank(a, c, &made[at]) < whorl_rank(a, c, &made[at - 1]); at--)
          whorl_swap(&made[at], &made[at - 1]);
        break;
    }
}

#endif
