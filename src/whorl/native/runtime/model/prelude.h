/* What generated text is written in: unaligned loads and stores, and arithmetic without gaps. */
#ifndef WHORL_PRELUDE_H
#define WHORL_PRELUDE_H

#include "model/context.h"

#ifdef __cplusplus
template <int count>
static inline const int32_t *whorl_listed(const int32_t (&&values)[count]) {
  return values;
}
#define WHORL_LIST(...) whorl_listed({__VA_ARGS__})
#else
#define WHORL_LIST(...) ((const int32_t[]){__VA_ARGS__})
#endif

/* An expression that does something first: WHORL_DO(const int32_t a = ...; WHORL_GIVES a;) */
#ifdef __CUDACC__
#define WHORL_DO(...) ([&]() -> int32_t { __VA_ARGS__ }())
#define WHORL_GIVES return
#else
#define WHORL_DO(...) ({__VA_ARGS__})
#define WHORL_GIVES
#endif

/* What always holds, so that the compiler can make use of it. */
#define WHORL_KNOWN(fact)                 \
  do {                                    \
    if (!(fact)) __builtin_unreachable(); \
  } while (0)

/* What a claim with many propositions looks at next, and where that leads (native/code/claim.py). */
typedef struct {
  uint8_t proposition;
  uint32_t child[2];
} whorl_decision;

static inline const uint8_t *whorl_bytes(const whorl_state *s) { return (const uint8_t *)s->words; }

/* The bytes of the copy of a state that the next step is made of. */
static inline uint8_t *whorl_begin(whorl_context *c, const whorl_state *s) {
  whorl_reserve(c);
  c->states[c->count] = *s;
  return (uint8_t *)c->states[c->count].words;
}

static inline uint16_t whorl_u16(const uint8_t *at) {
  uint16_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline uint32_t whorl_u32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline void whorl_set_u16(uint8_t *at, uint16_t value) { memcpy(at, &value, sizeof value); }

static inline void whorl_set_u32(uint8_t *at, uint32_t value) { memcpy(at, &value, sizeof value); }

static inline void whorl_set_bits(uint8_t *at, int shift, int mask, int32_t value) {
  *at = (uint8_t)((*at & ~(mask << shift)) | ((value & mask) << shift));
}

/* What may wrap round does, also where a compiler takes it that this never happens: one for a GPU has
 * no option against that. */
static inline int32_t whorl_add(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t whorl_subtract(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline int32_t whorl_multiply(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a * (uint32_t)b);
}

/* Division as C defines it where it does, and otherwise as x86 does not trap: INT_MIN / -1. */
static inline int32_t whorl_divide(whorl_context *c, int32_t a, int32_t b, int32_t site) {
  b = whorl_divisor(c, b, site);
  return b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}

static inline int32_t whorl_remainder(whorl_context *c, int32_t a, int32_t b, int32_t site) {
  b = whorl_divisor(c, b, site);
  return b == -1 ? 0 : a % b;
}

/* Shifts by the low five bits of the distance, as the machines that we run on do. */
static inline int32_t whorl_left(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a << ((uint32_t)b & 31));
}

static inline int32_t whorl_right(int32_t a, int32_t b) { return a >> ((uint32_t)b & 31); }

#endif
