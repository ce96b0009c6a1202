/* The arena: states side by side, each with the one that it was first reached from.
 *
 * A reference is a state's place: its number, where all states have the same size. Large states are
 * mostly zeros (channels that are not full, processes that have not started), so those of 8 to 32
 * words are packed: a header with a bit for each word that is not zero and, in its upper half, the
 * parent; then these words. There a reference is the place of the header, in words.
 *
 *   packed:   | parent : 32, mask : 32 | word | word | ...
 *   plain:    | all words |           and, in a region of their own, the parents
 */
#ifndef WHORL_ARENA_H
#define WHORL_ARENA_H

#include "store/hash.h"
#include "store/memory.h"

#define WHORL_MOST_STATES (UINT64_C(0xfffffffe))

#ifndef WHORL_PACKED
#define WHORL_PACKED (WHORL_WORDS >= 8 && WHORL_WORDS <= 32 && WHORL_MATCHED == WHORL_WORDS)
#endif

typedef struct {
  whorl_region memory;
  whorl_region parents; /* not where states are packed: there a header has the parent */
  uint64_t end;         /* the reference that the next state will have */
  uint32_t last;        /* the reference of the state added last */
} whorl_arena;

#if WHORL_PACKED

static bool whorl_arena_init(whorl_arena *a, whorl_account *account) {
  memset(a, 0, sizeof *a);
  return whorl_region_init(&a->memory, account, (size_t)WHORL_MOST_STATES * 8);
}

static inline uint64_t *whorl_arena_record(const whorl_arena *a, uint32_t ref) {
  return (uint64_t *)(void *)a->memory.base + ref;
}

static inline size_t whorl_arena_bytes(const whorl_arena *a) { return (size_t)a->end * 8; }

/* Room for `more` states. */
static inline bool whorl_arena_reserve(whorl_arena *a, uint64_t more) {
  uint64_t words = a->end + more * (1 + WHORL_WORDS);
  return words <= WHORL_MOST_STATES && whorl_region_commit(&a->memory, (size_t)words * 8);
}

static inline void whorl_arena_prefetch(const whorl_arena *a, uint32_t ref) {
  const char *record = (const char *)whorl_arena_record(a, ref);
  __builtin_prefetch(record);
  __builtin_prefetch(record + 64);
}

static inline uint32_t whorl_mask(const whorl_state *s) {
  uint32_t mask = 0;
  for (int i = 0; i < WHORL_WORDS; i++) mask |= (uint32_t)(s->words[i] != 0) << i;
  return mask;
}

static inline bool whorl_arena_equal(const whorl_arena *a, uint32_t ref, const whorl_state *s) {
  const uint64_t *record = whorl_arena_record(a, ref);
  uint32_t mask = (uint32_t)*record++;
  if (mask != whorl_mask(s)) return false;
  uint64_t differ = 0;
  for (; mask; mask &= mask - 1) differ |= *record++ ^ s->words[__builtin_ctz(mask)];
  return differ == 0;
}

static inline uint32_t whorl_arena_add(whorl_arena *a, const whorl_state *s, uint32_t parent) {
  uint32_t mask = whorl_mask(s);
  uint64_t *record = whorl_arena_record(a, (uint32_t)a->end);
  a->last = (uint32_t)a->end;
  *record++ = (uint64_t)parent << 32 | mask;
  for (uint32_t rest = mask; rest; rest &= rest - 1) *record++ = s->words[__builtin_ctz(rest)];
  a->end += 1 + (uint64_t)__builtin_popcount(mask);
  return a->last;
}

/* The state at a reference; it is unpacked to `room`. */
static inline const whorl_state *whorl_arena_state(const whorl_arena *a, uint32_t ref,
                                                   whorl_state *room) {
  const uint64_t *record = whorl_arena_record(a, ref);
  memset(room, 0, sizeof *room);
  for (uint32_t mask = (uint32_t)*record++; mask; mask &= mask - 1)
    room->words[__builtin_ctz(mask)] = *record++;
  return room;
}

static inline uint32_t whorl_arena_parent(const whorl_arena *a, uint32_t ref) {
  return (uint32_t)(*whorl_arena_record(a, ref) >> 32);
}

/* The reference of the state that was added after this one. */
static inline uint64_t whorl_arena_next(const whorl_arena *a, uint64_t ref) {
  uint64_t header = *whorl_arena_record(a, (uint32_t)ref);
  return ref + 1 + (uint64_t)__builtin_popcount((uint32_t)header);
}

#else

static bool whorl_arena_init(whorl_arena *a, whorl_account *account) {
  memset(a, 0, sizeof *a);
  return whorl_region_init(&a->memory, account, WHORL_MOST_STATES * sizeof(whorl_state)) &&
         whorl_region_init(&a->parents, account, WHORL_MOST_STATES * sizeof(uint32_t));
}

static inline whorl_state *whorl_arena_record(const whorl_arena *a, uint32_t ref) {
  return (whorl_state *)(void *)a->memory.base + ref;
}

static inline uint32_t *whorl_arena_parents(const whorl_arena *a) {
  return (uint32_t *)(void *)a->parents.base;
}

static inline size_t whorl_arena_bytes(const whorl_arena *a) {
  return (size_t)a->end * (sizeof(whorl_state) + sizeof(uint32_t));
}

static inline bool whorl_arena_reserve(whorl_arena *a, uint64_t more) {
  uint64_t count = a->end + more;
  return whorl_region_commit(&a->memory, count * sizeof(whorl_state)) &&
         whorl_region_commit(&a->parents, count * sizeof(uint32_t));
}

static inline void whorl_arena_prefetch(const whorl_arena *a, uint32_t ref) {
  const char *record = (const char *)whorl_arena_record(a, ref);
  __builtin_prefetch(record);
  __builtin_prefetch(record + sizeof(whorl_state) - 1);
}

static inline bool whorl_arena_equal(const whorl_arena *a, uint32_t ref, const whorl_state *s) {
  return whorl_equal(whorl_arena_record(a, ref), s);
}

static inline uint32_t whorl_arena_add(whorl_arena *a, const whorl_state *s, uint32_t parent) {
  a->last = (uint32_t)a->end++;
  *whorl_arena_record(a, a->last) = *s;
  whorl_arena_parents(a)[a->last] = parent;
  return a->last;
}

static inline const whorl_state *whorl_arena_state(const whorl_arena *a, uint32_t ref,
                                                   whorl_state *room) {
  (void)room;
  return whorl_arena_record(a, ref);
}

static inline uint32_t whorl_arena_parent(const whorl_arena *a, uint32_t ref) {
  return whorl_arena_parents(a)[ref];
}

static inline uint64_t whorl_arena_next(const whorl_arena *a, uint64_t ref) {
  (void)a;
  return ref + 1;
}

#endif

static inline void whorl_arena_free(whorl_arena *a) {
  whorl_region_free(&a->memory);
  whorl_region_free(&a->parents);
}

#endif
