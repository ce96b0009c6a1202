/* The nodes of a tree that several threads add to: what nodes.h is for one.
 *
 *   arena   | a thread's block | another's block | ...         nodes, in the order of arrival in each
 *   index   | 0 | hash : 32, reference + 1 : 32 | 0 | ...      open addressing, linear probing
 *
 * A thread writes a node to a block of its own and then swaps an entry for the first empty place from the
 * home of its hash on. If somebody else has filled the place the search goes on from there, and may come
 * to the same node: then the own one is given up, before anybody has seen it. Entries are not in order,
 * unlike in table.h, since nothing may move; so an index is emptier.
 */
#ifndef WHORL_SHARED_NODES_H
#define WHORL_SHARED_NODES_H

#include "store/parts.h"
#include "store/shared_index.h"

#ifndef WHORL_NODE_BLOCK
#define WHORL_NODE_BLOCK (WHORL_WORDS <= 64 ? 512 : 8 * WHORL_WORDS) /* words */
#endif

typedef struct {
  whorl_index_core index;
  whorl_stock stock; /* of blocks */
  whorl_region arena;
  _Alignas(WHORL_LINE) _Atomic uint64_t blocks; /* that somebody writes or has written to */
} whorl_nodes_core;

/* A thread's view. */
typedef struct {
  uint64_t *at;       /* nodes, by reference */
  uint64_t next, end; /* what is left of the thread's block */
  whorl_index_layout index;
  whorl_nodes_core *core;
  uint64_t lease;  /* of entries */
  uint64_t blocks; /* leased */
} whorl_nodes;

/* The first view, of no nodes. References are to have so many bits at most. */
static bool whorl_nodes_init(whorl_nodes *n, whorl_account *account, unsigned most) {
  memset(n, 0, sizeof *n);
  n->core = (whorl_nodes_core *)aligned_alloc(WHORL_LINE, sizeof *n->core);
  if (!n->core) return false;
  memset(n->core, 0, sizeof *n->core);
  if (!whorl_region_init(&n->core->arena, account, (size_t)8 << most) ||
      !whorl_index_init(&n->core->index, account, WHORL_INDEX_LOAD, WHORL_INDEX_GROWTH))
    return false;
  n->at = (uint64_t *)(void *)n->core->arena.base;
  n->index = n->core->index.layout;
  return true;
}

/* Frees all; other views are of no use any more. */
static inline void whorl_nodes_free(whorl_nodes *n) {
  if (!n->core) return;
  whorl_region_free(&n->core->index.memory);
  whorl_region_free(&n->core->arena);
  free(n->core);
  n->core = NULL;
}

static inline size_t whorl_nodes_bytes(const whorl_nodes *n) {
  uint64_t blocks = atomic_load_explicit(&n->core->blocks, memory_order_relaxed);
  return (n->core->index.layout.size + blocks * WHORL_NODE_BLOCK) * 8;
}

/* How many blocks may be begun for nodes that have so many words together: at the end of each some may
 * be left over. */
static inline uint64_t whorl_nodes_blocks(uint64_t words) {
  uint64_t least = WHORL_NODE_BLOCK - WHORL_WORDS - WHORL_PLACES - 2 * WHORL_WINDOW_WORDS;
  return words / least + 1;
}

/* Room for so many more nodes, which have so many words together; false if it takes a barrier. */
static inline bool whorl_nodes_reserve(whorl_nodes *n, uint64_t more, uint64_t words) {
  return whorl_stock_lease(&n->core->index.stock, &n->lease, more) &
         whorl_stock_lease(&n->core->stock, &n->blocks, whorl_nodes_blocks(words));
}

static inline void whorl_nodes_prefetch(const whorl_nodes *n, uint64_t hash) {
  __builtin_prefetch((const void *)&n->index.slots[whorl_index_home(&n->index, hash)]);
}

