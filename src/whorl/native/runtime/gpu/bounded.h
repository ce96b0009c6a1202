/* The context of an expansion with as much room as it was given: it never grows (see model/context.h).
 *
 * A step for which there is no room is written behind the others and is none of the expansion. What comes
 * of that is of no use, but it ends, and `overflow` says so: then the state is expanded again with more
 * room (gpu/whole.h), or the search is inconclusive. */
#ifndef WHORL_BOUNDED_H
#define WHORL_BOUNDED_H

/* Where the next step goes, and where the last one went. */
#define WHORL_NEXT_STEP(c) \
  (&(c)->steps[(c)->count < (c)->capacity ? (c)->count++ : ((c)->overflow = true, (c)->capacity)])
#define WHORL_LAST_STEP(c) (&(c)->steps[(c)->overflow ? (c)->capacity : (c)->count - 1])

/* Begins without steps, with room for so many and for one behind them. */
static inline void whorl_context_place(whorl_context *c, whorl_state *states, whorl_step *steps,
                                       uint32_t capacity, whorl_further *further,
                                       uint32_t further_capacity, whorl_memo *memo) {
  memset(c, 0, sizeof *c);
  c->states = states;
  c->steps = steps;
  c->capacity = capacity;
  c->further = further;
  c->further_capacity = further_capacity;
  c->memo = memo;
  c->from = -1;
  c->fault = WHORL_NO_SITE;
  c->failure = c->noted = c->offered = WHORL_NO_SITE;
}

static inline void whorl_reserve(whorl_context *c) { (void)c; }

static inline bool whorl_further_reserve(whorl_context *c) {
  if (c->further_count < c->further_capacity) return true;
  c->overflow = true;
  return false;
}

/* Atomic sequences end where the room does. */
static inline void whorl_walk_on(whorl_context *c, uint64_t steps) { (void)c, (void)steps; }

#endif
