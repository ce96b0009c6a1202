/* What a generated model and the searches share: states, steps, and the context of an expansion.
 *
 * A generated model is pure: it reads a state and emits steps into a context. It allocates nothing
 * and knows nothing of tables or searches. It is compiled together with the runtime as one unit,
 * so that everything inlines; the same text compiles as C, as C++ and for a GPU (WHORL_DEVICE, gpu/).
 *
 * The model provides (see native/code/generate.py):
 *
 *   WHORL_WORDS                      how many 64-bit words a state has
 *   WHORL_MATCHED                    how many of them tell it from others: all, unless the model
 *                                    tracks C data without comparing it
 *   WHORL_TRANSITIONS, WHORL_SITES   how many transitions and failure sites are numbered
 *   whorl_initial(context, state)    writes the initial state (zeroed before)
 *   whorl_steps(context, state, first, last)
 *                                    emits every step of the processes first..last
 *   whorl_processes(state)           how many processes run
 *   whorl_valid_end(state)           whether a run may stop here
 */
#ifndef WHORL_CONTEXT_H
#define WHORL_CONTEXT_H

#ifdef WHORL_DEVICE
#include "gpu/platform.h"
#else
/* The runtime needs mmap, madvise and sigaction, which strict C11 hides. This has to come before
 * the first system header of the unit. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/stop.h"

/* What may be read and changed by many at a time: on a GPU, see gpu/platform.h. */
#define WHORL_OUT_OF_LINE /* of a function that a GPU's compiler is to have once in a module */
#define WHORL_RECALLED(place) (place)
#define WHORL_NOTE(place, value) ((void)((place) = (value)))
#endif

#include "model/pids.h"

#ifndef WHORL_MATCHED
#define WHORL_MATCHED WHORL_WORDS
#endif

#define WHORL_MOST_STEPS ((size_t)1 << 31) /* of an expansion: they are numbered by 32 bits */
#ifndef WHORL_PACE
#define WHORL_PACE 16384 /* steps inside of atomic sequences between looks at the clock */
#endif

#define WHORL_NOBODY (-1)
#define WHORL_NO_SITE (-1)

typedef struct {
  uint64_t words[WHORL_WORDS];
} whorl_state;

/* One step: process `pid` took `transition`; in a handshake `partner` took the other one.
 * `holder` is the process that goes on alone, inside an atomic sequence. `site` is where an
 * assertion fails or a fault lies; after a fault there is no state. Where there is a site, `further`
 * leads to the others where something fails in the same step. `from` is the step before, of the same
 * run. */
typedef struct {
  int32_t transition;
  int32_t partner_transition;
  int32_t from;
  int32_t site;
  int32_t further; /* in the context's list, or WHORL_NO_SITE */
  int16_t pid;
  int16_t partner;
  int16_t holder;
  uint8_t fault;  /* there is no state after this step */
  uint8_t passed; /* in the middle of an atomic sequence: other steps go on from here */
} whorl_step;

/* A site in a list of them. */
typedef struct {
  int32_t site;
  int32_t next; /* or WHORL_NO_SITE */
} whorl_further;

#define WHORL_ENTANGLED_BITS 12

/* What a reduction has found out about states that are alike, so as not to find it out again (ample.h,
 * alone.h). The contexts of a search have one together. */
typedef struct {
  uint64_t entangled[1 << WHORL_ENTANGLED_BITS]; /* what was asked; its last bit is the answer */
  uint8_t blocker[256];                          /* of each process: who was in its way last */
} whorl_memo;

