/* The tree store under several threads: everything is found new once, by whoever comes first, and has one
 * root pair, whoever asks. What is marked stays so, and nothing else is, wherever it goes; also in the
 * store of hashes. Built with tiny tables, bad hashes and threads that give way at random
 * (WHORL_STRESS), and with a sanitizer of threads. Prints "ok", or says which line failed.
 */
#define WHORL_THREADS 1
#ifndef WHORL_WORDS
#define WHORL_WORDS 3
#endif
#define WHORL_TRANSITIONS 1
#define WHORL_SITES 0

#include "model/context.h"

#include "store/shared_approximate.h"
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

/* What a test is about: keys of roots, states, or hashes. */
typedef enum { KEYS, STATES, HASHES } kind;

typedef struct {
  kind kind;
  uint64_t mask; /* of keys */
  unsigned bits;
  unsigned longer; /* references grow by so many bits meanwhile */
} trial;

static whorl_account account = {SIZE_MAX, 0, WHORL_NO_ROOM};
static pthread_barrier_t barrier;
static trial now;
static whorl_tree trees[THREADS];
static whorl_roots roots[THREADS];
static whorl_compact hashes[THREADS];
static _Atomic uint32_t found[TRIALS]; /* by number: how often it was new */
static _Atomic uint64_t pairs[TRIALS];
static _Atomic uint32_t busy; /* threads that have not come to their end */
static bool all_done;
static unsigned bits;
static _Atomic bool some_aside; /* keys that find no room lose their marks */

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

static void give_back(uint32_t me) {
  if (now.kind == STATES) whorl_tree_return(&trees[me]);
  if (now.kind == KEYS) whorl_roots_return(&roots[me]);
  if (now.kind == HASHES) whorl_stock_return(&hashes[me].core->stock, &hashes[me].lease);
}

static bool begin(uint32_t me) {
  if (now.kind == STATES) return whorl_tree_begin_growth(&trees[me], THREADS);
  if (now.kind == KEYS) return whorl_roots_begin(&roots[me], bits, THREADS, 1);
  return whorl_index_begin(hashes[me].core, THREADS, 1);
}

static void move(uint32_t me) {
  if (now.kind == STATES) whorl_tree_move_tables(&trees[me]);
  if (now.kind == KEYS) whorl_roots_move(&roots[me]);
  if (now.kind == HASHES) whorl_index_move(hashes[me].core);
}

static void end(uint32_t me) {
  if (now.kind == STATES) whorl_tree_end_growth(&trees[me]);
  const whorl_roots *r = now.kind == STATES ? &trees[me].roots : &roots[me];
  if (now.kind != HASHES && r->core->old_aside_count) atomic_store(&some_aside, true);
  if (now.kind == KEYS) whorl_roots_end(&roots[me]);
  if (now.kind == HASHES) whorl_index_end(hashes[me].core);
}

static void look(uint32_t me) {
  if (now.kind == STATES) whorl_tree_look(&trees[me]);
  if (now.kind == KEYS) whorl_roots_look(&roots[me]);
  if (now.kind == HASHES) hashes[me].index = hashes[me].core->layout;
}

static void grow(uint32_t me) {
  give_back(me);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    all_done = atomic_load(&busy) == 0;
    if (bits < now.bits + now.longer) bits++;
    EXPECT(begin(me));
  }
  pthread_barrier_wait(&barrier);
  move(me);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) end(me);
  pthread_barrier_wait(&barrier);
  look(me);
}

/* Which numbers are marked, once, by whoever finds them new. */
static bool is_to_be_marked(uint64_t number) { return number % 3 == 0; }

static void mark_key(const whorl_roots *r, uint64_t key, uint64_t number, bool fresh) {
  if (fresh && is_to_be_marked(number)) whorl_roots_mark(r, key);
  EXPECT(!whorl_roots_is_marked(r, key) || is_to_be_marked(number));
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
  bool fresh = whorl_tree_add(t, pair);
  mark_key(&t->roots, whorl_tree_key(t, pair), number, fresh);
  return fresh;
}

static bool add_key(uint32_t me, uint64_t number) {
  whorl_roots *r = &roots[me];
  while (!whorl_roots_reserve(r, 1)) grow(me);
  uint64_t key = whorl_key_widen(make_key(number), now.bits, r->layout.bits);
  bool fresh = whorl_roots_add(r, key);
  mark_key(r, key, number, fresh);
  return fresh;
}

static bool add_hash(uint32_t me, uint64_t number) {
  whorl_compact *c = &hashes[me];
  while (!whorl_stock_lease(&c->core->stock, &c->lease, 1)) grow(me);
  uint64_t hash = make_key(number);
  bool fresh = whorl_compact_add(c, whorl_compact_find(c, hash), hash);
  if (fresh && is_to_be_marked(number)) whorl_mark_set(c->index.marks, whorl_compact_slot(c, hash));
  return fresh;
}

static bool add(uint32_t me, uint64_t number) {
  if (now.kind == STATES) return add_state(me, number);
  return now.kind == KEYS ? add_key(me, number) : add_hash(me, number);
}

