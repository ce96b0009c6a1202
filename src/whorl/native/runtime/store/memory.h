/* Memory that grows in place.
 *
 * A region reserves addresses for all that it may ever hold and commits pages as they are needed.
 * So nothing moves when it grows: no copy, no moment at which the old and the new are both there,
 * and pointers into it stay good. Pages are huge where the system gives them: a search touches
 * memory at random, and with small pages nearly every touch would also miss the TLB.
 *
 * An account (stop.h) counts what all regions have committed and refuses what goes over its limit,
 * so that a search can stop with its figures rather than be killed. Where the address space itself
 * is limited (ulimit -v), what is reserved would count, too. There regions are placed far apart,
 * each with a first chunk that keeps its place, and the rest is mapped as it is needed.
 */
#ifndef WHORL_MEMORY_H
#define WHORL_MEMORY_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "model/context.h"

#define WHORL_CHUNK ((size_t)2 << 20) /* the size of a huge page */

/* Where regions are placed, and how far apart: no program and no library is there. */
#define WHORL_APART ((size_t)1 << 41)
#define WHORL_APART_FROM ((uintptr_t)8 << 41)
#define WHORL_APART_TO ((uintptr_t)40 << 41)

typedef struct {
  char *base;
  size_t reserved;
  size_t committed;
  whorl_account *account;
  size_t mapped; /* of a region that is placed: what the system has given */
  bool placed;   /* rather than reserved */
} whorl_region;

static inline size_t whorl_round_up(size_t size, size_t to) { return (size + to - 1) / to * to; }

/* The most addresses that this process may have; SIZE_MAX: as many as there are. */
static size_t whorl_address_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return (size_t)limit.rlim_cur;
}

/* Maps pages at an address where nothing is; false where the system does not. */
static bool whorl_map_at(char *address, size_t size) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  char *found = (char *)mmap(address, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (found == address) return true;
  if (found != (char *)MAP_FAILED) munmap(found, size);
  return false;
}

/* Finds a region far from others without reserving it: where the address space is limited, what is
 * only reserved would count. */
static bool whorl_region_place(whorl_region *r, size_t size) {
  for (uintptr_t at = WHORL_APART_FROM; at < WHORL_APART_TO; at += WHORL_APART) {
    char *base = (char *)at;
    if (!whorl_map_at(base, WHORL_CHUNK)) continue;
    /* The first chunk keeps the place; it is there, but its pages are not in use. */
    r->base = base;
    r->mapped = WHORL_CHUNK;
    r->reserved = size < WHORL_APART ? size : WHORL_APART;
    r->placed = true;
    return true;
  }
  return false;
}

/* Reserves up to `size` bytes of addresses: less where the system has a limit on them. */
static bool whorl_region_init(whorl_region *r, whorl_account *account, size_t size) {
  memset(r, 0, sizeof *r);
  r->account = account;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
  flags |= MAP_NORESERVE;
#endif
  size = whorl_round_up(size, WHORL_CHUNK);
  if (whorl_address_limit() < WHORL_APART && whorl_region_place(r, size)) return true;
  for (; size >= WHORL_CHUNK; size = whorl_round_up(size / 2, WHORL_CHUNK)) {
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
  account->refused = WHORL_BY_SYSTEM;
  return false;
}

/* Makes the first `size` bytes of a region usable, beyond those that are. */
static bool whorl_region_map(whorl_region *r, size_t size) {
  if (!r->placed)
    return mprotect(r->base + r->committed, size - r->committed, PROT_READ | PROT_WRITE) == 0;
  if (size <= r->mapped) return true;
  if (!whorl_map_at(r->base + r->mapped, size - r->mapped)) return false;
  r->mapped = size;
  return true;
}

/* Makes the first `size` bytes usable; new ones are zero. False where the limit or the machine
 * does not allow it; then nothing has changed, and the account says why. */
static bool whorl_region_extend(whorl_region *r, size_t size) {
  size_t target = whorl_round_up(size, WHORL_CHUNK);
  size_t more = target - r->committed;
  r->account->refused = WHORL_NO_ROOM;
  if (target > r->reserved) return false;
  r->account->refused = WHORL_OVER_LIMIT;
  if (r->account->committed + more > r->account->limit) return false;
  r->account->refused = WHORL_BY_SYSTEM;
  if (!whorl_region_map(r, target)) return false;
  r->account->refused = WHORL_NO_ROOM;
  r->committed = target;
  r->account->committed += more;
  return true;
}

static inline bool whorl_region_commit(whorl_region *r, size_t size) {
  return size <= r->committed || whorl_region_extend(r, size);
}

static inline void whorl_region_free(whorl_region *r) {
  if (r->base) {
    munmap(r->base, r->placed ? r->mapped : r->reserved);
    r->account->committed -= r->committed;
  }
  r->base = NULL;
}

#endif
