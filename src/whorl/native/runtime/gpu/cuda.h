/* The names of platform.h on a GPU, as NVRTC compiles them: there are no headers of the system. */
#ifndef WHORL_CUDA_H
#define WHORL_CUDA_H

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;

#define UINT32_C(number) number##u
#define UINT64_C(number) number##ull
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define UINT64_MAX 18446744073709551615ull
#ifndef NULL
#define NULL 0
#endif
#define assert(fact) ((void)0)
#define _Static_assert static_assert

#define __builtin_ctz(word) (__ffs((int)(word)) - 1)
#define __builtin_ctzll(word) (__ffsll((long long)(word)) - 1)
#define __builtin_clzll(word) __clzll((long long)(word))

/* As the library's, of bytes of a message. */
static inline void *whorl_memmove(void *to, const void *from, size_t size) {
  uint8_t *a = (uint8_t *)to;
  const uint8_t *b = (const uint8_t *)from;
  if (a < b)
    for (size_t i = 0; i < size; i++) a[i] = b[i];
  else
    for (size_t i = size; i-- > 0;) a[i] = b[i];
  return to;
}
#define memmove whorl_memmove

template <typename word>
static inline word whorl_recalled(const word &place) {
  return *(const volatile word *)&place;
}
template <typename word>
static inline void whorl_note_at(word &place, word value) {
  *(volatile word *)&place = value;
}
#define WHORL_RECALLED(place) whorl_recalled(place)
#define WHORL_NOTE(place, value) whorl_note_at(place, value)

#define WHORL_KERNEL extern "C" __global__ void

static inline uint64_t whorl_thread(void) {
  return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Past the first cache, which does not see what other processors of the GPU write. */
static inline uint64_t whorl_load(const uint64_t *at) {
  uint64_t value;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
  return value;
}

static inline void whorl_store(uint64_t *at, uint64_t value) {
  asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}

static inline uint64_t whorl_read(const uint64_t *at) { return whorl_load(at); }

static inline void whorl_write(uint64_t *at, uint64_t value) { *at = value; }

static inline void whorl_fence(void) { __threadfence(); }

static inline uint64_t whorl_put_first(uint64_t *at, uint64_t value) {
  __threadfence();
  return atomicCAS(at, 0ull, value);
}

static inline uint64_t whorl_replace(uint64_t *at, uint64_t before, uint64_t value) {
  return atomicCAS(at, before, value);
}

static inline uint32_t whorl_colour(const uint32_t *at) {
  uint32_t value;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}

static inline uint32_t whorl_recolour(uint32_t *at, uint32_t before, uint32_t value) {
  return atomicCAS(at, before, value);
}

static inline uint32_t whorl_add_colour(uint32_t *at, uint32_t value) {
  return atomicAdd(at, value);
}

/* Those of a warp who are here together count by one addition. */
static inline uint64_t whorl_next(uint64_t *counter) {
  const uint32_t here = __activemask();
  const int leader = __ffs((int)here) - 1;
  uint32_t lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  uint64_t first = 0;
  if ((int)lane == leader) first = atomicAdd(counter, (uint64_t)__popc(here));
  first = __shfl_sync(here, first, leader);
  return first + (uint64_t)__popc(here & ((1u << lane) - 1));
}

/* One addition a warp. */
static inline void whorl_sum(uint64_t *counter, uint64_t value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, (uint32_t)distance);
  if (threadIdx.x % 32 == 0 && value) atomicAdd(counter, value);
}

static inline void whorl_mark(uint32_t *bits, uint64_t number) {
  atomicOr(&bits[number / 32], 1u << (number & 31));
}

#endif
