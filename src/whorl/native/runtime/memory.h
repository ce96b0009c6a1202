/* Memory that grows in place.
 *
 * A region reserves addresses for all that it may ever hold and commits pages as they are needed.
 * So nothing moves when it grows: no copy, no moment at which the old and the new are both there,
 * and pointers into it stay good. Pages are huge where the system gives them: a search touches
 * memory at random, and with small pages nearly every touch would also miss the TLB.
 *
 * An account counts what all regions have committed and refuses what goes over its limit, so that
 * a search can stop with its figures rather than be killed.
 */
#ifndef WHORL_MEMORY_H
#define WHORL_MEMORY_H

#include <stddef.h>
#include <sys/mman.h>

#include "context.h"

#define WHORL_CHUNK ((size_t)2 << 20) /* the size of a huge page */

typedef struct {
  size_t limit;
  size_t committed;
} whorl_account;

typedef struct {
  char *base;
  size_t reserved;
  size_t committed;
  whorl_account *account;
} whorl_region;

static inline size_t whorl_round_up(size_t size, size_t to) { return (size + to - 1) / to * to; }

/* Reserves up to `size` bytes of addresses: less where the system has a limit on them. */
static bool whorl_region_init(whorl_region *r, whorl_account *account, size_t size) {
  memset(r, 0, sizeof *r);
  r->account = account;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
  flags |= MAP_NORESERVE;
#endif
  for (size = whorl_round_up(size, WHORL_CHUNK); size >= WHORL_CHUNK;
       size = whorl_round_up(size / 2, WHORL_CHUNK)) {
    void *address = mmap(NULL, size + WHORL_CHUNK, PROT_NONE, flags, -1, 0);
    if (address != MAP_FAILED) {
      r->base = (char *)(((uintptr_t)address + WHORL_CHUNK - 1) & ~(uintptr_t)(WHORL_CHUNK - 1));
      r->reserved = size;
#ifdef MADV_HUGEPAGE
      /* The first chunk keeps small pages: a small model should not wait for zeros. */
      (void)madvise(r->base + WHORL_CHUNK, size - WHORL_CHUNK, MADV_HUGEPAGE);
#endif
      return true;
    }
    if (size == WHORL_CHUNK) break;
  }
  return false;
}

/* Makes the first `size` bytes usable; new ones are zero. False where the limit or the machine
 * does not allow it; then nothing has changed. */
static bool whorl_region_extend(whorl_region *r, size_t size) {
  size_t target = whorl_round_up(size, WHORL_CHUNK);
  size_t more = target - r->committed;
  if (target > r->reserved) return false;
  if (more > r->account->limit - r->account->committed) return false;
  if (mprotect(r->base + r->committed, more, PROT_READ | PROT_WRITE) != 0) return false;
  r->committed = target;
  r->account->committed += more;
  return true;
}

static inline bool whorl_region_commit(whorl_region *r, size_t size) {
  return size <= r->committed || whorl_region_extend(r, size);
}

static inline void whorl_region_free(whorl_region *r) {
  if (r->base) {
    munmap(r->base, r->reserved);
    r->account->committed -= r->committed;
  }
  r->base = NULL;
}

#endif
