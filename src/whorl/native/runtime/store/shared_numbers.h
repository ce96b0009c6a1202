/* Root pairs with numbers, which several threads add to, and a row of bits beside each.
 *
 * A search for cycles asks for more than whether a state is new: it comes back to states, and keeps
 * colours for them. So a root has a number, which never changes.
 *
 *   pairs   | a thread's block | another's block | ...         by number
 *   rows    | bits             | bits            | ...         by number, zero at first
 *   index   | 0 | hash : 32, number + 1 : 32 | 0 | ...         as that of nodes (shared_nodes.h)
 *
 * A thread writes a pair to the next number of its block, and then swaps an entry for the first empty
 * slot from the home of its hash on. If somebody else has filled the slot with the same pair, the number
 * is left for another one. So numbers are dense, but for what is left of the blocks.
 */
#ifndef WHORL_SHARED_NUMBERS_H
#define WHORL_SHARED_NUMBERS_H

#include "store/shared_nodes.h"

#ifndef WHORL_NUMBER_BLOCK
#define WHORL_NUMBER_BLOCK 64
#endif
#define WHORL_MOST_NUMBERS UINT64_C(0xfffffffe)

typedef struct {
  whorl_index_core index;
  whorl_stock stock; /* of blocks */
  whorl_region pairs;
  whorl_region rows;
  size_t row; /* bytes of one */
  _Alignas(WHORL_LINE) _Atomic uint64_t blocks;
} whorl_numbers_core;

/* A thread's view. */
typedef struct {
  uint64_t *pairs;    /* by number */
  uint64_t next, end; /* what is left of the thread's block */
  whorl_index_layout index;
  whorl_numbers_core *core;
  uint64_t lease;  /* of entries */
  uint64_t blocks; /* leased */
} whorl_numbers;

/* The first view, of no numbers, with rows of so many bytes. */
static bool whorl_numbers_init(whorl_numbers *n, whorl_account *account, size_t row) {
  memset(n, 0, sizeof *n);
  n->core = (whorl_numbers_core *)aligned_alloc(WHORL_LINE, sizeof *n->core);
  if (!n->core) return false;
  memset(n->core, 0, sizeof *n->core);
  n->core->row = row;
  if (!whorl_region_init(&n->core->pairs, account, WHORL_MOST_NUMBERS * 8) ||
      !whorl_region_init(&n->core->rows, account, WHORL_MOST_NUMBERS * row) ||
      !whorl_index_init(&n->core->index, account, WHORL_INDEX_LOAD, WHORL_INDEX_GROWTH))
    return false;
  n->pairs = (uint64_t *)(void *)n->core->pairs.base;
  n->index = n->core->index.layout;
  return true;
}

/* For one more thread. */
static inline void whorl_numbers_view(whorl_numbers *n, const whorl_numbers *of) {
  *n = *of;
  n->lease = n->blocks = n->next = n->end = 0;
}

/* Frees all; other views are of no use any more. */
static inline void whorl_numbers_free(whorl_numbers *n) {
  if (!n->core) return;
  whorl_region_free(&n->core->index.memory);
  whorl_region_free(&n->core->pairs);
  whorl_region_free(&n->core->rows);
  free(n->core);
  n->core = NULL;
}

static inline size_t whorl_numbers_bytes(const whorl_numbers *n) {
  uint64_t blocks = atomic_load_explicit(&n->core->blocks, memory_order_relaxed);
  return n->core->index.layout.size * 8 + blocks * WHORL_NUMBER_BLOCK * (8 + n->core->row);
}

static inline char *whorl_numbers_row(const whorl_numbers *n, uint32_t number) {
  return n->core->rows.base + number * n->core->row;
}

/* Room for so many more; false if it takes a barrier. */
static inline bool whorl_numbers_reserve(whorl_numbers *n, uint64_t more) {
  uint64_t blocks = (more + WHORL_NUMBER_BLOCK - 1) / WHORL_NUMBER_BLOCK;
  return whorl_stock_lease(&n->core->index.stock, &n->lease, more) &
         whorl_stock_lease(&n->core->stock, &n->blocks, blocks);
}

