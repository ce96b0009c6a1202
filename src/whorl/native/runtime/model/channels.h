/* Access to the channels of a state, by number from 1. Where the number is known, it folds away.
 *
 * The record of a channel has its type, where that varies, the number of its messages, and room for
 * as many as it can hold; behind the last message there are zeros. A rendezvous channel has no
 * record. The model provides (native/code/channels.py):
 *
 *   WHORL_CHANNELS               for how many a state has room
 *   WHORL_CHANNEL_TYPES          how many types there are
 *   WHORL_TYPES_VARY             whether some record has the channel's type
 *   WHORL_MADE_AT                the byte that counts channels, where processes make some
 *   WHORL_EACH_BUFFER(X)         X(type, bytes of a message, capacity, field, store) for each type
 *                                with a buffer: field(m, n) is field n of the message at m, and
 *                                store(m, values) writes a message
 *   whorl_channel_bases          the first byte of each record
 *   whorl_channel_types          the type of each channel, or WHORL_VARYING
 *   whorl_capacities             by type: how many messages a channel can hold
 *   whorl_field_counts           by type: how many fields a message has
 */
#ifndef WHORL_CHANNELS_H
#define WHORL_CHANNELS_H

#include "model/prelude.h"

#define WHORL_VARYING 255      /* the type of a channel that has it in its record */
#define WHORL_MOVED_AT_ONCE 64 /* bytes of messages that move up all together, without a loop */

/* For a function whose arguments are constants: what they decide is decided by the compiler. */
#define WHORL_FOLDED static inline __attribute__((always_inline))

static inline int whorl_made(const uint8_t *B) {
#ifdef WHORL_MADE_AT
  return B[WHORL_MADE_AT];
#else
  (void)B;
  return WHORL_CHANNELS;
#endif
}

static inline int whorl_channel_type(const uint8_t *B, int channel) {
  (void)B, (void)channel;
  if (WHORL_CHANNEL_TYPES == 1) return 0;
  if (WHORL_TYPES_VARY && whorl_channel_types[channel - 1] == WHORL_VARYING)
    return B[whorl_channel_bases[channel - 1]];
  return whorl_channel_types[channel - 1];
}

/* Where the number of messages lies; the messages follow. */
static inline int whorl_queue(int channel) {
  const int typed = WHORL_TYPES_VARY && whorl_channel_types[channel - 1] == WHORL_VARYING;
  return whorl_channel_bases[channel - 1] + typed;
}

/* The number of a channel that there is; 0 and a fault for any other. */
static inline int32_t whorl_channel(whorl_context *c, const uint8_t *B, int32_t channel,
                                    int32_t site) {
  if (channel >= 1 && channel <= whorl_made(B)) return channel;
  whorl_fault(c, site);
  return 0;
}

#ifdef WHORL_MADE_AT
/* Makes a channel; 0 and a fault where there is no room. */
static inline int32_t whorl_make(whorl_context *c, uint8_t *B, int type, int32_t site) {
  int at = B[WHORL_MADE_AT];
  if (at >= WHORL_CHANNELS) {
    whorl_fault(c, site);
    return 0;
  }
  if (whorl_channel_types[at] == WHORL_VARYING) B[whorl_channel_bases[at]] = (uint8_t)type;
  return ++B[WHORL_MADE_AT];
}
#endif

static inline bool whorl_rendezvous(const uint8_t *B, int channel) {
  return whorl_capacities[whorl_channel_type(B, channel)] == 0;
}

static inline int32_t whorl_length(const uint8_t *B, int channel) {
  if (channel == 0 || whorl_rendezvous(B, channel)) return 0;
  return B[whorl_queue(channel)];
}

static inline int32_t whorl_full(const uint8_t *B, int channel) {
  if (channel == 0 || whorl_rendezvous(B, channel)) return 0;
  return whorl_length(B, channel) == whorl_capacities[whorl_channel_type(B, channel)];
}

/* The same in the middle of a handshake, when a message is in a rendezvous channel. */
static inline int32_t whorl_length_now(whorl_context *c, const uint8_t *B, int channel) {
  return channel && channel == c->offer ? 1 : whorl_length(B, channel);
}

static inline int32_t whorl_full_now(whorl_context *c, const uint8_t *B, int channel) {
  return channel && channel == c->offer ? 1 : whorl_full(B, channel);
}