/* An expansion in progress. states[i] is the state after steps[i]. */
typedef struct {
  whorl_state *states;
  whorl_step *steps;
  uint32_t count;
  uint32_t capacity;
  int32_t from;    /* what steps emitted now go on from */
  int32_t fault;   /* the site of a fault met in an evaluation, or WHORL_NO_SITE */
  int32_t failure; /* the site of an assertion that failed in the step being made */
  int32_t noted;   /* the list of further ones */
  int32_t offered; /* the failure of a send that waits for its receiver */
  int32_t offer;   /* the channel of that, or 0 */
  whorl_further *further;
  uint32_t further_count;
  uint32_t further_capacity;
  bool timeout;     /* nothing else can move */
  bool held;        /* some step has a holder */
  bool keeps;       /* some run ends with control kept: it may go round for ever */
  bool asking;      /* in the middle of an enabled() */
  bool waits;       /* only a timeout lets anything move here */
  whorl_pids avoid; /* processes that an ample set must do without */
  whorl_pids ample; /* those whose steps were taken, or none: all */
  bool sticky;      /* a run was gone on with by a sticky transition */
  uint32_t walked;  /* runs of phase 1, since somebody last asked */
  uint64_t pace;    /* steps inside of atomic sequences since the last look at the clock */
  whorl_memo *memo;
#ifdef WHORL_DEVICE
  bool overflow; /* a step was left out for want of room (gpu/bounded.h) */
#endif
} whorl_context;

#ifdef WHORL_DEVICE
#include "gpu/bounded.h"
#else

/* Begins without steps. `like`: another context of the same search, if there is one. */
static inline void whorl_context_init(whorl_context *c, const whorl_context *like) {
  memset(c, 0, sizeof *c);
  c->memo = like ? like->memo : (whorl_memo *)whorl_taken(sizeof *c->memo);
  if (!like) memset(c->memo, 0, sizeof *c->memo);
  c->capacity = 256;
  c->states = (whorl_state *)whorl_taken(c->capacity * sizeof *c->states);
  c->steps = (whorl_step *)whorl_taken(c->capacity * sizeof *c->steps);
  c->from = -1;
  c->fault = WHORL_NO_SITE;
  c->failure = c->noted = c->offered = WHORL_NO_SITE;
}

/* Of a context that was made like no other: what is found out is its own. */
static inline void whorl_context_free(whorl_context *c) {
  whorl_given_back(c->memo, sizeof *c->memo);
  whorl_given_back(c->states, c->capacity * sizeof *c->states);
  whorl_given_back(c->steps, c->capacity * sizeof *c->steps);
  whorl_given_back(c->further, c->further_capacity * sizeof *c->further);
}

/* Room for one more step. Pointers into the buffers do not survive this. */
static inline void whorl_reserve(whorl_context *c) {
  if (__builtin_expect(c->count < c->capacity, 1)) return;
  size_t before = c->capacity, after = 2 * before;
  if (after > WHORL_MOST_STEPS) whorl_refuse(WHORL_NO_ROOM);
  c->states =
      (whorl_state *)whorl_grown(c->states, before * sizeof *c->states, after * sizeof *c->states);
  c->steps =
      (whorl_step *)whorl_grown(c->steps, before * sizeof *c->steps, after * sizeof *c->steps);
  c->capacity = (uint32_t)after;
}

/* So many more steps of atomic sequences were looked at: every now and then it may be time to stop. */
static __attribute__((noinline)) void whorl_look_up(whorl_context *c) {
  c->pace = 0;
  whorl_stop why = whorl_should_stop ? whorl_should_stop() : WHORL_COMPLETE;
  if (why != WHORL_COMPLETE) whorl_give_up(why);
}

static inline void whorl_walk_on(whorl_context *c, uint64_t steps) {
  c->pace += steps;
  if (__builtin_expect(c->pace >= WHORL_PACE, 0)) whorl_look_up(c);
}

/* Room for one more entry in the list of sites. */
static inline bool whorl_further_reserve(whorl_context *c) {
  if (c->further_count == c->further_capacity) {
    uint32_t after = c->further_capacity ? 2 * c->further_capacity : 16;
    c->further = (whorl_further *)whorl_grown(c->further, c->further_capacity * sizeof *c->further,
                                              after * sizeof *c->further);
    c->further_capacity = after;
  }
  return true;
}

