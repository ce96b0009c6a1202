/* Which part of a state says who owns it.
 *
 * By the whole of a state, of n workers each has every n-th successor of its states only: nearly all
 * have to be sent, and inserting a state without its predecessor takes twice as long. A step changes
 * a few bytes. So the owner goes by bytes that few steps change, and most successors stay where they are:
 *
 *   state   | process 0 | process 1 | ... | channel | variables |
 *   mask    |                 ^^^^^^                    ^^^    |   owner = hash of these
 *
 * They must take many values, all about as often, or some worker would have more than its part. Both
 * is estimated on random walks. The walks are the same everywhere, so no worker needs to ask another;
 * whatever they say, each state has one owner. After Lerda and Sisto, "Distributed-memory model
 * checking with SPIN" (SPIN 1999), who take the local state of one process.
 */
#ifndef WHORL_OWNERS_H
#define WHORL_OWNERS_H

#include "model/expand.h"
#include "store/hash.h"
#include "store/shape.h"

#ifndef WHORL_OWNERS_STATES
#define WHORL_OWNERS_STATES 4096 /* that are looked at */
#endif
#define WHORL_OWNERS_STRIDE 4     /* steps from one to the next */
#define WHORL_OWNERS_STEPS 100000 /* that are looked at: no more */
#define WHORL_OWNERS_WALK 1024    /* steps of a walk */
#ifndef WHORL_OWNERS_SPREAD
#define WHORL_OWNERS_SPREAD 0.12 /* what workers own: the standard deviation by the mean */
#endif
#define WHORL_OWNERS_SEEDS 16 /* hashes that are tried */
#define WHORL_OWNERS_SET (4 * WHORL_OWNERS_STATES)

typedef struct {
  whorl_state mask; /* the bits that count */
  uint64_t seed;
} whorl_owners;

typedef struct {
  uint32_t count; /* states */
  whorl_state states[WHORL_OWNERS_STATES];
  uint64_t changes[WHORL_UNITS]; /* how many steps change a unit */
  uint64_t seen[WHORL_OWNERS_SET];
  uint32_t times[WHORL_OWNERS_SET];
} whorl_owners_sample;

/* By every byte. */
static void whorl_owners_by_all(whorl_owners *o) {
  memset(&o->mask, 0xff, sizeof o->mask);
  o->seed = 0;
}

/* The part of a state's hash by which it is given out: any does, as long as it is not the one that
 * places the state in the tables of its owner. */
static inline uint64_t whorl_owners_hash(const whorl_owners *o, const whorl_state *s) {
  whorl_state part;
  for (int i = 0; i < WHORL_WORDS; i++) part.words[i] = s->words[i] & o->mask.words[i];
  return whorl_rehash(whorl_hash(&part) ^ o->seed);
}

/* Whether two states agree in what says who owns them. */
static inline bool whorl_owners_agree(const whorl_owners *o, const whorl_state *a,
                                      const whorl_state *b) {
  uint64_t differ = 0;
  for (int i = 0; i < WHORL_WORDS; i++) differ |= (a->words[i] ^ b->words[i]) & o->mask.words[i];
  return differ == 0;
}

static void whorl_owners_take(whorl_owners *o, int unit, bool in) {
  int first = whorl_unit_byte(unit), last = whorl_unit_byte(unit + 1);
  memset((uint8_t *)o->mask.words + first, in ? 0xff : 0, (size_t)(last - first));
}

/* Notes which units the steps of an expansion change. How many steps there are. */
static uint64_t whorl_owners_note(whorl_owners_sample *sample, const whorl_context *c,
                                  const whorl_state *from) {
  uint64_t steps = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    if (c->steps[i].passed | c->steps[i].fault) continue;
    steps++;
    for (uint64_t d = whorl_differing(&c->states[i], from); d; d &= d - 1)
      sample->changes[__builtin_ctzll(d)]++;
  }
  return steps;
}

/* A state that a run from the last expansion ends in, or NULL. */
static const whorl_state *whorl_owners_step(const whorl_context *c, uint64_t random) {
  for (uint32_t i = 0, at = (uint32_t)(random % (c->count ? c->count : 1)); i < c->count; i++) {
    if (!(c->steps[at].passed | c->steps[at].fault)) return &c->states[at];
    at = at + 1 == c->count ? 0 : at + 1;
  }
  return NULL;
}

