/* The proviso of visited states: no step is left out for ever.
 *
 * Breadth first one of the steps taken has to lead to a state that is new, and so is expanded later
 * (Bosnacki, Leue and Lluch Lafuente, "Partial-order reduction for general state exploring algorithms",
 * 2006). Depth first it has to lead to one that is closed before: to a new one, or one that is closed, or
 * is above in the log. In a recursive search that is one that is not on the stack (Holzmann, Godefroid and
 * Pirottin, "Coverage preserving reduction strategies", 1992). Either way a step that is left out can
 * still be taken in a state that comes later, or is closed before, and so on; the last one of these is
 * expanded fully.
 *
 * Where it does not hold the state is expanded again, with another ample set, and at last with everything.
 * Whoever wants to know by which run a state was reached (trail.h) tries the same sets in the same order:
 * whorl_expand with what is to be avoided, then whorl_avoid_more.
 */
#ifndef WHORL_PROVISO_H
#define WHORL_PROVISO_H

#include "model/expand.h"
#include "search/frontier.h"
#if WHORL_THREADS
#include "search/levels.h"
#endif

/* A state that is to be expanded again, without some processes. */
typedef struct {
  uint32_t ref, depth;
#if WHORL_THREADS
  uint64_t name; /* breadth first (levels.h) */
#endif
  whorl_pids avoid;
} whorl_retry;

typedef struct {
  whorl_retry *entries; /* room for `most` */
  uint32_t count, most;
} whorl_retries;

/* The ample set that was taken from a state has led to nothing new: another one is to be tried. */
static inline void whorl_retry_later(whorl_retries *r, const whorl_source *source,
                                     whorl_context *c) {
  assert(r->count < r->most);
  whorl_avoid_more(c);
  whorl_retry *entry = &r->entries[r->count++];
  entry->ref = source->ref;
  entry->depth = source->depth;
#if WHORL_THREADS
  entry->name = source->name;
#endif
  entry->avoid = c->avoid;
}

/* Whether there is a state to expand again; then it is the source, and the context avoids what it has to. */
WHORL_INLINE bool whorl_retry_take(whorl_retries *r, const whorl_frontier *f, whorl_kind kind,
                                   const whorl_visited *v, whorl_source *source, whorl_context *c) {
  if (!WHORL_PROVISO || r->count == 0) return false;
  const whorl_retry *entry = &r->entries[--r->count];
#if WHORL_THREADS
  if (f->order == WHORL_BFS)
    whorl_level_state(v, kind, entry->name, entry->depth, source);
  else
#endif
    whorl_frontier_state(f, kind, v, entry->ref, source);
  source->depth = entry->depth;
  c->avoid = entry->avoid;
  return true;
}

/* The frontier has to keep what is below this place, so that it can be expanded again. */
WHORL_INLINE uint64_t whorl_retry_floor(const whorl_retries *r, uint64_t floor) {
  for (uint32_t i = 0; WHORL_PROVISO && i < r->count; i++)
    if (r->entries[i].ref >= floor) floor = (uint64_t)r->entries[i].ref + 1;
  return floor;
}

#endif
