/* A set of 64-bit entries that grows in place: the index of every exact store.
 *
 * Open addressing with linear probing, without wrapping round, and with the entries in ascending
 * order throughout (Amble and Knuth, "Ordered hash tables", 1974). The home of an entry is where
 * its upper 32 bits fall when their range is stretched over the table. So the table is a sorted
 * array with gaps, and that buys three things:
 *
 *   - a search ends at the first greater entry, found or not: about 4 slots at a load of 0.85,
 *     where an unordered table needs 22 to see that an entry is new;
 *   - growing is a merge: slide all entries to the end of the longer table, then lay them out from
 *     the front, both in one direct pass over memory. It needs no second table, so the peak is what
 *     is kept, and is cheap enough to grow by small factors, so the load is always high;
 *   - the hash is in the entry, so nothing else is read.
 *
 * Zero is an empty slot. The upper 32 bits must be those of a good hash; the rest is the owner's:
 * the number of a state, or the rest of the hash.
 *
 *   slots   | 0 | a | b | 0 | c | d | e | 0 | ... | 0 |     a < b < c < d < e
 *   homes     0 .......................... size-1         then a tail up to `length`
 *
 * An entry may stand in the tail, after the last home. The last slots (a window of them) are
 * always empty; as they fill the tail is made longer. Growing from `size` to `size + k` moves no
 * home by more than k, and so no entry: a tail that was long enough stays so.
 */
#ifndef WHORL_TABLE_H
#define WHORL_TABLE_H

#include "store/memory.h"
#include "store/wide.h"

#define WHORL_TABLE_TAIL 256
#define WHORL_TABLE_WINDOW 6 /* slots that are looked at without a branch */

typedef struct {
  whorl_region memory;
  uint64_t *slots;
  uint64_t size;   /* how many homes there are */
  uint64_t length; /* how many slots there are */
  uint64_t count;  /* how many entries there are */
  uint64_t limit;  /* how many there may be at this size */
  unsigned load;   /* the highest load, in percent */
  unsigned growth; /* by how much a large table grows, in percent */
} whorl_table;

static inline uint64_t whorl_table_limit(const whorl_table *t, uint64_t size) {
  return size / 100 * t->load;
}

static bool whorl_table_init(whorl_table *t, whorl_account *account, uint64_t most, unsigned load,
                             unsigned growth) {
  t->size = 16384;
  t->length = t->size + WHORL_TABLE_TAIL;
  t->count = 0;
  t->load = load;
  t->growth = growth;
  t->limit = whorl_table_limit(t, t->size);
  if (!whorl_region_init(&t->memory, account, most / load * (100 + growth) * 8)) return false;
  t->slots = (uint64_t *)(void *)t->memory.base;
  return whorl_region_commit(&t->memory, t->length * 8);
}

static inline void whorl_table_free(whorl_table *t) { whorl_region_free(&t->memory); }

/* Where the search for entries with the upper half of `entry` begins. */
static inline uint64_t whorl_table_home(const whorl_table *t, uint64_t entry) {
  return whorl_product_above(entry >> 32, t->size, 32);
}

static inline void whorl_table_prefetch(const whorl_table *t, uint64_t entry) {
  __builtin_prefetch(&t->slots[whorl_table_home(t, entry)]);
}

/* Grows to `size` homes, in place. */
static bool whorl_table_resize(whorl_table *t, uint64_t size) {
  assert(size > t->size);
  uint64_t length = t->length + (size - t->size) + 1;
  if (!whorl_region_commit(&t->memory, length * 8)) return false;
  uint64_t *slots = t->slots;
  uint64_t first = length; /* slots[first..] are the entries, without gaps */
  for (uint64_t i = t->length; i-- > 0;) {
    uint64_t entry = slots[i];
    slots[first - 1] = entry; /* first - 1 >= i: nothing unread is lost */
    first -= entry != 0;
  }
  assert(length - first == t->count);
  t->size = size;
  t->length = length;
  t->limit = whorl_table_limit(t, size);
  uint64_t next = 0; /* slots[..next] are laid out */
  for (uint64_t i = first; i < length; i++) {
    uint64_t entry = slots[i];
    uint64_t home = whorl_table_home(t, entry);
    while (next < home) slots[next++] = 0;
    assert(next <= i);
    slots[next++] = entry;
  }
  assert(next < length);
  memset(slots + next, 0, (length - next) * 8);
  return true;
}

static bool whorl_table_grow(whorl_table *t, uint64_t more) {
  uint64_t size = t->size;
  do /* small tables cost nothing: double them */
    size = size < 100000 ? 2 * size : size + size / 100 * t->growth;
  while (whorl_table_limit(t, size) < t->count + more);
  return whorl_table_resize(t, size);
}

/* Room for `more` entries, and for each a slot more in the tail. */
static inline bool whorl_table_reserve(whorl_table *t, uint64_t more) {
  return (t->count + more <= t->limit || whorl_table_grow(t, more)) &&
         whorl_region_commit(&t->memory, (t->length + more) * 8);
}

/* Puts an entry at the slot where the search for it ended; greater ones move up. */
static inline void whorl_table_insert(whorl_table *t, uint64_t slot, uint64_t entry) {
  assert(entry != 0 && t->count < t->limit);
  uint64_t *slots = t->slots;
  while (entry) {
    uint64_t displaced = slots[slot];
    slots[slot++] = entry;
    entry = displaced;
  }
  t->count++;
  if (slot + WHORL_TABLE_WINDOW > t->length) t->length = slot + WHORL_TABLE_WINDOW;
  assert(t->length * 8 <= t->memory.committed);
}

/* The first slot from `slot` on that is empty or whose entry is not less than `least`.
 *
 * How many slots that takes is random, so a plain loop mispredicts its end nearly every time. The
 * first few are counted without a branch instead: where one is not less, none after it is (an empty
 * slot counts as not less, because 0 - 1 is the greatest number). */
static inline uint64_t whorl_table_seek(const whorl_table *t, uint64_t slot, uint64_t least) {
  const uint64_t *slots = t->slots + slot;
  uint64_t bound = least - (least != 0);
  unsigned less = 0;
#pragma GCC unroll 8
  for (unsigned i = 0; i < WHORL_TABLE_WINDOW; i++) less += slots[i] - 1 < bound;
  slots += less;
  if (__builtin_expect(less == WHORL_TABLE_WINDOW, 0))
    while (*slots - 1 < bound) slots++;
  return (uint64_t)(slots - t->slots);
}

/* For entries whose whole value is their identity: where to look for one. Its slot has been
 * prefetched; if it is new, what has to move up is prefetched too. */
static inline uint64_t whorl_table_find(const whorl_table *t, uint64_t entry) {
  uint64_t slot = whorl_table_seek(t, whorl_table_home(t, entry), entry);
  if (t->slots[slot] != entry) {
    __builtin_prefetch(&t->slots[slot + 8], 1);
    __builtin_prefetch(&t->slots[slot + 16], 1);
  }
  return slot;
}

/* Adds such an entry; `slot` is what whorl_table_find gave, if the table has not grown since:
 * insertions only move entries up. Whether it is new. */
static inline bool whorl_table_add(whorl_table *t, uint64_t slot, uint64_t entry) {
  assert(entry != 0);
  while (t->slots[slot] - 1 < entry - 1) slot++;
  if (t->slots[slot] == entry) return false;
  whorl_table_insert(t, slot, entry);
  return true;
}

#endif
