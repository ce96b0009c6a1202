/* The tree store under several threads: everything is found new once, by whoever comes first, and has one
 * root pair, whoever asks. Built with tiny tables, bad hashes and threads that give way at random
 * (WHORL_STRESS), and with a sanitizer of threads. Prints "ok", or says which line failed.
 */
#define WHORL_THREADS 1
#ifndef WHORL_WORDS
#define WHORL_WORDS 3
#endif
#define WHORL_TRANSITIONS 1
#define WHORL_SITES 0

#include "model/context.h"

#include "store/tree.h"

#include <stdio.h>

#define EXPECT(condition)                                             \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

#ifndef TRIALS
#define TRIALS 40000
#endif
#ifndef THREADS
#define THREADS 4
#endif

/* What a test is about: keys of roots, or states. */
typedef struct {
  bool states;
  uint64_t mask; /* of keys */
  unsigned bits;
  unsigned longer; /* references grow by so many bits meanwhile */
} trial;

static whorl_account account = {SIZE_MAX, 0, WHORL_NO_ROOM};
static pthread_barrier_t barrier;
static trial now;
static whorl_tree trees[THREADS];
static whorl_roots roots[THREADS];
static _Atomic uint32_t found[TRIALS]; /* by number: how often it was new */
static _Atomic uint64_t pairs[TRIALS];
static _Atomic uint32_t busy; /* threads that have not come to their end */
static bool all_done;
static unsigned bits;

/* A state that differs from others by little, or a key, by its number. */
static inline void make_state(uint64_t number, whorl_state *s) {
  memset(s, 0, sizeof *s);
  s->words[0] = number % 251;
  s->words[WHORL_WORDS / 2] += number / 251 % 13 << 24;
  s->words[WHORL_WORDS - 1] += number / (251 * 13) << 40;
}

static uint64_t make_key(uint64_t number) {
  return (whorl_mix(number) & now.mask & (UINT64_MAX >> (64 - 2 * now.bits))) | (number + 1);
}

static void grow(uint32_t me) {
  if (now.states)
    whorl_tree_return(&trees[me]);
  else
    whorl_roots_return(&roots[me]);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    all_done = atomic_load(&busy) == 0;
    if (bits < now.bits + now.longer) bits++;
    EXPECT(now.states ? whorl_tree_begin_growth(&trees[me], THREADS)
                      : whorl_roots_begin(&roots[me], bits, THREADS, 1));
  }
  pthread_barrier_wait(&barrier);
  if (now.states)
    whorl_tree_move_tables(&trees[me]);
  else
    whorl_roots_move(&roots[me]);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    if (now.states)
      whorl_tree_end_growth(&trees[me]);
    else
      whorl_roots_end(&roots[me]);
  }
  pthread_barrier_wait(&barrier);
  if (now.states)
    whorl_tree_look(&trees[me]);
  else
    whorl_roots_look(&roots[me]);
}

static bool add_state(uint32_t me, uint64_t number) {
  whorl_tree *t = &trees[me];
  whorl_state state, unfolded;
  whorl_folded folded;
  make_state(number, &state);
  while (!whorl_tree_lease(t, 1)) grow(me);
  uint64_t pair = whorl_tree_pair_of(t, &state), before = 0;
  if (!atomic_compare_exchange_strong(&pairs[number], &before, pair)) EXPECT(before == pair);
  whorl_tree_unfold(t, pair, &folded, &unfolded);
  EXPECT(whorl_equal(&state, &unfolded));
  return whorl_tree_add(t, pair);
}

static bool add_key(uint32_t me, uint64_t number) {
  whorl_roots *r = &roots[me];
  while (!whorl_roots_reserve(r, 1)) grow(me);
  return whorl_roots_add(r, whorl_key_widen(make_key(number), now.bits, r->layout.bits));
}

/* Adds all, beginning somewhere else than others, and again. */
static void *run(void *argument) {
  uint32_t me = (uint32_t)(uintptr_t)argument;
  for (int again = 0; again < 2; again++)
    for (uint64_t i = 0; i < TRIALS; i++) {
      uint64_t number = (i + (me + 1) / 2 * (TRIALS / THREADS)) % TRIALS; /* some side by side */
      bool fresh = now.states ? add_state(me, number) : add_key(me, number);
      if (fresh) atomic_fetch_add(&found[number], 1);
      EXPECT(!fresh || !again);
    }
  atomic_fetch_sub(&busy, 1);
  do grow(me);
  while (!all_done);
  return NULL;
}

