/* Main memory: nanoseconds for a load at a random place in a gigabyte of huge pages. The first figure
 * is for a chain of loads, each of which has to wait for the one before; the second is for CHAINS such
 * chains side by side, so that as many loads overlap as the machine can do. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#define LINE 8 /* words in a cache line */
#define LINES ((uint64_t)1 << 24)
#define LOADS 8000000
#define CHAINS 16
#define HUGE_PAGE ((uintptr_t)2 << 20)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The time of a load, with so many chains side by side. */
static double measure(const uint64_t *words, int chains) {
  uint64_t at[CHAINS], sum = 0;
  for (int i = 0; i < CHAINS; i++) at[i] = (uint64_t)i * (LINES / CHAINS);
  double started = now();
  for (int k = 0; k < LOADS; k++)
    for (int i = 0; i < chains; i++) at[i] = words[at[i] * LINE];
  double took = now() - started;
  for (int i = 0; i < CHAINS; i++) sum += at[i];
  return took / LOADS / chains * 1e9 + (sum == 1) * 1e-9; /* so that the loop is not left out */
}

int main(void) {
  size_t size = LINES * LINE * sizeof(uint64_t);
  char *memory = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
  if (memory == MAP_FAILED) return 1;
  uint64_t *words = (uint64_t *)(((uintptr_t)memory + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
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
  double alone = measure(words, 1), together = measure(words, CHAINS);
  printf("%.1f %.1f\n", alone, together);
  return 0;
}
