/* Sleep sets: which steps of a state are awake, and which of them are independent (reduction/sleep.py).
 *
 * A step goes by its name: who begins it by which transition, and who answers by which.
 *
 *   name   | pid : 8 | partner plus one : 8 | transition : 24 | that of the partner plus one : 24 |
 *
 * A sleep set is a sorted row of names. Equal ones are kept once, under a number; 0 is the empty one.
 *
 *   names     | of set 1 ... | of set 2 ... |        ends   | 0 | end of set 1 | ... |
 *   slots     numbers of sets, by hash; 0 where there is none
 *
 * The generator writes (native/code/asleep.py):
 *
 *   whorl_touched_at[]        of each kind: where what its transitions touch begins, by index
 *   whorl_touched[]           a number for each
 *   whorl_conflicts[]         of each number: those that are in conflict with it, as
 *                             WHORL_CONFLICT_WORDS words
 */
#ifndef WHORL_SLEEP_SETS_H
#define WHORL_SLEEP_SETS_H

#include "reduction/ample.h"

typedef struct {
  uint64_t *names;
  uint64_t *ends;
  uint32_t *slots;
  uint64_t room; /* for names */
  uint32_t count, ends_room;
  uint32_t slot_mask;
} whorl_sleep_sets;

typedef struct {
  const uint64_t *names;
  uint32_t count;
} whorl_sleep;

/* The visit to a state: what sleeps and, if it is visited again, what has slept each time before. */
typedef struct {
  whorl_sleep_sets sets;
  uint32_t asleep, stored; /* numbers of sets */
  bool again;
  bool slept; /* the state has steps, and none of those that are to be taken is awake */
} whorl_dormitory;

static whorl_dormitory whorl_beds; /* zeroed */

static inline uint64_t whorl_step_name(const whorl_step *step) {
  assert(WHORL_TRANSITIONS < 1 << 24 && WHORL_PROCESSES < 1 << 8);
  return (uint64_t)step->pid << 56 | (uint64_t)(step->partner + 1) << 48 |
         (uint64_t)step->transition << 24 | (uint64_t)(step->partner_transition + 1);
}

/* --- sets ---------------------------------------------------------------------------------------- */

static inline whorl_sleep whorl_sleep_set(const whorl_sleep_sets *s, uint32_t number) {
  whorl_sleep set = {NULL, 0};
  if (number == 0) return set;
  set.names = s->names + s->ends[number - 1];
  set.count = (uint32_t)(s->ends[number] - s->ends[number - 1]);
  return set;
}

static inline bool whorl_sleeps(whorl_sleep set, uint64_t name) {
  for (uint32_t i = 0; i < set.count; i++)
    if (set.names[i] == name) return true;
  return false;
}

/* Whether all that sleeps in one set does in another. */
static inline bool whorl_sleep_within(whorl_sleep set, whorl_sleep other) {
  for (uint32_t i = 0; i < set.count; i++)
    if (!whorl_sleeps(other, set.names[i])) return false;
  return true;
}

static inline uint64_t whorl_sleep_hash(whorl_sleep set) {
  uint64_t hash = set.count;
  for (uint32_t i = 0; i < set.count; i++) hash = (hash ^ set.names[i]) * WHORL_AMPLE_HASH;
  return hash ^ hash >> 32;
}

/* The slot of a set: where it is, or an empty one. */
static inline uint32_t *whorl_sleep_slot(const whorl_sleep_sets *s, whorl_sleep set) {
  for (uint64_t at = whorl_sleep_hash(set);; at++) {
    uint32_t *slot = &s->slots[at & s->slot_mask];
    if (*slot == 0) return slot;
    whorl_sleep known = whorl_sleep_set(s, *slot);
    if (known.count == set.count &&
        memcmp(known.names, set.names, set.count * sizeof *set.names) == 0)
      return slot;
  }
}

