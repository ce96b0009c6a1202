/* What fails in a level, and of several failures the least: the same whoever finds them.
 *
 * States are ordered by their words; the failures of a state by the step and by their order there. */
#ifndef WHORL_LEAST_H
#define WHORL_LEAST_H

#include "model/context.h"

/* Something that fails in a level: the least that was found for its site. */
typedef struct {
  whorl_state state;
  whorl_pids avoid; /* its expansion was without these */
  int32_t site;     /* or WHORL_NO_SITE: it is an invalid end state */
  int32_t step;
  uint32_t order; /* among those of the same step */
  uint64_t place; /* of the state in the log of a partition (cluster/log.h) */
} whorl_failure;

typedef struct {
  whorl_failure *entries;
  uint32_t count, room;
} whorl_failures;

/* Which of two states comes first. */
static inline int whorl_order_states(const whorl_state *a, const whorl_state *b) {
  for (int i = 0; i < WHORL_WORDS; i++)
    if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
  return 0;
}

static inline int whorl_order_failures(const whorl_failure *a, const whorl_failure *b) {
  int states = whorl_order_states(&a->state, &b->state);
  if (states) return states;
  if (a->step != b->step) return a->step < b->step ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* Keeps the least failure of each site. */
static __attribute__((noinline)) void whorl_failures_add(whorl_failures *f,
                                                         const whorl_failure *failure) {
  for (uint32_t i = 0; i < f->count; i++)
    if (f->entries[i].site == failure->site) {
      if (whorl_order_failures(failure, &f->entries[i]) < 0) f->entries[i] = *failure;
      return;
    }
  if (f->count == f->room) {
    uint32_t more = f->room ? 2 * f->room : 4;
    f->entries = (whorl_failure *)whorl_grown(f->entries, f->room * sizeof *f->entries,
                                              more * sizeof *f->entries);
    f->room = more;
  }
  f->entries[f->count++] = *failure;
}

/* The one to tell where only one is: an invalid end state is nearer than a step that fails. NULL: none. */
static const whorl_failure *whorl_failures_first(const whorl_failures *f) {
  const whorl_failure *first = NULL;
  for (uint32_t i = 0; i < f->count; i++) {
    const whorl_failure *next = &f->entries[i];
    if (next->site == WHORL_NO_SITE) return next;
    if (!first || whorl_order_failures(next, first) < 0) first = next;
  }
  return first;
}

#endif