/* Where the next step goes, and where the last one went. */
#define WHORL_NEXT_STEP(c) (&(c)->steps[(c)->count++])
#define WHORL_LAST_STEP(c) (&(c)->steps[(c)->count - 1])
#endif

/* Begins an expansion: there are no steps yet. */
static inline void whorl_context_clear(whorl_context *c) {
  c->count = c->further_count = 0;
  c->from = -1;
}

/* Emits the step whose state was written to states[count]. */
static inline void whorl_commit(whorl_context *c, int pid, int32_t transition, int partner,
                                int32_t partner_transition, int holder) {
  assert(c->count < c->capacity && transition < WHORL_TRANSITIONS);
  assert(c->from < (int32_t)c->count);
  whorl_step *step = WHORL_NEXT_STEP(c);
  step->transition = transition;
  step->partner_transition = partner_transition;
  step->from = c->from;
  step->site = c->failure;
  step->further = c->noted;
  step->pid = (int16_t)pid;
  step->partner = (int16_t)partner;
  step->holder = (int16_t)holder;
  step->fault = 0;
  step->passed = 0;
  if (holder != WHORL_NOBODY) c->held = true;
  c->failure = c->noted = WHORL_NO_SITE;
}

/* Adds a site to the context's list, in front of `next`; where it is. */
static __attribute__((noinline)) int32_t whorl_further_add(whorl_context *c, int32_t site,
                                                           int32_t next) {
  if (!whorl_further_reserve(c)) return next;
  c->further[c->further_count].site = site;
  c->further[c->further_count].next = next;
  return (int32_t)c->further_count++;
}

/* Notes an assertion that fails in the step being made, once. Behind a fault nothing happens. */
static inline void whorl_fail(whorl_context *c, int32_t site) {
  if (c->fault != WHORL_NO_SITE || c->failure == site) return;
  if (c->failure == WHORL_NO_SITE) {
    c->failure = site;
    return;
  }
  int32_t last = WHORL_NO_SITE;
  for (int32_t i = c->noted; i != WHORL_NO_SITE; last = i, i = c->further[i].next)
    if (c->further[i].site == site) return;
  int32_t added = whorl_further_add(c, site, WHORL_NO_SITE); /* the list may move */
  *(last == WHORL_NO_SITE ? &c->noted : &c->further[last].next) = added;
}

/* Before a step begins nothing has gone wrong: what was met elsewhere has been dealt with. */
#define WHORL_BEGINS(c) assert((c)->fault == WHORL_NO_SITE && (c)->failure == WHORL_NO_SITE)

/* Emits a step that ends in the fault met last. What failed before it is further. */
static inline void whorl_commit_fault(whorl_context *c, int pid, int32_t transition, int partner,
                                      int32_t partner_transition) {
  assert(c->fault != WHORL_NO_SITE);
  whorl_reserve(c);
  if (c->failure != WHORL_NO_SITE) c->noted = whorl_further_add(c, c->failure, c->noted);
  whorl_commit(c, pid, transition, partner, partner_transition, WHORL_NOBODY);
  WHORL_LAST_STEP(c)->site = c->fault;
  WHORL_LAST_STEP(c)->fault = 1;
  c->fault = WHORL_NO_SITE;
}

/* Checks met while evaluating: they note the first fault and give a harmless value. */
static inline int32_t whorl_index(whorl_context *c, int32_t index, int32_t length, int32_t site) {
  if ((uint32_t)index < (uint32_t)length) return index;
  if (c->fault == WHORL_NO_SITE) c->fault = site;
  return 0;
}

static inline int32_t whorl_divisor(whorl_context *c, int32_t divisor, int32_t site) {
  if (divisor != 0) return divisor;
  if (c->fault == WHORL_NO_SITE) c->fault = site;
  return 1;
}

static inline void whorl_fault(whorl_context *c, int32_t site) {
  if (c->fault == WHORL_NO_SITE) c->fault = site;
}

#endif