/* Adds all, beginning somewhere else than others, and again. */
static void *run(void *argument) {
  uint32_t me = (uint32_t)(uintptr_t)argument;
  for (int again = 0; again < 2; again++)
    for (uint64_t i = 0; i < TRIALS; i++) {
      uint64_t number = (i + (me + 1) / 2 * (TRIALS / THREADS)) % TRIALS; /* some side by side */
      bool fresh = add(me, number);
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

/* All that are to be marked are, and no others. */
static void check_marks(uint64_t number, bool marked) {
  EXPECT(!marked || is_to_be_marked(number));
  if (!atomic_load(&some_aside)) EXPECT(marked == is_to_be_marked(number));
}

static void test_roots(unsigned of, uint64_t mask, unsigned longer) {
  now = (trial){KEYS, mask, of, longer};
  atomic_store(&some_aside, false);
  bits = of;
  EXPECT(whorl_roots_init(&roots[0], &account, of) && whorl_roots_mark_all(&roots[0]));
  for (int i = 1; i < THREADS; i++) roots[i] = roots[0];
  together();
  EXPECT(longer == 0 || roots[0].layout.bits > of);
  check_roots(&roots[0]);
  if (roots[0].core->aside_count) atomic_store(&some_aside, true);
  for (uint64_t number = 0; number < TRIALS; number++)
    check_marks(number, whorl_roots_is_marked(&roots[0], whorl_key_widen(make_key(number), of,
                                                                         roots[0].layout.bits)));
  whorl_roots_free(&roots[0]);
  EXPECT(account.committed == 0);
}

static int choose_front(void *about, int first, int last) {
  (void)about, (void)first, (void)last;
  return 1;
}

static void test_tree(void) {
  whorl_shape shape;
  now = (trial){STATES, 0, 0, 0};
  atomic_store(&some_aside, false);
  whorl_shape_init(&shape, whorl_choose_middle, NULL);
  EXPECT(whorl_tree_init(&trees[0], &account, &shape, false));
  EXPECT(whorl_roots_mark_all(&trees[0].roots));
  for (int i = 1; i < THREADS; i++) EXPECT(whorl_tree_view(&trees[i], &trees[0]));
  together();
  for (int i = 0; i < THREADS; i++) whorl_tree_return(&trees[i]);
  check_roots(&trees[0].roots);
  if (trees[0].roots.core->aside_count) atomic_store(&some_aside, true);
  for (uint64_t number = 0; number < TRIALS; number++) {
    uint64_t key = whorl_tree_key(&trees[0], atomic_load(&pairs[number]));
    check_marks(number, whorl_roots_is_marked(&trees[0].roots, key));
  }
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

static void test_hashes(void) {
  now = (trial){HASHES, UINT64_MAX << 20, 32, 0};
  EXPECT(whorl_compact_init(&hashes[0], &account) && whorl_index_mark_all(hashes[0].core));
  hashes[0].index = hashes[0].core->layout;
  for (int i = 1; i < THREADS; i++) whorl_compact_view(&hashes[i], &hashes[0]);
  together();
  for (uint64_t number = 0; number < TRIALS; number++) {
    uint64_t slot = whorl_compact_slot(&hashes[0], make_key(number));
    EXPECT(whorl_mark_get(hashes[0].index.marks, slot) == is_to_be_marked(number));
  }
  whorl_region_free(&hashes[0].core->marks_memory);
  whorl_region_free(&hashes[0].core->memory);
  free(hashes[0].core);
  EXPECT(account.committed == 0);
}

static void add_alone(whorl_roots *r, uint64_t key) {
  while (!whorl_roots_reserve(r, 1)) {
    whorl_roots_return(r);
    EXPECT(whorl_roots_begin(r, r->layout.bits, 1, 1));
    whorl_roots_move(r);
    whorl_roots_end(r);
    whorl_roots_look(r);
  }
  EXPECT(whorl_roots_add(r, key));
}

/* Whatever is there while one thread is alone has a mark, until it is taken away. */
static void test_all(void) {
  now = (trial){KEYS, UINT64_MAX << 20, 20, 0};
  whorl_roots r;
  EXPECT(whorl_roots_init(&r, &account, 20));
  for (uint64_t number = 0; number < 100; number++) {
    add_alone(&r, make_key(number));
    EXPECT(!whorl_roots_is_marked(&r, make_key(number)));
  }
  EXPECT(whorl_roots_mark_all(&r));
  for (uint64_t number = 0; number < 100; number += 2) whorl_roots_unmark(&r, make_key(number));
  for (uint64_t number = 100; number < 200; number++) add_alone(&r, make_key(number));
  for (uint64_t number = 0; number < 200; number++)
    EXPECT(whorl_roots_is_marked(&r, make_key(number)) == (number < 100 && number % 2));
  whorl_roots_free(&r);
  EXPECT(account.committed == 0);
}

int main(void) {
  whorl_heap = &account;
  test_all();
  test_tree();
  test_hashes();
  test_roots(20, UINT64_MAX << 20, 3);
  test_roots(18, UINT64_MAX << 12, 12); /* becomes a wide one */
  test_roots(18, UINT64_C(0xfff) << 24, 1);
  test_roots(28, UINT64_C(0xfff) << 44, 2);
  puts("ok");
  return 0;
}
