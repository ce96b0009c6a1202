/* Numbers of root pairs under several threads: a pair has one number, whoever asks, a number one pair, and
 * of each bit beside it one thread finds that it was not set. Built as shared.c is. Prints "ok", or says
 * which line failed.
 */
#define WHORL_THREADS 1
#define WHORL_WORDS 3
#define WHORL_TRANSITIONS 1
#define WHORL_SITES 0
#define WHORL_NUMBERED 1
#define WHORL_NODE_PLACES 12 /* so that a row has two words */
#define WHORL_FIELD_BITS 4
#define WHORL_SELECTIONS 0

#include "model/context.h"

#include <stdio.h>

static void whorl_initial(whorl_context *c, whorl_state *s) { (void)c, (void)s; }
static void whorl_steps(whorl_context *c, const whorl_state *s, int first, int last) {
  (void)c, (void)s, (void)first, (void)last;
}
static int whorl_processes(const whorl_state *s) {
  (void)s;
  return 0;
}
static bool whorl_valid_end(const whorl_state *s) {
  (void)s;
  return true;
}

#include "model/expand.h"
#include "store/shared_states.h"

#define EXPECT(condition)                                             \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

#ifndef TRIALS
#define TRIALS 20000
#endif
enum { THREADS = 4, BITS = 3 };

static whorl_account account = {SIZE_MAX, 0, WHORL_NO_ROOM};
static pthread_barrier_t barrier;
static whorl_visited visited[THREADS];
static _Atomic uint32_t numbers[TRIALS]; /* plus one */
static _Atomic uint32_t first[TRIALS];   /* how often a bit was set */
static _Atomic uint32_t busy;
static bool all_done;

static void make_state(uint64_t number, whorl_state *s) {
  memset(s, 0, sizeof *s);
  s->words[0] = number % 251;
  s->words[2] = number / 251;
}

static void grow(uint32_t me) {
  whorl_tree *t = &visited[me].tree;
  whorl_tree_return(t);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    all_done = atomic_load(&busy) == 0;
    EXPECT(whorl_tree_begin_growth(t, THREADS));
  }
  pthread_barrier_wait(&barrier);
  whorl_tree_move_tables(t);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) whorl_tree_end_growth(t);
  pthread_barrier_wait(&barrier);
  whorl_tree_look(t);
}

static void look_for(uint32_t me, uint64_t number) {
  whorl_states states = {&visited[me]};
  whorl_tree *t = &visited[me].tree;
  whorl_state state;
  whorl_folding folding;
  whorl_sought sought;
  whorl_fetched fetched;
  make_state(number, &state);
  while (!whorl_tree_lease(t, 1)) grow(me);
  sought.state = &state;
  whorl_tree_expect(t, 1);
  whorl_tree_begin(t, &folding, 0, &state, NULL, NULL);
  whorl_find_all(&states, WHORL_TREE, &sought, &folding, 1);
  uint32_t before = 0;
  if (!atomic_compare_exchange_strong(&numbers[number], &before, sought.ref + 1))
    EXPECT(before == sought.ref + 1);
  whorl_fetch(&states, WHORL_TREE, sought.ref, &fetched);
  EXPECT(whorl_equal(&state, fetched.state));
  whorl_row_word *row = whorl_row(&states, WHORL_TREE, sought.ref);
  uint32_t place = number % WHORL_NODE_PLACES;
  for (uint32_t bit = 1; bit < 1u << BITS; bit *= 2) {
    uint32_t old = whorl_field_add(row, place, bit);
    EXPECT(whorl_field_get(row, place) & bit);
    if (!(old & bit)) atomic_fetch_add(&first[number], 1);
  }
}

/* Looks for all, beginning somewhere else than others, and again. */
static void *run(void *argument) {
  uint32_t me = (uint32_t)(uintptr_t)argument;
  for (int again = 0; again < 2; again++)
    for (uint64_t i = 0; i < TRIALS; i++)
      look_for(me, (i + (me + 1) / 2 * (TRIALS / THREADS)) % TRIALS);
  atomic_fetch_sub(&busy, 1);
  do grow(me);
  while (!all_done);
  return NULL;
}

/* Every number is that of one state, and its row has that state's bits and no others. */
static void check_all(void) {
  whorl_states states = {&visited[0]};
  static uint8_t taken[2 * TRIALS + THREADS * WHORL_NUMBER_BLOCK];
  for (uint64_t i = 0; i < TRIALS; i++) {
    uint32_t number = atomic_load(&numbers[i]) - 1;
    EXPECT(number < sizeof taken && !taken[number] && atomic_load(&first[i]) == BITS);
    EXPECT(number < TRIALS + THREADS * WHORL_NUMBER_BLOCK); /* what is left of blocks */
    taken[number] = 1;
    whorl_row_word *row = whorl_row(&states, WHORL_TREE, number);
    for (uint32_t place = 0; place < WHORL_NODE_PLACES; place++)
      EXPECT(whorl_field_get(row, place) ==
             (place == i % WHORL_NODE_PLACES ? (1u << BITS) - 1 : 0));
  }
}

int main(void) {
  pthread_t threads[THREADS];
  whorl_state initial;
  whorl_states states;
  whorl_heap = &account;
  make_state(0, &initial);
  EXPECT(whorl_states_init(&states, WHORL_TREE, &visited[0], &account, &initial));
  for (int i = 1; i < THREADS; i++) EXPECT(whorl_tree_view(&visited[i].tree, &visited[0].tree));
  atomic_store(&busy, THREADS);
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (uintptr_t i = 0; i < THREADS; i++)
    EXPECT(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  check_all();
  EXPECT(whorl_states_bytes(&states, WHORL_TREE) > TRIALS * 16);
  for (int i = 1; i < THREADS; i++) whorl_tree_forget(&visited[i].tree);
  whorl_numbers_free(&visited[0].tree.numbers);
  whorl_tree_free(&visited[0].tree);
  puts("ok");
  return 0;
}
