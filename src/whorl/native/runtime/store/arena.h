/* The arena: states side by side (record.h), each with the one that it was first reached from.
 *
 * A reference is a state's place: its number, where all states have the same size. Where they are packed
 * it is the place of the header, in words, and the header has the parent, too.
 *
 *   packed:   | parent : 32, mask : 32 | word | word | ...
 *   plain:    | all words |           and, in a region of their own, the parents
 */
#ifndef WHORL_ARENA_H
#define WHORL_ARENA_H

#include "store/memory.h"
#include "store/record.h"

#define WHORL_MOST_STATES (UINT64_C(0xfffffffe))

typedef uint32_t whorl_arena_ref;

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

static inline uint32_t whorl_arena_add(whorl_arena *a, const whorl_state *s, uint32_t parent) {
  uint64_t *record = whorl_arena_record(a, (uint32_t)a->end);
  a->last = (uint32_t)a->end;
  whorl_record_write(record, s, parent);
  a->end += whorl_record_words(record);
  return a->last;
}

static inline uint32_t whorl_arena_parent(const whorl_arena *a, uint32_t ref) {
  return (uint32_t)(*whorl_arena_record(a, ref) >> 32);
}

/* The reference of the state that was added after this one. */
static inline uint64_t whorl_arena_next(const whorl_arena *a, uint64_t ref) {
  return ref + whorl_record_words(whorl_arena_record(a, (uint32_t)ref));
}

#else

static bool whorl_arena_init(whorl_arena *a, whorl_account *account) {
  memset(a, 0, sizeof *a);
  return whorl_region_init(&a->memory, account, WHORL_MOST_STATES * sizeof(whorl_state)) &&
         whorl_region_init(&a->parents, account, WHORL_MOST_STATES * sizeof(uint32_t));
}

static inline uint64_t *whorl_arena_record(const whorl_arena *a, uint32_t ref) {
  return (uint64_t *)(void *)a->memory.base + (uint64_t)ref * WHORL_WORDS;
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

static inline uint32_t whorl_arena_add(whorl_arena *a, const whorl_state *s, uint32_t parent) {
  a->last = (uint32_t)a->end++;
  whorl_record_write(whorl_arena_record(a, a->last), s, 0);
  whorl_arena_parents(a)[a->last] = parent;
  return a->last;
}

static inline uint32_t whorl_arena_parent(const whorl_arena *a, uint32_t ref) {
  return whorl_arena_parents(a)[ref];
}

static inline uint64_t whorl_arena_next(const whorl_arena *a, uint64_t ref) {
  (void)a;
  return ref + 1;
}

#endif

static inline void whorl_arena_prefetch(const whorl_arena *a, uint32_t ref) {
  whorl_record_prefetch(whorl_arena_record(a, ref));
}

static inline bool whorl_arena_equal(const whorl_arena *a, uint32_t ref, const whorl_state *s) {
  return whorl_record_equal(whorl_arena_record(a, ref), s);
}

/* The state at a reference; where it is packed it is unpacked to `room`. */
static inline const whorl_state *whorl_arena_state(const whorl_arena *a, uint32_t ref,
                                                   whorl_state *room) {
  return whorl_record_state(whorl_arena_record(a, ref), room);
}

static inline void whorl_arena_free(whorl_arena *a) {
  whorl_region_free(&a->memory);
  whorl_region_free(&a->parents);
}

#endif
