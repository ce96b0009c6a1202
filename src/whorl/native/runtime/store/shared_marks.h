/* A bit beside each place of a table that several threads add to.
 *
 *   words   | 16 places | 16 places | ...       in memory of their own
 *
 * So the table is as it is without, and is looked at as before: a mark is set where something is known of
 * a key, and asked for much less often than a key. There are none before they are begun; pages in which
 * nothing is set are not there.
 *
 * A mark is never taken back while several threads look. What was done before it was set is seen by whoever
 * sees it.
 */
#ifndef WHORL_SHARED_MARKS_H
#define WHORL_SHARED_MARKS_H

#include "store/shared.h"

#define WHORL_NOWHERE UINT64_MAX /* no place */
#define WHORL_MARKS 16           /* places of a word */

typedef _Atomic uint16_t whorl_mark_word;

static inline whorl_mark_word *whorl_marks_words(const whorl_region *memory) {
  return (whorl_mark_word *)(void *)memory->base;
}

static inline size_t whorl_marks_size(uint64_t places) {
  return places / WHORL_MARKS * sizeof(whorl_mark_word) + sizeof(whorl_mark_word);
}

/* None is set. Whether there is memory. */
static bool whorl_marks_init(whorl_region *memory, whorl_account *account, uint64_t places) {
  return whorl_region_init(memory, account, whorl_marks_size(places)) &&
         whorl_region_commit(memory, whorl_marks_size(places));
}

static inline bool whorl_mark_get(const whorl_mark_word *words, uint64_t place) {
  uint16_t word =
      atomic_load_explicit((whorl_mark_word *)&words[place / WHORL_MARKS], memory_order_acquire);
  return word >> place % WHORL_MARKS & 1;
}

/* Also where others set marks of the same word. */
static inline void whorl_mark_set(whorl_mark_word *words, uint64_t place) {
  whorl_give_way();
  atomic_fetch_or_explicit(&words[place / WHORL_MARKS], (uint16_t)(1u << place % WHORL_MARKS),
                           memory_order_release);
}

/* The same where nobody else is at work on this word. */
static inline void whorl_mark_set_own(whorl_mark_word *words, uint64_t place) {
  whorl_mark_word *word = &words[place / WHORL_MARKS];
  uint32_t before = atomic_load_explicit(word, memory_order_relaxed);
  atomic_store_explicit(word, (uint16_t)(before | 1u << place % WHORL_MARKS), memory_order_relaxed);
}

/* While there is one thread. */
static inline void whorl_mark_clear(whorl_mark_word *words, uint64_t place) {
  atomic_fetch_and_explicit(&words[place / WHORL_MARKS], (uint16_t)~(1u << place % WHORL_MARKS),
                            memory_order_relaxed);
}

#endif
