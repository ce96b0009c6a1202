/* What ends a verifier before it is done, from wherever it is.
 *
 * Most limits are looked at between two expansions, where a search simply returns. But memory may
 * be refused in the middle of anything, and an atomic sequence may be walked for hours without the
 * search being asked. So these end the process at once: the verifier prints its figures and exits
 * (whorl_at_stop, set by main). Nothing has to be undone, since everything goes with the process.
 */
#ifndef WHORL_STOP_H
#define WHORL_STOP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef enum {
  WHORL_COMPLETE,
  WHORL_STOP_STATES,
  WHORL_STOP_MEMORY,
  WHORL_STOP_TIME,
  WHORL_STOP_INTERRUPTED,
  WHORL_STOP_VIOLATION
} whorl_stop;

static const char *const whorl_stop_names[] = {"null",     "\"states\"",      "\"memory\"",
                                               "\"time\"", "\"interrupted\"", "\"violation\""};

/* Why memory was refused: our own numbers do not reach further, the limit that was asked for, or
 * the system (an address-space limit, for example). */
typedef enum { WHORL_NO_ROOM, WHORL_OVER_LIMIT, WHORL_BY_SYSTEM } whorl_refusal;

static const char *const whorl_refusal_names[] = {"room", "limit", "system"};

/* What several threads change, if there are several. */
#if defined WHORL_THREADS && WHORL_THREADS
#define WHORL_ATOMIC _Atomic
#else
#define WHORL_ATOMIC
#endif

/* Counts what is in use, and refuses what goes over its limit. */
typedef struct {
  size_t limit;
  WHORL_ATOMIC size_t committed;
  WHORL_ATOMIC whorl_refusal refused; /* the last time */
} whorl_account;

static whorl_account *whorl_heap;             /* what the heap counts for, or NULL */
static void (*whorl_at_stop)(whorl_stop why); /* does not return; NULL: there is no main */
static whorl_stop (*whorl_should_stop)(void); /* looks at the clock and for signals, or NULL */

static __attribute__((noinline, noreturn)) void whorl_give_up(whorl_stop why) {
  if (whorl_at_stop) whorl_at_stop(why);
  abort();
}

static __attribute__((noinline, noreturn)) void whorl_refuse(whorl_refusal why) {
  if (whorl_heap) whorl_heap->refused = why;
  whorl_give_up(WHORL_STOP_MEMORY);
}

/* As realloc, from `before` bytes to `size`; where that is refused the verifier ends. */
static __attribute__((noinline)) void *whorl_grown(void *memory, size_t before, size_t size) {
  if (whorl_heap && size > before && whorl_heap->committed + (size - before) > whorl_heap->limit)
    whorl_refuse(WHORL_OVER_LIMIT);
  void *grown = realloc(memory, size ? size : 1);
  if (!grown) whorl_refuse(WHORL_BY_SYSTEM);
  if (whorl_heap) whorl_heap->committed += size - before;
  return grown;
}

static inline void *whorl_taken(size_t size) { return whorl_grown(NULL, 0, size); }

/* As free, of so many bytes. */
static inline void whorl_given_back(void *memory, size_t size) {
  if (whorl_heap && memory) whorl_heap->committed -= size;
  free(memory);
}

#endif