/* Random walks from the initial state. */
static void whorl_owners_walk(whorl_owners_sample *sample, whorl_context *c,
                              const whorl_state *initial) {
  whorl_state at = *initial;
  uint64_t random = WHORL_HASH_D, steps = 0;
  uint32_t walked = 0;
  bool endless;
  for (uint32_t i = 0; sample->count < WHORL_OWNERS_STATES && steps < WHORL_OWNERS_STEPS; i++) {
    if (i % WHORL_OWNERS_STRIDE == 0) sample->states[sample->count++] = at;
    random = whorl_mix(random + WHORL_HASH_B);
    c->avoid = c->ample = whorl_nobody();
    whorl_expand(c, &at, &endless);
    steps += 1 + whorl_owners_note(sample, c, &at);
    const whorl_state *next = whorl_owners_step(c, random);
    if (!next || ++walked == WHORL_OWNERS_WALK) {
      next = initial;
      walked = 0;
    }
    at = *next;
  }
}

/* Whether states are given out evenly by a part of them: how much a worker has more or less than
 * the mean follows from how often two states agree in that part. */
static bool whorl_owners_even(whorl_owners_sample *sample, const whorl_owners *o,
                              uint32_t workers) {
  uint64_t same = 0;
  memset(sample->times, 0, sizeof sample->times);
  for (uint32_t i = 0; i < sample->count; i++) {
    uint64_t hash = whorl_owners_hash(o, &sample->states[i]);
    uint32_t at = (uint32_t)(hash % WHORL_OWNERS_SET);
    while (sample->times[at] && sample->seen[at] != hash) at = (at + 1) % WHORL_OWNERS_SET;
    sample->seen[at] = hash;
    same += sample->times[at]++;
  }
  double pairs = 0.5 * sample->count * (sample->count - 1.0);
  return (double)same * (workers - 1) <= WHORL_OWNERS_SPREAD * WHORL_OWNERS_SPREAD * pairs;
}

/* The units in the order of how many steps change them, those that few change first. */
static void whorl_owners_order(const whorl_owners_sample *sample, int *units) {
  for (int unit = 0; unit < WHORL_UNITS; unit++) {
    int at = unit;
    for (; at > 0 && sample->changes[units[at - 1]] > sample->changes[unit]; at--)
      units[at] = units[at - 1];
    units[at] = unit;
  }
}

/* Takes as few units as will do, those that few steps change; leaves out again what is not needed.
 * Units that no step of the walks has changed stay in: where the walks were not, they may tell states
 * apart. */
static void whorl_owners_pick(whorl_owners_sample *sample, uint32_t workers, whorl_owners *o) {
  int units[WHORL_UNITS], taken = 0;
  whorl_owners_order(sample, units);
  memset(o, 0, sizeof *o);
  while (taken < WHORL_UNITS && !whorl_owners_even(sample, o, workers))
    whorl_owners_take(o, units[taken++], true);
  if (!whorl_owners_even(sample, o, workers)) { /* there may be few states */
    whorl_owners_by_all(o);
    return;
  }
  while (taken-- > 0 && sample->changes[units[taken]] > 0) {
    whorl_owners_take(o, units[taken], false);
    if (!whorl_owners_even(sample, o, workers)) whorl_owners_take(o, units[taken], true);
  }
}

/* The most states of the sample that a worker has. */
static uint32_t whorl_owners_most(whorl_owners_sample *sample, uint32_t workers,
                                  const whorl_owners *o) {
  uint32_t *owned = sample->times, most = 0;
  memset(owned, 0, sizeof sample->times);
  for (uint32_t i = 0; i < sample->count; i++) {
    uint64_t hash = whorl_owners_hash(o, &sample->states[i]);
    uint32_t count = ++owned[whorl_high(hash, workers)];
    if (count > most) most = count;
  }
  return most;
}

/* Of some hashes the one by which the sample is given out best. */
static void whorl_owners_seed(whorl_owners_sample *sample, uint32_t workers, whorl_owners *o) {
  uint32_t least = UINT32_MAX;
  whorl_owners tried = *o;
  for (int i = 0; i < WHORL_OWNERS_SEEDS && workers <= WHORL_OWNERS_SET; i++) {
    tried.seed = whorl_mix((uint64_t)i);
    uint32_t most = whorl_owners_most(sample, workers, &tried);
    if (most >= least) continue;
    least = most;
    o->seed = tried.seed;
  }
}

/* Chooses the part for so many workers. */
static void whorl_owners_choose(whorl_owners *o, whorl_context *c, const whorl_state *initial,
                                uint32_t workers) {
  whorl_owners_sample *sample = (whorl_owners_sample *)whorl_taken(sizeof *sample);
  memset(sample, 0, sizeof *sample);
  whorl_owners_walk(sample, c, initial);
  whorl_owners_pick(sample, workers, o);
  whorl_owners_seed(sample, workers, o);
  whorl_given_back(sample, sizeof *sample);
}

#endif
