/* The latency of main memory: nanoseconds for one of a chain of loads, each at a random place in a
 * gigabyte of huge pages. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define LINE 8 /* words in a cache line */
#define LINES ((uint64_t)1 << 24)
#define LOADS 20000000

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void) {
  size_t size = LINES * LINE * sizeof(uint64_t);
  uint64_t *words = mmap(NULL, size + (2 << 20), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (words == MAP_FAILED) return 1;
  words = (uint64_t *)(((uintptr_t)words + (2 << 20) - 1) & ~(uintptr_t)((2 << 20) - 1));
#ifdef MADV_HUGEPAGE
  (void)madvise(words, size, MADV_HUGEPAGE);
#endif
  /* One cycle through all lines, in random order (Sattolo). */
  for (uint64_t i = 0; i < LINES; i++) words[i * LINE] = i;
  uint64_t random = 88172645463325252u;
  for (uint64_t i = LINES - 1; i > 0; i--) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    uint64_t j = random % i, other = words[j * LINE];
    words[j * LINE] = words[i * LINE];
    words[i * LINE] = other;
  }
  uint64_t at = 0;
  double started = now();
  for (int i = 0; i < LOADS; i++) at = words[at * LINE];
  double took = now() - started;
  printf("%.1f\n", took / LOADS * 1e9);
  return at == LINES; /* never: so that the loop is not left out */
}
