/* Hashing of states and of pairs of references.
 *
 * A state is folded two words at a time: a 64 x 64 -> 128 bit product whose halves are xored, as in
 * Wang Yi's wyhash. One multiplication for sixteen bytes is as cheap as a hash gets, and every bit
 * of the input reaches every bit of the result through the high half of the product. The exact
 * stores need speed only (a collision costs a comparison); hash compaction rests on all 64 bits.
 *
 * A pair of references is mixed by the finalizer of MurmurHash3 (Appleby), which is a bijection:
 * the mixed value stands for the pair itself, and a table of mixed values needs nothing beside it.
 */
#ifndef WHORL_HASH_H
#define WHORL_HASH_H

#include "model/context.h"
#include "store/wide.h"

/* Tests make hashing bad on purpose, so that tables meet collisions. */
#ifndef WHORL_HASH_MASK
#define WHORL_HASH_MASK UINT64_MAX
#endif

/* Random odd numbers with as many ones as zeros. */
#define WHORL_HASH_A UINT64_C(0x9ae16a3b2f90404f)
#define WHORL_HASH_B UINT64_C(0xc3a5c85c97cb3127)
#define WHORL_HASH_C UINT64_C(0xb492b66fbe98f273)
#define WHORL_HASH_D UINT64_C(0x2d358dccaa6c78a5)

static inline uint64_t whorl_fold(uint64_t a, uint64_t b) { return (a * b) ^ whorl_high(a, b); }

static inline uint64_t whorl_hash(const whorl_state *s) {
  uint64_t h = WHORL_HASH_A;
  int i = 0;
  for (; i + 1 < WHORL_MATCHED; i += 2)
    h = whorl_fold(s->words[i] ^ h, s->words[i + 1] ^ WHORL_HASH_B);
  if (i < WHORL_MATCHED) h = whorl_fold(s->words[i] ^ h, WHORL_HASH_C);
  return whorl_fold(h ^ WHORL_HASH_B, WHORL_HASH_D) & WHORL_HASH_MASK;
}

/* A second hash, from the first: for stores that need several places for a state. */
static inline uint64_t whorl_rehash(uint64_t h) {
  return whorl_fold(h ^ WHORL_HASH_C, WHORL_HASH_A);
}

/* The bijection, and with it the hash of a pair. */
static inline uint64_t whorl_mix(uint64_t pair) {
  pair ^= pair >> 33;
  pair *= UINT64_C(0xff51afd7ed558ccd);
  pair ^= pair >> 33;
  pair *= UINT64_C(0xc4ceb9fe1a85ec53);
  pair ^= pair >> 33;
  return pair;
}

/* Its inverse: the multipliers are the inverses modulo 2^64, and x ^= x >> 33 undoes itself. */
static inline uint64_t whorl_unmix(uint64_t mixed) {
  mixed ^= mixed >> 33;
  mixed *= UINT64_C(0x9cb4b2f8129337db);
  mixed ^= mixed >> 33;
  mixed *= UINT64_C(0x4f74430c22a54005);
  mixed ^= mixed >> 33;
  return mixed;
}

#ifndef WHORL_MIXED_HALF
#define WHORL_MIXED_HALF 18
#endif

/* The same for two numbers of WHORL_MIXED_HALF bits, side by side: the upper bits of the result are
 * mixed best. */
static inline uint64_t whorl_mix_halves(uint64_t pair) {
  uint64_t mask = (UINT64_C(1) << 2 * WHORL_MIXED_HALF) - 1;
  pair ^= pair >> WHORL_MIXED_HALF;
  pair = pair * UINT64_C(0xff51afd7ed558ccd) & mask;
  pair ^= pair >> WHORL_MIXED_HALF;
  return pair * UINT64_C(0xc4ceb9fe1a85ec53) & mask;
}

static inline uint64_t whorl_unmix_halves(uint64_t mixed) {
  uint64_t mask = (UINT64_C(1) << 2 * WHORL_MIXED_HALF) - 1;
  mixed = mixed * UINT64_C(0x9cb4b2f8129337db) & mask;
  mixed ^= mixed >> WHORL_MIXED_HALF;
  mixed = mixed * UINT64_C(0x4f74430c22a54005) & mask;
  return mixed ^ mixed >> WHORL_MIXED_HALF;
}

static inline bool whorl_equal(const whorl_state *a, const whorl_state *b) {
  uint64_t difference = 0;
  for (int i = 0; i < WHORL_MATCHED; i++) difference |= a->words[i] ^ b->words[i];
  return difference == 0;
}

#endif
