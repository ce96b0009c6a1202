/* The exact store under several threads: a state is new to one thread alone, and is found again at the place
 * where that one has put it. Built as shared.c is; with WHORL_STORE_NARROW references become wide
 * meanwhile. Prints "ok", or says which line failed.
 */
#define WHORL_THREADS 1
#ifndef WHORL_WORDS
#define WHORL_WORDS 3
#endif
#define WHORL_TRANSITIONS 1
#define WHORL_SITES 0

#include "model/context.h"

#include "store/shared_store.h"

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

static whorl_account account = {SIZE_MAX, 0, WHORL_NO_ROOM};
static pthread_barrier_t barrier;
static whorl_store stores[THREADS];
static _Atomic uint32_t found[TRIALS]; /* by number: how often it was new */
static whorl_arena_ref places[TRIALS]; /* and where it is */
static _Atomic uint32_t busy;
static bool all_done;

static void make_state(uint64_t number, whorl_state *s) {
  memset(s, 0, sizeof *s);
  s->words[0] = number % 251;
  s->words[WHORL_WORDS / 2] += number / 251 % 13 << 24;
  s->words[WHORL_WORDS - 1] += number / (251 * 13) << 40;
}

static void grow(uint32_t me) {
  whorl_store *s = &stores[me];
  whorl_store_return(s);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    all_done = atomic_load(&busy) == 0;
    EXPECT(whorl_store_begin(s, THREADS, 1));
  }
  pthread_barrier_wait(&barrier);
  whorl_store_move(s);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) whorl_store_end(s);
  pthread_barrier_wait(&barrier);
  whorl_store_look(s);
}

static void add(uint32_t me, uint64_t number, bool again) {
  whorl_store *s = &stores[me];
  whorl_state state, room;
  make_state(number, &state);
  while (!whorl_store_reserve(s, 1)) grow(me);
  uint64_t hash = whorl_hash(&state);
  whorl_store_prefetch(s, hash);
  uint64_t slot = whorl_store_seek(s, hash);
  if (!whorl_store_add(s, slot, &state, hash)) return;
  EXPECT(!again && atomic_fetch_add(&found[number], 1) == 0);
  places[number] = s->arena.last;
  EXPECT(whorl_equal(&state, whorl_arena_state(&s->arena, s->arena.last, &room)));
}

/* Adds all, beginning somewhere else than others, and again. */
static void *run(void *argument) {
  uint32_t me = (uint32_t)(uintptr_t)argument;
  for (int again = 0; again < 2; again++)
    for (uint64_t i = 0; i < TRIALS; i++)
      add(me, (i + (me + 1) / 2 * (TRIALS / THREADS)) % TRIALS, again); /* some side by side */
  atomic_fetch_sub(&busy, 1);
  do grow(me);
  while (!all_done);
  return NULL;
}

/* The entry of a state that is stored, from its home on. */
static uint64_t entry_of(const whorl_store *s, const whorl_state *state) {
  uint64_t hash = whorl_hash(state), tag = whorl_store_tag(hash, s->bits);
  uint64_t slot = whorl_index_home(&s->index, hash), entry;
  for (; (entry = whorl_index_slot(&s->index, slot)); slot = whorl_index_next(&s->index, slot))
    if ((entry ^ tag) >> s->bits == 0 &&
        whorl_arena_equal(&s->arena, whorl_store_ref(entry, s->bits), state))
      return entry;
  return 0;
}

/* Every state has one entry, which points to where it was put, and there is no other one. */
static void check(const whorl_store *s) {
  uint64_t count = 0;
  whorl_state state, room;
  for (uint64_t slot = 0; slot < s->index.size; slot++)
    count += whorl_index_slot(&s->index, slot) != 0;
  EXPECT(count == TRIALS);
  for (uint64_t number = 0; number < TRIALS; number++) {
    make_state(number, &state);
    EXPECT(atomic_load(&found[number]) == 1);
    EXPECT(whorl_equal(&state, whorl_arena_state(&s->arena, places[number], &room)));
    EXPECT(whorl_store_ref(entry_of(s, &state), s->bits) == places[number]);
  }
}

int main(void) {
  pthread_t threads[THREADS];
  whorl_heap = &account;
  EXPECT(whorl_store_init(&stores[0], &account));
  for (int i = 1; i < THREADS; i++) whorl_store_view(&stores[i], &stores[0]);
  atomic_store(&busy, THREADS);
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (uintptr_t i = 0; i < THREADS; i++)
    EXPECT(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  check(&stores[0]);
  EXPECT(stores[0].bits == (WHORL_STORE_NARROW < 32 ? WHORL_ARENA_BITS : 32));
  uint64_t states = whorl_arena_bytes(&stores[0].arena);
  uint64_t words = TRIALS * (WHORL_PACKED ? 4 : WHORL_WORDS); /* no more than three are not zero */
  EXPECT(states * 10 < 8 * (words * 11 + 10 * THREADS * WHORL_ARENA_BLOCK));
  EXPECT(whorl_store_bytes(&stores[0]) == states + stores[0].index.size * 8);
  whorl_store_free(&stores[0]);
  EXPECT(account.committed == 0);
  puts("ok");
  return 0;
}
