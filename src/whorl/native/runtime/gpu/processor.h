/* The names of platform.h on the processor: the threads of a kernel are a loop, or a few loops at a time.
 *
 * So the kernels and all that drives them are tested where there is no GPU, under sanitizers too. It is
 * no engine of its own: a user never gets it. */
#ifndef WHORL_PROCESSOR_H
#define WHORL_PROCESSOR_H

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WHORL_MOST_LOOPS 64
#ifndef WHORL_STRESS
#define WHORL_STRESS 0 /* a thread gives way once in so many loads of what others may change */
#endif

#define WHORL_RECALLED(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define WHORL_NOTE(place, value) __atomic_store_n(&(place), value, __ATOMIC_RELAXED)

#define WHORL_KERNEL void

static _Thread_local uint64_t whorl_this_thread;
static _Thread_local uint64_t whorl_loads;

static inline uint64_t whorl_thread(void) { return whorl_this_thread; }

static inline void whorl_give_way(void) {
  if (WHORL_STRESS && ++whorl_loads % (WHORL_STRESS + 1) == 0) sched_yield();
}

static inline uint64_t whorl_load(const uint64_t *at) {
  whorl_give_way();
  return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

static inline void whorl_store(uint64_t *at, uint64_t value) {
  __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

/* Plain, so that a sanitizer sees whether they are ordered. */
static inline uint64_t whorl_read(const uint64_t *at) { return *at; }
static inline void whorl_write(uint64_t *at, uint64_t value) { *at = value; }

static inline void whorl_fence(void) {} /* loads acquire */

static inline uint64_t whorl_replace(uint64_t *at, uint64_t before, uint64_t value) {
  __atomic_compare_exchange_n(at, &before, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return before;
}

static inline uint64_t whorl_put_first(uint64_t *at, uint64_t value) {
  whorl_give_way();
  return whorl_replace(at, 0, value);
}

static inline uint32_t whorl_colour(const uint32_t *at) {
  whorl_give_way();
  return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static inline uint32_t whorl_recolour(uint32_t *at, uint32_t before, uint32_t value) {
  __atomic_compare_exchange_n(at, &before, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return before;
}

static inline uint32_t whorl_add_colour(uint32_t *at, uint32_t value) {
  return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}

static inline uint64_t whorl_next(uint64_t *counter) {
  return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static inline void whorl_sum(uint64_t *counter, uint64_t value) {
  if (value) __atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}

static inline void whorl_mark(uint32_t *bits, uint64_t number) {
  __atomic_fetch_or(&bits[number / 32], UINT32_C(1) << (number & 31), __ATOMIC_RELAXED);
}

/* --- launching ---------------------------------------------------------------------------------- */

typedef void whorl_kernel(const void *world);

typedef struct {
  whorl_kernel *kernel;
  const void *world;
  uint64_t first, threads, apart;
} whorl_loop;

static void *whorl_run_loop(void *argument) {
  const whorl_loop *loop = (const whorl_loop *)argument;
  for (uint64_t at = loop->first; at < loop->threads; at += loop->apart) {
    whorl_this_thread = at;
    loop->kernel(loop->world);
  }
  return NULL;
}

/* Runs a kernel for so many threads, in so many loops at a time. Returns 0 if the system refuses them. */
int whorl_launch(whorl_kernel *kernel, const void *world, uint64_t threads, uint32_t loops) {
  pthread_t ids[WHORL_MOST_LOOPS];
  whorl_loop each[WHORL_MOST_LOOPS];
  uint32_t begun = 1;
  if (loops > WHORL_MOST_LOOPS) loops = WHORL_MOST_LOOPS;
  for (uint32_t i = 0; i < loops; i++) {
    whorl_loop loop = {kernel, world, i, threads, loops};
    each[i] = loop;
  }
  while (begun < loops && !pthread_create(&ids[begun], NULL, whorl_run_loop, &each[begun])) begun++;
  if (begun == loops) whorl_run_loop(&each[0]);
  for (uint32_t i = 1; i < begun; i++) pthread_join(ids[i], NULL);
  return begun == loops;
}

#endif
