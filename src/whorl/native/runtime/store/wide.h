/* Arithmetic of 128 bits: products, and quotients of powers of two.
 *
 * Where the compiler has no integers of that size it is done by halves. tcc has none, by which tests
 * compile thousands of small models.
 */
#ifndef WHORL_WIDE_H
#define WHORL_WIDE_H

#ifdef WHORL_DEVICE
#include "gpu/platform.h"
#else
#include <stdint.h>
#endif

/* The upper half of a product, by halves of its factors. */
static inline uint64_t whorl_high_by_halves(uint64_t a, uint64_t b) {
  uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
  uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
  uint64_t cross = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (cross >> 32);
}

/* 2^exponent / divisor, bit by bit; the quotient has 64 bits. */
static inline uint64_t whorl_power_over_by_bits(unsigned exponent, uint64_t divisor) {
  uint64_t quotient = 0, rest = 0;
  for (unsigned bit = exponent + 1; bit-- > 0;) {
    uint64_t carry = rest >> 63;
    rest = rest << 1 | (bit == exponent);
    quotient <<= 1;
    if (carry || rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
  }
  return quotient;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 whorl_uint128;

static inline uint64_t whorl_high(uint64_t a, uint64_t b) {
  return (uint64_t)(((whorl_uint128)a * b) >> 64);
}

static inline uint64_t whorl_power_over(unsigned exponent, uint64_t divisor) {
  return (uint64_t)(((whorl_uint128)1 << exponent) / divisor);
}
#else
#define whorl_high whorl_high_by_halves
#define whorl_power_over whorl_power_over_by_bits
#endif

/* A product without its last `shift` bits, of which there are 1 to 63; the rest has 64. */
static inline uint64_t whorl_product_above(uint64_t a, uint64_t b, unsigned shift) {
  return whorl_high(a, b) << (64 - shift) | (a * b) >> shift;
}

#endif
