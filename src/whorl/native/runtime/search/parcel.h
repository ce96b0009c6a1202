/* Work that one thread gives to another: some open states, with the way to each.
 *
 * Depth first each thread has a frontier of its own (frontier.h). It gives away its oldest open entries:
 * most is still below these. With them go their ancestors in the log, so that the other thread has a log
 * in which the way to every entry is there, and can tell a violation without asking anybody.
 */
#ifndef WHORL_PARCEL_H
#define WHORL_PARCEL_H

#include "search/frontier.h"
#include "store/shared.h"

#ifndef WHORL_PARCEL_MOST
#define WHORL_PARCEL_MOST 256 /* open states */
#endif

typedef struct whorl_parcel {
  struct whorl_parcel *next;
  uint64_t *entries; /* as in a log; parents are places among them */
  uint32_t count;
  uint32_t open_count;
  uint32_t open[WHORL_PARCEL_MOST]; /* places, in ascending order */
} whorl_parcel;

/* Of each place up to that of the last of some open entries: its number among those that are in use, from
 * one, or 0. In use are the open entries and their ancestors. */
static uint32_t *whorl_parcel_numbers(const whorl_frontier *f, uint64_t words, const uint32_t *open,
                                      uint32_t wanted, uint32_t *count) {
  uint32_t places = open[wanted - 1] + 1;
  uint32_t *numbers = (uint32_t *)whorl_taken(places * sizeof *numbers);
  memset(numbers, 0, places * sizeof *numbers);
  for (uint32_t i = 0; i < wanted; i++) numbers[open[i]] = 1;
  for (uint32_t place = places; place-- > 0;) {
    uint32_t parent = (uint32_t)(f->entries[words * place] >> 32);
    if (numbers[place] && parent != WHORL_NO_REF) numbers[parent] = 1;
  }
  *count = 0;
  for (uint32_t place = 0; place < places; place++)
    if (numbers[place]) numbers[place] = ++*count;
  return numbers;
}

/* Takes the oldest open entries from a frontier: up to half of them. NULL: there are too few. */
static __attribute__((noinline)) whorl_parcel *whorl_parcel_pack(whorl_frontier *f,
                                                                 whorl_kind kind) {
  uint64_t words = whorl_entry_words(kind);
  uint64_t half = (f->open_count - f->bottom) / 2;
  uint32_t wanted = half < WHORL_PARCEL_MOST ? (uint32_t)half : WHORL_PARCEL_MOST, count;
  if (wanted == 0) return NULL;
  const uint32_t *open = f->open + f->bottom;
  uint32_t *numbers = whorl_parcel_numbers(f, words, open, wanted, &count);
  whorl_parcel *parcel = (whorl_parcel *)whorl_taken(sizeof *parcel);
  parcel->next = NULL;
  parcel->entries = (uint64_t *)whorl_taken(count * words * 8);
  parcel->count = count;
  parcel->open_count = wanted;
  uint32_t places = open[wanted - 1] + 1;
  for (uint32_t place = 0; place < places; place++) {
    if (!numbers[place]) continue;
    const uint64_t *entry = &f->entries[words * place];
    uint64_t *copy = &parcel->entries[words * (numbers[place] - 1)];
    uint32_t parent = (uint32_t)(entry[0] >> 32);
    if (parent != WHORL_NO_REF) parent = numbers[parent] - 1;
    copy[0] = (uint64_t)parent << 32 | (uint32_t)entry[0];
    memcpy(copy + 1, entry + 1, (words - 1) * 8);
  }
  for (uint32_t i = 0; i < wanted; i++) parcel->open[i] = numbers[open[i]] - 1;
  f->bottom += wanted;
  whorl_given_back(numbers, places * sizeof *numbers);
  return parcel;
}

/* Puts a parcel into a frontier that is empty. Whether there is memory. */
static bool whorl_parcel_unpack(whorl_parcel *parcel, whorl_frontier *f, whorl_kind kind) {
  size_t size = parcel->count * whorl_entry_words(kind) * 8;
  f->count = f->open_count = f->bottom = 0;
  whorl_frontier_forget(f);
  bool room = whorl_frontier_reserve(f, kind, parcel->count);
  if (room) {
    memcpy(f->entries, parcel->entries, size);
    memcpy(f->open, parcel->open, parcel->open_count * sizeof *f->open);
    f->count = f->cursor = parcel->count;
    f->open_count = parcel->open_count;
  }
  whorl_given_back(parcel->entries, size);
  whorl_given_back(parcel, sizeof *parcel);
  return room;
}

#endif
