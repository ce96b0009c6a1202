/* States side by side, which several threads add to: what arena.h is for one.
 *
 *   arena   | a thread's block | another's block | ...         records (record.h), in the order of arrival
 *
 * A reference is the place of a record, in words, whether states are packed or not. It has up to 38 bits:
 * 2 TiB of states. A thread writes a state to its block, and keeps it if it turns out to be new. There are no
 * parents: the way back is in the threads' own logs (frontier.h, levels.h).
 */
#ifndef WHORL_SHARED_ARENA_H
#define WHORL_SHARED_ARENA_H

#include "store/record.h"
#include "store/shared.h"

#define WHORL_MOST_STATES (UINT64_C(0xfffffffe)) /* of the log of a thread */
#define WHORL_ARENA_BITS 38                      /* of a reference */
#ifndef WHORL_ARENA_BLOCK
#define WHORL_ARENA_BLOCK (WHORL_WORDS <= 30 ? 512 : 16 * (WHORL_WORDS + 1)) /* words */
#endif
#define WHORL_ARENA_SMALL 1024 /* blocks: fewer cost nothing, and are doubled */

typedef uint64_t whorl_arena_ref;

typedef struct {
  whorl_stock stock; /* of blocks */
  whorl_region memory;
  _Alignas(WHORL_LINE) _Atomic uint64_t blocks; /* that somebody writes or has written to */
} whorl_arena_core;

/* A thread's view. */
typedef struct {
  uint64_t *at;         /* records, by reference */
  uint64_t next, end;   /* what is left of the thread's block */
  whorl_arena_ref last; /* the reference of the state written last */
  whorl_arena_core *core;
  uint64_t lease; /* of blocks */
} whorl_arena;

/* The first view, of no states. */
static bool whorl_arena_init(whorl_arena *a, whorl_account *account) {
  memset(a, 0, sizeof *a);
  a->core = (whorl_arena_core *)aligned_alloc(WHORL_LINE, sizeof *a->core);
  if (!a->core) return false;
  memset(a->core, 0, sizeof *a->core);
  if (!whorl_region_init(&a->core->memory, account, (size_t)8 << WHORL_ARENA_BITS)) return false;
  a->at = (uint64_t *)(void *)a->core->memory.base;
  return true;
}

/* For one more thread. */
static inline void whorl_arena_view(whorl_arena *a, const whorl_arena *of) {
  *a = *of;
  a->next = a->end = a->lease = 0;
}

/* Frees all; other views are of no use any more. */
static inline void whorl_arena_free(whorl_arena *a) {
  if (!a->core) return;
  whorl_region_free(&a->core->memory);
  free(a->core);
  a->core = NULL;
}

static inline size_t whorl_arena_bytes(const whorl_arena *a) {
  return atomic_load_explicit(&a->core->blocks, memory_order_relaxed) * WHORL_ARENA_BLOCK * 8;
}

/* Room for `more` states; false if it takes a barrier. At the end of each block some words may be left. */
static inline bool whorl_arena_reserve(whorl_arena *a, uint64_t more) {
  uint64_t least = WHORL_ARENA_BLOCK - WHORL_RECORD_MOST + 1;
  return whorl_stock_lease(&a->core->stock, &a->lease, more * WHORL_RECORD_MOST / least + 1);
}

static inline void whorl_arena_prefetch(const whorl_arena *a, whorl_arena_ref ref) {
  whorl_record_prefetch(&a->at[ref]);
}

static inline bool whorl_arena_equal(const whorl_arena *a, whorl_arena_ref ref,
                                     const whorl_state *s) {
  return whorl_record_equal(&a->at[ref], s);
}

/* The state at a reference; where it is packed it is unpacked to `room`. */
static inline const whorl_state *whorl_arena_state(const whorl_arena *a, whorl_arena_ref ref,
                                                   whorl_state *room) {
  return whorl_record_state(&a->at[ref], room);
}

/* Where the next record of a block is, if there is one behind this one. */
static inline whorl_arena_ref whorl_arena_behind(const whorl_arena *a, whorl_arena_ref ref) {
  return ref + whorl_record_words(&a->at[ref]);
}

static __attribute__((noinline)) void whorl_arena_begin_block(whorl_arena *a) {
  assert(a->lease > 0);
  uint64_t block = atomic_fetch_add_explicit(&a->core->blocks, 1, memory_order_relaxed);
  a->lease--;
  a->next = block * WHORL_ARENA_BLOCK;
  a->end = a->next + WHORL_ARENA_BLOCK;
}

/* Writes a state, over the one written before if that has not been kept. */
static inline whorl_arena_ref whorl_arena_write(whorl_arena *a, const whorl_state *s) {
  if (a->end - a->next < WHORL_RECORD_MOST) whorl_arena_begin_block(a);
  whorl_record_write(&a->at[a->next], s, 0);
  return a->last = a->next;
}

/* Keeps the state written last. */
static inline void whorl_arena_keep(whorl_arena *a) {
  a->next += whorl_record_words(&a->at[a->last]);
}

/* The steps of a barrier (shared_roots.h). */
static inline void whorl_arena_return(whorl_arena *a) {
  whorl_stock_return(&a->core->stock, &a->lease);
}

/* Makes room for so many threads. Whether there is memory. */
static bool whorl_arena_begin(whorl_arena *a, uint64_t threads, uint64_t least) {
  whorl_arena_core *core = a->core;
  if (whorl_stock_suffices(&core->stock, threads, least)) return true;
  uint64_t most = ((UINT64_C(1) << WHORL_ARENA_BITS) - 1) / WHORL_ARENA_BLOCK;
  uint64_t limit = core->stock.limit, blocks = whorl_stock_target(&core->stock, threads, least);
  blocks += limit < WHORL_ARENA_SMALL ? limit : limit / 16;
  core->memory.account->refused = WHORL_NO_ROOM;
  if (blocks > most) return false;
  if (!whorl_region_commit(&core->memory, blocks * WHORL_ARENA_BLOCK * 8)) return false;
  core->stock.limit = blocks;
  return true;
}

static inline void whorl_arena_end(whorl_arena *a) {
  atomic_store_explicit(&a->core->stock.wanted, 0, memory_order_relaxed);
}

#endif
