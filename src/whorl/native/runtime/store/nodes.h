/* The nodes of a tree (tree.h): leaves and groups of references, each once.
 *
 * They lie in one arena in the order of arrival. A reference is a place there, in words; so it fits in
 * few bits as long as there are few nodes. An index beside the arena has an entry for each node: the
 * upper 32 bits of its hash, then its reference plus one. Nodes are found by what is in them.
 *
 * One thread adds to them. shared_nodes.h has the same functions for several.
 */
#ifndef WHORL_NODES_H
#define WHORL_NODES_H

#include "store/parts.h"
#include "store/table.h"

typedef struct {
  whorl_region arena;
  uint64_t *at;   /* nodes, by reference */
  uint64_t words; /* of the arena */
  whorl_table index;
} whorl_nodes;

/* References are to have so many bits at most. */
static bool whorl_nodes_init(whorl_nodes *n, whorl_account *account, unsigned most) {
  if (!whorl_region_init(&n->arena, account, (size_t)8 << most) ||
      !whorl_table_init(&n->index, account, UINT64_C(1) << most, 75, 20))
    return false;
  n->at = (uint64_t *)(void *)n->arena.base;
  n->words = WHORL_WINDOW_WORDS; /* windows may begin before a node */
  return true;
}

static inline void whorl_nodes_free(whorl_nodes *n) {
  whorl_table_free(&n->index);
  whorl_region_free(&n->arena);
}

static inline size_t whorl_nodes_bytes(const whorl_nodes *n) {
  return (n->index.length + n->words) * 8;
}

/* The words of the arena once there are so many more: windows may end behind the last node. */
static inline uint64_t whorl_nodes_words(const whorl_nodes *n, uint64_t more) {
  return n->words + more + WHORL_WINDOW_WORDS;
}

/* Room for so many more nodes, which have so many words together. */
static inline bool whorl_nodes_reserve(whorl_nodes *n, uint64_t more, uint64_t words) {
  return whorl_table_reserve(&n->index, more) &&
         whorl_region_commit(&n->arena, whorl_nodes_words(n, words) * 8);
}

static inline void whorl_nodes_prefetch(const whorl_nodes *n, uint64_t hash) {
  whorl_table_prefetch(&n->index, hash);
}

/* The first entry of the upper half of a hash, or 0. */
static inline uint64_t whorl_nodes_first(const whorl_nodes *n, uint64_t hash) {
  uint64_t home = whorl_table_home(&n->index, hash);
  uint64_t entry = n->index.slots[whorl_table_seek(&n->index, home, hash >> 32 << 32)];
  return entry >> 32 == hash >> 32 ? entry : 0;
}

static inline uint32_t whorl_nodes_append(whorl_nodes *n, const whorl_part *p,
                                          const uint8_t *bytes) {
  uint32_t ref = (uint32_t)n->words;
  memcpy(&n->at[ref], bytes + p->first, p->bytes);
  n->words += p->words;
  return ref;
}

/* The entry of the node that has the part `p` of `bytes`, a new one if need be. Where hashes agree the
 * entries are in the order of their references, and the new one is the greatest, so it comes after
 * them. */
static __attribute__((noinline)) uint64_t whorl_nodes_entry(whorl_nodes *n, const whorl_part *p,
                                                            const uint8_t *bytes, uint64_t hash) {
  const uint64_t *slots = n->index.slots;
  uint64_t least = hash >> 32 << 32;
  uint64_t slot = whorl_table_seek(&n->index, whorl_table_home(&n->index, hash), least);
  for (; slots[slot] != 0 && slots[slot] >> 32 == hash >> 32; slot++)
    if (whorl_part_equal(p, n->at + (uint32_t)slots[slot] - 1, bytes)) return slots[slot];
  uint64_t entry = least | (whorl_nodes_append(n, p, bytes) + UINT32_C(1));
  whorl_table_insert(&n->index, slot, entry);
  return entry;
}

#endif
