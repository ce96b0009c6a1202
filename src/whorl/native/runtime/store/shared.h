/* What stores that several threads add to have in common: atomics, locks, and leases.
 *
 * Threads meet only where a table has to grow (barrier.h). In between everybody adds with
 * compare-and-swap, and nothing ever moves or goes away. That there is room is known beforehand: a
 * thread takes a lease of some of what is left and uses it up without asking anybody. Where too little
 * is left there is a barrier, at which all leases are given back.
 *
 * A thread has a view of each table: where it is, and how large, as of the last barrier. What can
 * change between barriers is in the table's core, which the threads have together.
 *
 * With WHORL_STRESS threads give way at random before they change anything, so that what could happen
 * does happen in tests.
 */
#ifndef WHORL_SHARED_H
#define WHORL_SHARED_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "store/memory.h"

#define WHORL_LINE 64 /* bytes that a core has or has not */

#ifdef __SANITIZE_THREAD__
#define WHORL_WATCHED 1 /* every access to what others may change has to be atomic */
#else
#define WHORL_WATCHED 0
#endif

#ifdef WHORL_STRESS
static _Thread_local uint64_t whorl_stress_state;

/* Perhaps somebody else runs first. */
static inline void whorl_give_way(void) {
  if (whorl_stress_state == 0) whorl_stress_state = (uint64_t)(uintptr_t)&whorl_stress_state | 1;
  whorl_stress_state ^= whorl_stress_state << 13;
  whorl_stress_state ^= whorl_stress_state >> 7;
  whorl_stress_state ^= whorl_stress_state << 17;
  if (whorl_stress_state % WHORL_STRESS == 0) sched_yield();
}
#else
#define whorl_give_way() ((void)0)
#endif

#ifndef WHORL_LEASE
#define WHORL_LEASE 4096 /* as much is taken at a time, at most */
#endif

/* What there is of something, and what has been taken of it. */
typedef struct {
  _Alignas(WHORL_LINE) _Atomic uint64_t taken; /* used or leased */
  uint64_t limit;                              /* changes at barriers only */
  _Atomic uint64_t wanted;                     /* the most that somebody could not get */
} whorl_stock;

/* Takes `need`, or somewhat more if there is plenty; how much. Zero: there is not enough, and a barrier
 * has to see to it. */
static inline uint64_t whorl_stock_take(whorl_stock *s, uint64_t need) {
  uint64_t taken = atomic_load_explicit(&s->taken, memory_order_relaxed);
  for (;;) {
    uint64_t left = s->limit > taken ? s->limit - taken : 0, more = left / 64;
    if (more > WHORL_LEASE) more = WHORL_LEASE;
    if (left < need) break;
    if (more < need) more = need;
    whorl_give_way();
    if (atomic_compare_exchange_weak_explicit(&s->taken, &taken, taken + more, memory_order_relaxed,
                                              memory_order_relaxed))
      return more;
  }
  uint64_t wanted = atomic_load_explicit(&s->wanted, memory_order_relaxed);
  while (wanted < need &&
         !atomic_compare_exchange_weak_explicit(&s->wanted, &wanted, need, memory_order_relaxed,
                                                memory_order_relaxed))
    continue;
  return 0;
}

/* Gives back what was not used. */
static inline void whorl_stock_return(whorl_stock *s, uint64_t *lease) {
  atomic_fetch_sub_explicit(&s->taken, *lease, memory_order_relaxed);
  *lease = 0;
}

/* Makes a lease of a thread at least as large as it needs. */
static inline bool whorl_stock_lease(whorl_stock *s, uint64_t *lease, uint64_t need) {
  if (__builtin_expect(*lease >= need, 1)) return true;
  uint64_t more = whorl_stock_take(s, need - *lease);
  *lease += more;
  return more > 0;
}

static inline uint64_t whorl_stock_taken(const whorl_stock *s) {
  return atomic_load_explicit((_Atomic uint64_t *)&s->taken, memory_order_relaxed);
}

/* At a barrier: the least limit at which so many threads can get what they wanted, and at least `least`. */
static inline uint64_t whorl_stock_target(const whorl_stock *s, uint64_t threads, uint64_t least) {
  uint64_t wanted = atomic_load_explicit((_Atomic uint64_t *)&s->wanted, memory_order_relaxed);
  if (wanted < least) wanted = least;
  return whorl_stock_taken(s) + threads * wanted;
}

/* Whether it is no less. */
static inline bool whorl_stock_suffices(const whorl_stock *s, uint64_t threads, uint64_t least) {
  return whorl_stock_target(s, threads, least) <= s->limit;
}

/* The memory of a table of another size. Both are there while what is in one goes to the other, chunk
 * by chunk; a chunk that has been moved is given back at once. So the account counts the new one
 * alone. */
static bool whorl_region_succeed(whorl_region *fresh, whorl_region *before, size_t size) {
  whorl_account *account = before->account;
  account->committed -= before->committed;
  if (!whorl_region_init(fresh, account, size) || !whorl_region_commit(fresh, size)) {
    if (fresh->base) whorl_region_free(fresh);
    account->committed += before->committed;
    return false;
  }
  return true;
}

/* It is not to be, after all. */
static inline void whorl_region_recede(whorl_region *fresh, const whorl_region *before) {
  whorl_region_free(fresh);
  before->account->committed += before->committed;
}

/* The chunk of a region at `at` is not needed any more. */
static inline void whorl_region_discard(whorl_region *r, size_t at, size_t size) {
  (void)madvise(r->base + at, size, MADV_DONTNEED);
}

/* The rest of a region that has been succeeded goes away. */
static inline void whorl_region_end(whorl_region *r) {
  r->account->committed += r->committed; /* which was not counted any more */
  whorl_region_free(r);
}

#endif