/* A channel that can be polled: 0 and a fault for one without a buffer. */
static inline int32_t whorl_buffered(whorl_context *c, const uint8_t *B, int32_t channel,
                                     int32_t site) {
  if (channel == 0) return 0;
  if (whorl_rendezvous(B, channel)) {
    whorl_fault(c, site);
    return 0;
  }
  return channel;
}

/* --- messages --- */

static inline int32_t whorl_field(const uint8_t *B, int channel, int slot, int number) {
  const uint8_t *m = B + whorl_queue(channel) + 1;
  (void)m, (void)slot, (void)number;
  switch (whorl_channel_type(B, channel)) {
#define WHORL_FIELD(type, size, capacity, field, store) \
  case type:                                            \
    return field(m + slot * (size), number);
    WHORL_EACH_BUFFER(WHORL_FIELD)
#undef WHORL_FIELD
  }
  return 0;
}

static inline bool whorl_matches(const uint8_t *B, int channel, int slot, int count,
                                 const int32_t *fields, const int32_t *values) {
  int i = 0;
  while (i < count && whorl_field(B, channel, slot, fields[i]) == values[i]) i++;
  return i == count;
}

/* The position of the message that a receive takes: the first one, if that matches, or with
 * `random` the first that does; or -1. */
static inline int whorl_find(const uint8_t *B, int channel, int random, int count,
                             const int32_t *fields, const int32_t *values) {
  int length = whorl_length(B, channel);
  if (!random) return length && whorl_matches(B, channel, 0, count, fields, values) ? 0 : -1;
  for (int slot = 0; slot < length; slot++)
    if (whorl_matches(B, channel, slot, count, fields, values)) return slot;
  return -1;
}

/* Before which message a sorted send puts its own: the first that is greater. */
static inline int whorl_sorted_slot(const uint8_t *B, int channel, int count,
                                    const int32_t *values) {
  int slot = 0, length = B[whorl_queue(channel)];
  for (; slot < length; slot++) {
    int i = 0;
    while (i < count && whorl_field(B, channel, slot, i) == values[i]) i++;
    if (i < count && values[i] < whorl_field(B, channel, slot, i)) break;
  }
  return slot;
}

static inline void whorl_put(uint8_t *B, int channel, int sorted, int count,
                             const int32_t *values) {
  uint8_t *q = B + whorl_queue(channel), *m = q + 1;
  int slot = sorted ? whorl_sorted_slot(B, channel, count, values) : *q;
  switch (whorl_channel_type(B, channel)) {
#define WHORL_PUT(type, size, capacity, field, store)                 \
  case type:                                                          \
    assert(*q < (capacity) && slot <= *q);                            \
    m += slot * (size);                                               \
    if (sorted) memmove(m + (size), m, (size_t)(*q - slot) * (size)); \
    store(m, values);                                                 \
    break;
    WHORL_EACH_BUFFER(WHORL_PUT)
#undef WHORL_PUT
  }
  ++*q;
}

/* Takes the message in a slot out of a queue. Behind the last one there are zeros, so that all may
 * move up at once. */
WHORL_FOLDED void whorl_take_from(uint8_t *q, int slot, int size, int capacity) {
  assert(*q <= capacity && slot >= 0 && slot < *q);
  uint8_t *m = q + 1;
  const int rest = --*q - slot, others = (capacity - 1) * size;
  if (others > 0 && others <= WHORL_MOVED_AT_ONCE && slot == 0) {
    uint8_t moved[WHORL_MOVED_AT_ONCE];
    memcpy(moved, m + size, (size_t)others);
    memcpy(m, moved, (size_t)others);
    memset(m + others, 0, (size_t)size);
    return;
  }
  m += slot * size;
  if (rest) memmove(m, m + size, (size_t)(rest * size));
  memset(m + rest * size, 0, (size_t)size);
}

static inline void whorl_take(uint8_t *B, int channel, int slot) {
  uint8_t *q = B + whorl_queue(channel);
  (void)q, (void)slot;
  switch (whorl_channel_type(B, channel)) {
#define WHORL_TAKE(type, size, capacity, field, store) \
  case type:                                           \
    whorl_take_from(q, slot, size, capacity);          \
    break;
    WHORL_EACH_BUFFER(WHORL_TAKE)
#undef WHORL_TAKE
  }
}

#endif