static inline void whorl_numbers_prefetch(const whorl_numbers *n, uint64_t hash) {
  __builtin_prefetch((const void *)&n->index.slots[whorl_index_home(&n->index, hash)]);
}

/* The first entry of the upper half of a hash, or 0. */
static inline uint64_t whorl_numbers_first(const whorl_numbers *n, uint64_t hash) {
  uint64_t slot = whorl_index_home(&n->index, hash), entry;
  while ((entry = whorl_index_slot(&n->index, slot)) && entry >> 32 != hash >> 32)
    slot = whorl_index_next(&n->index, slot);
  return entry;
}

static __attribute__((noinline)) void whorl_numbers_begin_block(whorl_numbers *n) {
  assert(n->blocks > 0);
  uint64_t block = atomic_fetch_add_explicit(&n->core->blocks, 1, memory_order_relaxed);
  n->blocks--;
  n->next = block * WHORL_NUMBER_BLOCK;
  n->end = n->next + WHORL_NUMBER_BLOCK;
}

/* The number of a pair, a new one if need be. There has to be room. */
static inline uint32_t whorl_numbers_find(whorl_numbers *n, uint64_t pair, uint64_t hash) {
  uint64_t slot = whorl_index_home(&n->index, hash), own = 0;
  for (;; slot = whorl_index_next(&n->index, slot)) {
    uint64_t entry = whorl_index_slot(&n->index, slot);
    if (entry == 0) {
      if (own == 0) {
        if (n->next == n->end) whorl_numbers_begin_block(n);
        assert(n->lease > 0);
        n->pairs[n->next] = pair;
        own = hash >> 32 << 32 | (n->next + 1);
      }
      entry = whorl_index_put(&n->index, slot, own);
      if (entry == 0) {
        n->lease--;
        return (uint32_t)n->next++;
      }
    }
    uint32_t number = (uint32_t)entry - 1;
    if (entry >> 32 == hash >> 32 && n->pairs[number] == pair) return number;
  }
}

/* The steps of a barrier (shared_roots.h). */
static inline void whorl_numbers_return(whorl_numbers *n) {
  whorl_stock_return(&n->core->index.stock, &n->lease);
  whorl_stock_return(&n->core->stock, &n->blocks);
}

/* Begins to make room for so many threads. Whether there is memory. */
static bool whorl_numbers_begin(whorl_numbers *n, uint64_t threads, uint64_t least) {
  whorl_numbers_core *core = n->core;
  uint64_t wanted = atomic_load_explicit(&core->stock.wanted, memory_order_relaxed);
  if (wanted < least) wanted = least;
  uint64_t blocks = core->stock.limit, used = whorl_stock_taken(&core->stock) + threads * wanted;
  if (used > blocks) blocks = used + blocks / 16;
  core->pairs.account->refused = WHORL_NO_ROOM;
  if (blocks * WHORL_NUMBER_BLOCK > WHORL_MOST_NUMBERS) return false;
  if (!whorl_region_commit(&core->pairs, blocks * WHORL_NUMBER_BLOCK * 8) ||
      !whorl_region_commit(&core->rows, blocks * WHORL_NUMBER_BLOCK * core->row))
    return false;
  blocks = core->pairs.committed / 8 / WHORL_NUMBER_BLOCK; /* what there is by now */
  if (blocks > core->rows.committed / core->row / WHORL_NUMBER_BLOCK)
    blocks = core->rows.committed / core->row / WHORL_NUMBER_BLOCK;
  if (blocks > WHORL_MOST_NUMBERS / WHORL_NUMBER_BLOCK)
    blocks = WHORL_MOST_NUMBERS / WHORL_NUMBER_BLOCK;
  core->stock.limit = blocks;
  return whorl_index_begin(&core->index, threads, least);
}

static inline bool whorl_numbers_moves(const whorl_numbers *n) {
  return n->core->index.old_memory.base != NULL;
}

static inline void whorl_numbers_move(whorl_numbers *n) { whorl_index_move(&n->core->index); }

static inline void whorl_numbers_end(whorl_numbers *n) {
  atomic_store_explicit(&n->core->stock.wanted, 0, memory_order_relaxed);
  whorl_index_end(&n->core->index);
}

static inline void whorl_numbers_look(whorl_numbers *n) { n->index = n->core->index.layout; }

#endif