/* The first entry of the upper half of a hash, or 0. */
static inline uint64_t whorl_nodes_first(const whorl_nodes *n, uint64_t hash) {
  uint64_t slot = whorl_index_home(&n->index, hash), entry;
  while ((entry = whorl_index_slot(&n->index, slot)) && entry >> 32 != hash >> 32)
    slot = whorl_index_next(&n->index, slot);
  return entry;
}

/* Begins another block. Windows may begin before a node and end behind it: not in another's block. */
static __attribute__((noinline)) void whorl_nodes_begin_block(whorl_nodes *n) {
  assert(n->blocks > 0);
  uint64_t block = atomic_fetch_add_explicit(&n->core->blocks, 1, memory_order_relaxed);
  n->blocks--;
  n->next = block * WHORL_NODE_BLOCK + WHORL_WINDOW_WORDS;
  n->end = (block + 1) * WHORL_NODE_BLOCK - WHORL_WINDOW_WORDS;
}

/* The entry of the node that has the part `p` of `bytes`, a new one if need be. */
static __attribute__((noinline)) uint64_t whorl_nodes_entry(whorl_nodes *n, const whorl_part *p,
                                                            const uint8_t *bytes, uint64_t hash) {
  uint64_t slot = whorl_index_home(&n->index, hash), own = 0;
  for (;; slot = whorl_index_next(&n->index, slot)) {
    uint64_t entry = whorl_index_slot(&n->index, slot);
    if (entry == 0) {
      if (own == 0) {
        if (n->end - n->next < p->words || n->end == 0) whorl_nodes_begin_block(n);
        assert(n->end - n->next >= p->words && n->lease > 0);
        memcpy(&n->at[n->next], bytes + p->first, p->bytes);
        own = hash >> 32 << 32 | (n->next + 1);
      }
      entry = whorl_index_put(&n->index, slot, own);
      if (entry == 0) {
        n->next += p->words;
        n->lease--;
        return own;
      }
    }
    if (entry >> 32 == hash >> 32 && whorl_part_equal(p, n->at + (uint32_t)entry - 1, bytes))
      return entry;
  }
}

/* The steps of a barrier (shared_roots.h). */
static inline void whorl_nodes_return(whorl_nodes *n) {
  whorl_stock_return(&n->core->index.stock, &n->lease);
  whorl_stock_return(&n->core->stock, &n->blocks);
}

/* The words of the arena once there are blocks enough for so many threads. */
static inline uint64_t whorl_nodes_target(const whorl_nodes *n, uint64_t threads, uint64_t least) {
  const whorl_stock *stock = &n->core->stock;
  uint64_t wanted = atomic_load_explicit((_Atomic uint64_t *)&stock->wanted, memory_order_relaxed);
  uint64_t blocks = stock->limit;
  if (wanted < least) wanted = least;
  if (whorl_stock_taken(stock) + threads * wanted > blocks)
    blocks = whorl_stock_taken(stock) + threads * wanted + blocks / 16;
  return blocks * WHORL_NODE_BLOCK;
}

/* Begins to make room. `words` is what whorl_nodes_target gave. Whether there is memory. */
static bool whorl_nodes_begin(whorl_nodes *n, uint64_t words, uint64_t threads, uint64_t least) {
  whorl_nodes_core *core = n->core;
  if (!whorl_region_commit(&core->arena, words * 8)) return false;
  uint64_t blocks = core->arena.committed / 8 / WHORL_NODE_BLOCK;
  if (blocks > words / WHORL_NODE_BLOCK) blocks = words / WHORL_NODE_BLOCK;
  core->stock.limit = blocks;
  return whorl_index_begin(&core->index, threads, least);
}

static inline bool whorl_nodes_moves(const whorl_nodes *n) {
  return n->core->index.old_memory.base != NULL;
}

static inline void whorl_nodes_move(whorl_nodes *n) { whorl_index_move(&n->core->index); }

static inline void whorl_nodes_end(whorl_nodes *n) {
  atomic_store_explicit(&n->core->stock.wanted, 0, memory_order_relaxed);
  whorl_index_end(&n->core->index);
}

static inline void whorl_nodes_look(whorl_nodes *n) { n->index = n->core->index.layout; }

#endif