/* Room for one more set, of so many names. */
static __attribute__((noinline)) void whorl_sleep_reserve(whorl_sleep_sets *s, uint32_t names) {
  uint64_t used = s->count ? s->ends[s->count] : 0, room = s->room ? s->room : 1024;
  while (room < used + names) room *= 2;
  if (room != s->room) s->names = (uint64_t *)whorl_grown(s->names, s->room * 8, room * 8);
  s->room = room;
  if (s->count + 2 <= s->ends_room) return;
  uint32_t before = s->ends_room, after = before ? 2 * before : 1024;
  s->ends = (uint64_t *)whorl_grown(s->ends, (size_t)before * 8, (size_t)after * 8);
  if (before == 0) s->ends[0] = 0;
  s->ends_room = after;
  s->slots = (uint32_t *)whorl_grown(s->slots, (size_t)before * 8, (size_t)after * 8);
  memset(s->slots, 0, (size_t)after * 8); /* twice as many slots as there may be sets */
  s->slot_mask = 2 * after - 1;
  for (uint32_t number = 1; number <= s->count; number++)
    *whorl_sleep_slot(s, whorl_sleep_set(s, number)) = number;
}

/* The number of the set of some names, in any order; they are sorted. */
static uint32_t whorl_sleep_number(whorl_sleep_sets *s, uint64_t *names, uint32_t count) {
  if (count == 0) return 0;
  for (uint32_t i = 1; i < count; i++) {
    uint64_t name = names[i];
    uint32_t at = i;
    for (; at > 0 && names[at - 1] > name; at--) names[at] = names[at - 1];
    names[at] = name;
  }
  whorl_sleep_reserve(s, count);
  whorl_sleep set = {names, count};
  uint32_t *slot = whorl_sleep_slot(s, set);
  if (*slot) return *slot;
  uint64_t end = s->ends[s->count];
  memcpy(s->names + end, names, count * sizeof *names);
  *slot = ++s->count;
  s->ends[s->count] = end + count;
  return s->count;
}

/* --- independence ---------------------------------------------------------------------------------- */

/* What a transition of a process touches, as a number. */
static inline uint32_t whorl_touched_by(const whorl_state *s, int pid, int32_t transition) {
  int kind = whorl_kind_of(whorl_bytes(s), pid);
  return whorl_touched[whorl_touched_at[kind] + whorl_transition_index[transition]];
}

static inline bool whorl_in_conflict(uint32_t a, uint32_t b) {
  return whorl_conflicts[(size_t)a * WHORL_CONFLICT_WORDS + b / 64] >> b % 64 & 1;
}

/* Whether two executable steps of a state, by their names, commute and leave each other executable. */
static bool whorl_are_independent(const whorl_state *s, uint64_t name, uint64_t other) {
  for (int i = 0; i < 2; i++) {
    int pid = i ? (int)(name >> 48 & 0xff) - 1 : (int)(name >> 56);
    if (pid < 0) continue;
    int32_t transition = (int32_t)((i ? name - 1 : name >> 24) & 0xffffff);
    uint32_t touched = whorl_touched_by(s, pid, transition);
    for (int j = 0; j < 2; j++) {
      int who = j ? (int)(other >> 48 & 0xff) - 1 : (int)(other >> 56);
      if (who < 0) continue;
      if (who == pid) return false;
      int32_t by = (int32_t)((j ? other - 1 : other >> 24) & 0xffffff);
      if (whorl_in_conflict(touched, whorl_touched_by(s, who, by))) return false;
    }
  }
  return true;
}

/* --- who is awake ------------------------------------------------------------------------------------ */

/* Whether a step of the state that is visited is to be taken. */
static inline bool whorl_is_awake(const whorl_step *step) {
  uint64_t name = whorl_step_name(step);
  const whorl_sleep_sets *sets = &whorl_beds.sets;
  if (whorl_sleeps(whorl_sleep_set(sets, whorl_beds.asleep), name)) return false;
  return !whorl_beds.again || whorl_sleeps(whorl_sleep_set(sets, whorl_beds.stored), name);
}

/* Of the steps of a state, which are in the context, keeps those that are to be taken. */
static inline void whorl_keep_awake(whorl_context *c) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    if (!whorl_is_awake(&c->steps[i])) continue;
    if (kept < i) {
      c->steps[kept] = c->steps[i];
      c->states[kept] = c->states[i];
    }
    kept++;
  }
  c->count = kept;
  whorl_beds.slept = kept == 0;
}

#endif
