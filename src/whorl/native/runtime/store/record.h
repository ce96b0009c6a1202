/* A state that is written down whole.
 *
 * Large states are mostly zeros (channels that are not full, processes that have not started), so those
 * of 8 to 32 words are packed: a header with a bit for each word that is not zero, and then these words.
 * The upper half of the header is the owner's. Other states are written as they are.
 *
 *   packed   | the owner's : 32, mask : 32 | word | word | ...
 *   plain    | all words |
 */
#ifndef WHORL_RECORD_H
#define WHORL_RECORD_H

#include "store/hash.h"

#ifndef WHORL_PACKED
#define WHORL_PACKED (WHORL_WORDS >= 8 && WHORL_WORDS <= 32 && WHORL_MATCHED == WHORL_WORDS)
#endif

#define WHORL_RECORD_MOST ((uint64_t)WHORL_WORDS + WHORL_PACKED) /* words */

static inline void whorl_record_prefetch(const uint64_t *record) {
  __builtin_prefetch(record);
  __builtin_prefetch((const char *)record + (WHORL_PACKED ? 64 : sizeof(whorl_state) - 1));
}

#if WHORL_PACKED

static inline uint32_t whorl_mask(const whorl_state *s) {
  uint32_t mask = 0;
  for (int i = 0; i < WHORL_WORDS; i++) mask |= (uint32_t)(s->words[i] != 0) << i;
  return mask;
}

/* How many words a record has. */
static inline uint64_t whorl_record_words(const uint64_t *record) {
  return 1 + (uint64_t)__builtin_popcount((uint32_t)*record);
}

static inline void whorl_record_write(uint64_t *record, const whorl_state *s, uint32_t owners) {
  uint32_t mask = whorl_mask(s);
  *record++ = (uint64_t)owners << 32 | mask;
  for (; mask; mask &= mask - 1) *record++ = s->words[__builtin_ctz(mask)];
}

static inline bool whorl_record_equal(const uint64_t *record, const whorl_state *s) {
  uint32_t mask = (uint32_t)*record++;
  if (mask != whorl_mask(s)) return false;
  uint64_t differ = 0;
  for (; mask; mask &= mask - 1) differ |= *record++ ^ s->words[__builtin_ctz(mask)];
  return differ == 0;
}

/* The state of a record; it is unpacked to `room`. */
static inline const whorl_state *whorl_record_state(const uint64_t *record, whorl_state *room) {
  memset(room, 0, sizeof *room);
  for (uint32_t mask = (uint32_t)*record++; mask; mask &= mask - 1)
    room->words[__builtin_ctz(mask)] = *record++;
  return room;
}

#else

static inline uint64_t whorl_record_words(const uint64_t *record) {
  (void)record;
  return WHORL_WORDS;
}

static inline const whorl_state *whorl_record_state(const uint64_t *record, whorl_state *room) {
  (void)room;
  return (const whorl_state *)(const void *)record;
}

static inline void whorl_record_write(uint64_t *record, const whorl_state *s, uint32_t owners) {
  (void)owners;
  memcpy(record, s->words, sizeof *s);
}

static inline bool whorl_record_equal(const uint64_t *record, const whorl_state *s) {
  return whorl_equal((const whorl_state *)(const void *)record, s);
}

#endif

#endif
