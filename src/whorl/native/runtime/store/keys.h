/* Keys: pairs of references, mixed by a bijection.
 *
 * References grow longer as there are more nodes, and a key with them: it has the mixed lower bits of
 * both references, then their upper bits as they are.
 *
 *   key      | mixed : 2 x 18 | left : bits - 18 | right : bits - 18 |
 *
 * So keys are in the same order whatever the bits. Pairs that agree in the lower bits, and so have
 * neighbouring keys, are as rare as they would be among random ones.
 */
#ifndef WHORL_KEYS_H
#define WHORL_KEYS_H

#include "store/hash.h"

/* The key of a pair, the left reference above the right one, if they have so many bits. */
static inline uint64_t whorl_pair_key(uint64_t pair, unsigned bits) {
  unsigned high = bits - WHORL_MIXED_HALF;
  uint64_t left = pair >> 32, right = (uint32_t)pair;
  uint64_t mask = (UINT64_C(1) << WHORL_MIXED_HALF) - 1;
  uint64_t mixed = whorl_mix_halves((left & mask) << WHORL_MIXED_HALF | (right & mask));
  return (mixed << high | left >> WHORL_MIXED_HALF) << high | right >> WHORL_MIXED_HALF;
}

/* The pair of a key. */
static inline uint64_t whorl_key_pair(uint64_t key, unsigned bits) {
  unsigned high = bits - WHORL_MIXED_HALF;
  uint64_t mixed = whorl_unmix_halves(key >> 2 * high), mask = (UINT64_C(1) << high) - 1;
  uint64_t left = mixed >> WHORL_MIXED_HALF | (key >> high & mask) << WHORL_MIXED_HALF;
  uint64_t right = (mixed & ((UINT64_C(1) << WHORL_MIXED_HALF) - 1)) | (key & mask)
                                                                           << WHORL_MIXED_HALF;
  return left << 32 | right;
}

/* What a key is where references have `to` bits rather than `from`. */
static inline uint64_t whorl_key_widen(uint64_t key, unsigned from, unsigned to) {
  unsigned high = from - WHORL_MIXED_HALF, higher = to - WHORL_MIXED_HALF;
  uint64_t mask = (UINT64_C(1) << high) - 1;
  return (key >> 2 * high << higher | (key >> high & mask)) << higher | (key & mask);
}

#endif