static void together(void) {
  pthread_t threads[THREADS];
  for (uint64_t i = 0; i < TRIALS; i++) {
    atomic_store(&found[i], 0);
    atomic_store(&pairs[i], 0);
  }
  atomic_store(&busy, THREADS);
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (uintptr_t i = 0; i < THREADS; i++)
    EXPECT(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  for (uint64_t i = 0; i < TRIALS; i++) EXPECT(atomic_load(&found[i]) == 1);
}

/* Every key of a table once, within reach of its home, with no gap before it. */
static void check_roots(const whorl_roots *r) {
  uint64_t count = r->core->aside_count, found_pairs[WHORL_BUCKET_WORDS];
  for (uint64_t at = 0; at < whorl_roots_buckets(r->layout.size); at++) {
    uint32_t here = whorl_roots_pairs(r, at, found_pairs);
    count += here;
    for (uint32_t i = 0; i < WHORL_BUCKET_WORDS && !r->layout.wide; i++)
      EXPECT((i < here) == (whorl_bucket_word(&r->layout.buckets[at], i) != 0));
    for (uint32_t i = 0; i < here; i++) {
      uint64_t home = whorl_roots_home(r, whorl_pair_key(found_pairs[i], r->layout.bits));
      EXPECT(home <= at && at < home + WHORL_ROOTS_REACH);
      for (uint64_t before = home; before < at; before++)
        EXPECT(whorl_roots_pairs(r, before, found_pairs) == whorl_roots_room(r->layout.wide));
      whorl_roots_pairs(r, at, found_pairs);
    }
  }
  EXPECT(count == TRIALS && whorl_roots_count(r) == TRIALS);
}

static void test_roots(unsigned of, uint64_t mask, unsigned longer) {
  now = (trial){false, mask, of, longer};
  bits = of;
  EXPECT(whorl_roots_init(&roots[0], &account, of));
  for (int i = 1; i < THREADS; i++) roots[i] = roots[0];
  together();
  EXPECT(longer == 0 || roots[0].layout.bits > of);
  check_roots(&roots[0]);
  whorl_roots_free(&roots[0]);
  EXPECT(account.committed == 0);
}

static int choose_front(void *about, int first, int last) {
  (void)about, (void)first, (void)last;
  return 1;
}

static void test_tree(void) {
  whorl_shape shape;
  now = (trial){true, 0, 0, 0};
  whorl_shape_init(&shape, whorl_choose_middle, NULL);
  EXPECT(whorl_tree_init(&trees[0], &account, &shape, false));
  for (int i = 1; i < THREADS; i++) EXPECT(whorl_tree_view(&trees[i], &trees[0]));
  together();
  for (int i = 0; i < THREADS; i++) whorl_tree_return(&trees[i]);
  check_roots(&trees[0].roots);
  whorl_tree other; /* a copy has the same states */
  whorl_shape_init(&shape, choose_front, NULL);
  EXPECT(whorl_tree_init(&other, &account, &shape, false) && whorl_tree_copy(&trees[0], &other));
  whorl_tree_return(&other);
  check_roots(&other.roots);
  for (uint64_t number = 0; number < TRIALS; number++) {
    whorl_state state;
    make_state(number, &state);
    EXPECT(whorl_tree_reserve(&other, 1));
    EXPECT(!whorl_tree_add(&other, whorl_tree_pair_of(&other, &state)));
  }
  whorl_tree_free(&other);
  for (int i = 1; i < THREADS; i++) whorl_tree_forget(&trees[i]);
  whorl_tree_free(&trees[0]);
  EXPECT(account.committed == 0);
}

int main(void) {
  whorl_heap = &account;
  test_tree();
  test_roots(20, UINT64_MAX << 20, 3);
  test_roots(18, UINT64_MAX << 12, 12); /* becomes a wide one */
  test_roots(18, UINT64_C(0xfff) << 24, 1);
  test_roots(28, UINT64_C(0xfff) << 44, 2);
  puts("ok");
  return 0;
}
