/* The stores on their own, against plain references. Built with several WHORL_WORDS, and with
 * WHORL_HASH_MASK so that hashes collide. Prints "ok" and exits with 0, or says which line failed.
 */
#ifndef WHORL_WORDS
#define WHORL_WORDS 3
#endif
#define WHORL_TRANSITIONS 1
#define WHORL_SITES 0

#include "model/context.h"

/* The order of includes is that of the runtime. */
#include "store/approximate.h"
#include "store/hash.h"
#include "store/memory.h"
#include "store/store.h"
#include "store/table.h"
#include "store/tree.h"

#include <stdio.h>

#define EXPECT(condition)                                             \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

/* How many states to try: few where every hash collides. */
#ifndef TRIALS
#define TRIALS 60000
#endif

static whorl_account unlimited(void) {
  whorl_account account = {SIZE_MAX, 0, WHORL_NO_ROOM};
  return account;
}

/* The i-th of a row of states that differ by little, with repetitions: of `range` different ones.
 * It is a function of the number that it also returns. */
static uint64_t make_state(uint64_t i, uint64_t range, whorl_state *s) {
  uint64_t number = whorl_mix(i) % range;
  memset(s, 0, sizeof *s);
  s->words[0] = number % 251;
  s->words[WHORL_WORDS / 2] += number / 251 % 13 << 24;
  s->words[WHORL_WORDS - 1] += number / (251 * 13) << 40;
  return number;
}

static void test_hash(void) {
  if (WHORL_HASH_MASK != UINT64_MAX) return;
  for (uint64_t i = 0; i < 1000; i++)
    EXPECT(whorl_unmix(whorl_mix(i * WHORL_HASH_A)) == i * WHORL_HASH_A);
  /* Neighbours fall evenly: of n balls into n boxes about n / e boxes stay empty. */
  enum { BOXES = 4096 };
  static uint32_t high[BOXES], low[BOXES];
  whorl_state s;
  for (uint32_t i = 0; i < BOXES; i++) {
    make_state(0, 1, &s);
    s.words[WHORL_WORDS - 1] = (uint64_t)(i % 64) << 50 | i / 64;
    high[whorl_hash(&s) >> 52]++;
    low[whorl_hash(&s) % BOXES]++;
  }
  int empty_high = 0, empty_low = 0;
  for (uint32_t i = 0; i < BOXES; i++) {
    empty_high += high[i] == 0;
    empty_low += low[i] == 0;
  }
  EXPECT(empty_high > 1300 && empty_high < 1700);
  EXPECT(empty_low > 1300 && empty_low < 1700);
}

static void test_region(void) {
  whorl_account account = {3 * WHORL_CHUNK, 0, WHORL_NO_ROOM};
  whorl_region r;
  EXPECT(whorl_region_init(&r, &account, (size_t)1 << 40));
  EXPECT(whorl_region_commit(&r, 10));
  char *base = r.base;
  memset(base, 1, 10);
  EXPECT(whorl_region_commit(&r, 2 * WHORL_CHUNK + 1));
  EXPECT(r.base == base && base[9] == 1 && base[2 * WHORL_CHUNK] == 0);
  EXPECT(account.committed == 3 * WHORL_CHUNK);
  EXPECT(!whorl_region_commit(&r, 3 * WHORL_CHUNK + 1)); /* the limit */
  EXPECT(account.committed == 3 * WHORL_CHUNK);
  whorl_region_free(&r);
  EXPECT(account.committed == 0);
}

/* In order, without gaps between an entry and its home, and with room at the end. */
static void check_table(const whorl_table *t) {
  uint64_t count = 0, before = 0;
  for (uint64_t i = 0; i < t->length; i++) {
    uint64_t entry = t->slots[i];
    if (entry == 0) continue;
    count++;
    EXPECT(entry > before);
    before = entry;
    uint64_t home = whorl_table_home(t, entry);
    EXPECT(home <= i);
    for (uint64_t j = home; j < i && i - home < 64; j++) EXPECT(t->slots[j] != 0);
  }
  EXPECT(count == t->count);
  for (uint64_t i = t->length - WHORL_TABLE_WINDOW; i < t->length; i++) EXPECT(t->slots[i] == 0);
}

static void test_table(uint64_t mask, uint64_t trials) {
  whorl_account account = unlimited();
  whorl_table t;
  EXPECT(whorl_table_init(&t, &account, 1 << 24, 90, 10));
  uint64_t expected = 0;
  for (int again = 0; again < 2; again++)
    for (uint64_t i = 0; i < trials; i++) {
      uint64_t entry = (whorl_mix(i) & mask) | (i + 1); /* distinct, whatever the mask */
      EXPECT(whorl_table_reserve(&t, 1));
      bool fresh = whorl_table_add(&t, whorl_table_find(&t, entry), entry);
      EXPECT(fresh == (again == 0));
      expected += fresh;
    }
  EXPECT(t.count == expected);
  check_table(&t);
  whorl_table_free(&t);
}

static void test_store(void) {
  whorl_account account = unlimited();
  whorl_store *s = (whorl_store *)calloc(1, sizeof *s);
  uint64_t range = TRIALS / 2;
  uint8_t *seen = (uint8_t *)calloc(range, 1);
  EXPECT(s && seen && whorl_store_init(s, &account));
  uint64_t count = 0;
  for (uint64_t i = 0; i < TRIALS; i++) {
    whorl_state state;
    uint64_t number = make_state(i, range, &state);
    uint64_t hash = whorl_hash(&state);
    EXPECT(whorl_store_reserve(s, 1));
    bool fresh = whorl_store_add(s, whorl_store_seek(s, hash), &state, hash, (uint32_t)i);
    EXPECT(fresh == !seen[number]);
    seen[number] = 1;
    if (!fresh) continue;
    whorl_state room;
    uint32_t ref = s->arena.last;
    EXPECT(whorl_equal(whorl_arena_state(&s->arena, ref, &room), &state));
    EXPECT(whorl_arena_parent(&s->arena, ref) == (uint32_t)i);
    for (int word = 0; i < 100 && word < WHORL_MATCHED; word++) { /* whatever the hashes */
      whorl_state other = state;
      other.words[word] = state.words[word] == 0;
      EXPECT(!whorl_arena_equal(&s->arena, ref, &other));
    }
    count++;
    EXPECT(whorl_store_count(s) == count);
  }
  /* Walking the arena meets every state once. */
  uint64_t walked = 0;
  for (uint64_t ref = 0; ref < s->arena.end; ref = whorl_arena_next(&s->arena, ref)) walked++;
  EXPECT(walked == count);
  check_table(&s->index);
  whorl_store_free(s);
  free(s);
  free(seen);
}

/* Every key once, in order of buckets, within reach of its home, and no gap before it. */
static void check_roots(const whorl_roots *r, uint64_t expected) {
  uint64_t count = r->aside_count, pairs[WHORL_BUCKET_WORDS];
  for (uint64_t at = 0; at < r->size + WHORL_ROOTS_REACH - 1; at++) {
    uint32_t here = whorl_roots_pairs(r, at, pairs);
    count += here;
    for (uint32_t i = 0; i < here; i++) {
      uint64_t home = whorl_roots_home(r, whorl_pair_key(pairs[i], r->bits));
      EXPECT(home <= at && at < home + WHORL_ROOTS_REACH);
      for (uint64_t before = home; before < at; before++)
        EXPECT(r->buckets[before].count == whorl_roots_room(r->wide));
    }
  }
  EXPECT(count == expected && r->count == expected);
}

/* Keys that agree in what `mask` leaves: few homes, so that buckets overflow; some go aside. Then
 * references grow longer, by so many bits. */
static void test_roots(unsigned bits, uint64_t mask, uint64_t trials, unsigned longer) {
  whorl_account account = unlimited();
  whorl_roots r;
  EXPECT(whorl_roots_init(&r, &account, bits));
  for (unsigned again = 0; again < 2 + longer; again++) {
    if (again > 1) EXPECT(whorl_roots_widen(&r));
    for (uint64_t i = 0; i < trials; i++) {
      uint64_t key = (whorl_mix(i) & mask & (UINT64_MAX >> (64 - 2 * bits))) | i; /* distinct */
      EXPECT(whorl_roots_reserve(&r, 1));
      EXPECT(whorl_roots_add(&r, whorl_key_widen(key, bits, r.bits)) == (again == 0));
    }
    check_roots(&r, trials);
  }
  EXPECT(r.bits == bits + longer);
  whorl_roots_free(&r);
}

/* Keys of one home, as many as are within its reach: wherever that is, and by however little a table
 * grows, none is written to a bucket that is still to be read. */
static void test_growing(void) {
  enum { KEYS = 450, BITS = 18 };
  for (uint64_t home = 0; home < 400; home += 5)
    for (uint64_t part = 1; part <= 16; part *= 2) {
      whorl_account account = unlimited();
      whorl_roots r;
      EXPECT(whorl_roots_init(&r, &account, BITS));
      uint64_t base = (home << 2 * BITS) / r.size + 1;
      for (uint64_t i = 0; i < KEYS; i++) EXPECT(whorl_roots_add(&r, base + i));
      EXPECT(r.aside_count == 0 && r.buckets[home].count > 0);
      EXPECT(whorl_roots_resize(&r, BITS, r.wide, r.size + r.size / part));
      check_roots(&r, KEYS);
      for (uint64_t i = 0; i < KEYS; i++) EXPECT(!whorl_roots_add(&r, base + i));
      whorl_roots_free(&r);
    }
}

static void test_all_roots(void) {
  test_growing();
  for (uint64_t i = 0; i < 1000; i++) {
    uint64_t pair = i << 32 | i * 12345;
    EXPECT(whorl_key_pair(whorl_pair_key(pair, 24), 24) == pair);
    uint64_t longer = whorl_key_widen(whorl_pair_key(pair, 24), 24, 30);
    EXPECT(longer == whorl_pair_key(pair, 30));
  }
  test_roots(20, UINT64_MAX << 20, 900000, 2); /* grows in small steps */
  test_roots(18, UINT64_MAX << 12, 3000, 12);  /* becomes a wide one */
  test_roots(18, UINT64_C(7) << 33, 3000, 1);  /* eight homes */
  test_roots(28, UINT64_C(7) << 53, 3000, 2);  /* and wide */
  test_roots(18, 0, 3000, 1);                  /* one home: most go aside */
  test_roots(30, UINT64_MAX << 20, 30000, 0);
}

/* Cuts that are unlike those in the middle. */
static int choose_front(void *about, int first, int last) {
  (void)about;
  (void)first;
  (void)last;
  return 1;
}

static int choose_end(void *about, int first, int last) {
  (void)about;
  return last - first - 1;
}

static int choose_some(void *about, int first, int last) {
  uint64_t *random = (uint64_t *)about;
  *random = whorl_mix(*random + 1);
  return 1 + (int)(*random % (uint64_t)(last - first - 1));
}

/* Parts are side by side, from byte `at` on. Returns where they end. */
static int check_part(const whorl_part *p, int at, int end, int of) {
  uint8_t counted[8 * (WHORL_WORDS + WHORL_PLACES)] = {0};
  EXPECT(p->first == at && p->bytes == end - at && p->words == (end - at + 7) / 8);
  EXPECT((p->windows == 0) == (end - at > WHORL_WINDOWS * WHORL_WINDOW));
  for (int i = 0; i < p->windows; i++) {
    EXPECT(p->at[i] + WHORL_WINDOW <= of && p->in[i] == p->at[i] - at);
    for (int j = 0; j < WHORL_WINDOW; j++) counted[p->at[i] + j] |= ((const uint8_t *)p->mask)[j];
  }
  for (int byte = 0; byte < of && p->windows; byte++)
    EXPECT(counted[byte] == (at <= byte && byte < end ? 0xff : 0));
  return end;
}

/* Each unit is in one leaf, each leaf in one group or the root. */
static void check_shape(const whorl_shape *s) {
  int at = 0, leaf = 0;
  EXPECT(s->leaves >= 2 && s->leaves <= WHORL_LEAVES && s->places <= s->leaves + 2);
  for (int i = 0; i < s->leaves; i++) {
    int end = i + 1 < s->leaves ? s->part[i + 1].first : WHORL_BYTES;
    at = check_part(&s->part[i], at, end, WHORL_BYTES);
  }
  for (int unit = 0; unit < WHORL_UNITS; unit++) {
    uint64_t behind = s->behind[s->leaf_of[unit]];
    EXPECT((behind >> unit & 1) == 0);
    EXPECT(unit + 1 == WHORL_UNITS ||
           (behind >> (unit + 1) & 1) == (s->leaf_of[unit + 1] > s->leaf_of[unit]));
    EXPECT(s->part[s->leaf_of[unit]].first <= whorl_unit_byte(unit));
  }
  for (int side = 0; side < 2; side++) {
    int first = leaf, root = s->root[side];
    while (leaf < s->leaves && (s->part[leaf].first >= s->cut) == side)
      EXPECT(s->above[leaf++] == (root < s->leaves ? 0 : UINT64_C(1) << root));
    EXPECT(root < s->leaves
               ? leaf == first + 1 && root == first
               : check_part(&s->part[root], 4 * first, 4 * leaf, 4 * WHORL_PLACES) > 0);
  }
  EXPECT(leaf == s->leaves);
}

/* What differs, by looking at every byte. */
static void test_differing(void) {
  for (int byte = 0; byte < WHORL_BYTES; byte++) {
    whorl_state a, b;
    make_state(byte, TRIALS, &a);
    b = a;
    EXPECT(whorl_differing(&a, &b) == 0);
    ((uint8_t *)b.words)[byte] ^= 0x10;
    EXPECT(whorl_differing(&a, &b) == UINT64_C(1) << byte / WHORL_UNIT);
    ((uint8_t *)b.words)[0] ^= 0x80;
    EXPECT(whorl_differing(&b, &a) == (UINT64_C(1) << byte / WHORL_UNIT | 1));
  }
}

static void test_tree(whorl_chooser *choose) {
  whorl_account account = unlimited();
  whorl_tree t, other;
  whorl_shape shape, middle;
  uint64_t range = TRIALS / 2, random = 0;
  uint8_t *seen = (uint8_t *)calloc(range, 1);
  whorl_shape_init(&shape, choose, &random);
  whorl_shape_init(&middle, whorl_choose_middle, NULL);
  check_shape(&shape);
  EXPECT(seen && whorl_tree_init(&t, &account, &shape, false));
  uint64_t count = 0;
  whorl_folded like;
  whorl_state before;
  for (uint64_t i = 0; i < TRIALS; i += 3) { /* three at a time, like the last one before */
    whorl_folding foldings[3];
    whorl_state states[3], unfolded;
    uint64_t numbers[3];
    whorl_tree_expect(&t, 3);
    for (uint32_t j = 0; j < 3; j++) {
      numbers[j] = make_state(i + j, range, &states[j]);
      whorl_tree_begin(&t, &foldings[j], j, &states[j], i > 0 ? &before : NULL, &like);
    }
    EXPECT(whorl_tree_reserve(&t, 3) && whorl_tree_reserve_roots(&t, 3));
    whorl_tree_fold(&t, foldings, 3);
    for (int j = 0; j < 3; j++) {
      uint64_t pair = whorl_tree_pair(&t, &foldings[j].folded);
      bool fresh = whorl_tree_add(&t, pair);
      EXPECT(fresh == !seen[numbers[j]]);
      seen[numbers[j]] = 1;
      count += fresh;
      whorl_tree_unfold(&t, pair, &like, &unfolded);
      EXPECT(whorl_equal(&unfolded, &states[j]));
      EXPECT(memcmp(&like, &foldings[j].folded, shape.places * sizeof *like.refs) == 0);
      before = states[j];
    }
  }
  EXPECT(whorl_tree_count(&t) == count);
  check_roots(&t.roots, count);
  check_table(&t.nodes.index);
  /* In a tree of another shape there are the same states. */
  EXPECT(whorl_tree_init(&other, &account, &middle, false));
  EXPECT(whorl_tree_copy(&t, &other));
  check_roots(&other.roots, count);
  for (uint64_t i = 0; i < TRIALS; i++) {
    whorl_state state;
    uint64_t number = make_state(i, range, &state);
    EXPECT(seen[number] && whorl_tree_reserve(&other, 1) && whorl_tree_reserve_roots(&other, 1));
    EXPECT(!whorl_tree_add(&other, whorl_tree_pair_of(&other, &state)));
  }
  whorl_tree_free(&t);
  whorl_tree_free(&other);
  EXPECT(account.committed == 0);
  free(seen);
}

/* Takes a key out of the bucket at `at`, or of the nearest one before it that has one. */
static uint64_t take_out(whorl_roots *r, uint64_t at) {
  uint64_t pairs[WHORL_BUCKET_WORDS];
  while (r->buckets[at].count == 0) at--;
  uint32_t here = whorl_roots_pairs(r, at, pairs);
  r->buckets[at].count--;
  return whorl_pair_key(pairs[here - 1], r->bits);
}

/* A copy has what is behind the last home and what is kept aside, too. */
static void test_copy(void) {
  whorl_account account = unlimited();
  whorl_tree t, other;
  whorl_shape shape;
  enum { STATES = 5000 };
  whorl_shape_init(&shape, whorl_choose_middle, NULL);
  EXPECT(whorl_tree_init(&t, &account, &shape, false));
  EXPECT(whorl_tree_init(&other, &account, &shape, false));
  for (uint64_t i = 0; i < STATES; i++) {
    whorl_state state;
    make_state(i, TRIALS, &state);
    EXPECT(whorl_tree_reserve(&t, 1) && whorl_tree_reserve_roots(&t, 1));
    whorl_tree_add(&t, whorl_tree_pair_of(&t, &state));
  }
  whorl_roots *r = &t.roots;
  uint64_t count = r->count;
  whorl_bucket_put(&r->buckets[r->size], take_out(r, r->size - 1), r->wide);
  whorl_roots_aside(r, take_out(r, r->size / 2));
  EXPECT(whorl_tree_copy(&t, &other) && whorl_tree_count(&other) == count);
  for (uint64_t i = 0; i < STATES; i++) {
    whorl_state state;
    make_state(i, TRIALS, &state);
    EXPECT(whorl_tree_reserve(&other, 1) && whorl_tree_reserve_roots(&other, 1));
    EXPECT(!whorl_tree_add(&other, whorl_tree_pair_of(&other, &state)));
  }
  whorl_tree_free(&t);
  whorl_tree_free(&other);
}

/* What was met lately is known by the whole of its pair: also beside one that has the same place and
 * agrees with it in one half. */
static void test_met(void) {
  whorl_account account = unlimited();
  whorl_tree t;
  whorl_shape shape;
  whorl_shape_init(&shape, whorl_choose_middle, NULL);
  EXPECT(whorl_tree_init(&t, &account, &shape, true));
  for (int half = 0; half <= 32; half += 32) {
    uint64_t one = UINT64_C(7) << 32 | 7, other = one;
    do other += UINT64_C(1) << half; /* only the right half differs, or only the left one */
    while ((other * WHORL_HASH_A ^ one * WHORL_HASH_A) >> (64 - WHORL_MET_LOG));
    EXPECT(!whorl_tree_met(&t, one) && whorl_tree_met(&t, one));
    EXPECT(!whorl_tree_met(&t, other) && whorl_tree_met(&t, other));
    EXPECT(!whorl_tree_met(&t, one));
    whorl_tree_met(&t, other); /* forgets the first one */
  }
  whorl_tree_free(&t);
}

static void test_trees(void) {
  test_met();
  test_copy();
  test_tree(whorl_choose_middle);
  test_tree(choose_front);
  test_tree(choose_end);
  test_tree(choose_some);
}

/* Approximate: what was added is never new again; and with a good hash nothing is lost here. */
static void test_approximate(void) {
  whorl_account account = unlimited();
  whorl_compact c;
  whorl_bitstate b;
  uint64_t range = TRIALS / 2, count = 0;
  uint8_t *seen = (uint8_t *)calloc(range, 1);
  EXPECT(seen && whorl_compact_init(&c, &account) && whorl_bitstate_init(&b, &account, 27));
  for (uint64_t i = 0; i < TRIALS; i++) {
    whorl_state state;
    uint64_t number = make_state(i, range, &state);
    uint64_t hash = whorl_hash(&state);
    EXPECT(whorl_table_reserve(&c.hashes, 1));
    bool fresh = whorl_compact_add(&c, whorl_compact_find(&c, hash), hash);
    bool bits_fresh = whorl_bitstate_add(&b, hash);
    if (seen[number]) EXPECT(!fresh && !bits_fresh);
    if (WHORL_HASH_MASK == UINT64_MAX) EXPECT(fresh == !seen[number]);
    count += !seen[number];
    seen[number] = 1;
  }
  check_table(&c.hashes);
  if (WHORL_HASH_MASK == UINT64_MAX) {
    EXPECT(c.hashes.count == count && b.count > count - count / 1000);
    EXPECT(whorl_compact_collision(&c) < 1e-9);
    EXPECT(whorl_bitstate_collision(&b) < 0.001);
  }
  whorl_table_free(&c.hashes);
  whorl_region_free(&b.memory);
  free(seen);
}

/* A full bit array takes new states for others as often as it says. */
static void test_bitstate_collision(void) {
  if (WHORL_HASH_MASK != UINT64_MAX) return;
  whorl_account account = unlimited();
  whorl_bitstate b;
  enum { STATES = 30000 };
  EXPECT(whorl_bitstate_init(&b, &account, 17));
  for (uint64_t i = 0; i < STATES; i++) whorl_bitstate_add(&b, whorl_mix(i));
  double chance = whorl_bitstate_collision(&b);
  EXPECT(chance > 0.05);
  uint64_t before = b.count;
  enum { MORE = 1000 };
  for (uint64_t i = 0; i < MORE; i++) whorl_bitstate_add(&b, whorl_mix(STATES + i));
  double lost = (double)(MORE - (b.count - before)) / MORE;
  EXPECT(lost > chance * 0.8 && lost < chance * 1.3);
  whorl_region_free(&b.memory);
}

/* What tcc does by halves and bits is what others do with integers of 128 bits. */
static void test_wide(void) {
#ifdef __SIZEOF_INT128__
  uint64_t a = 1, b = UINT64_MAX;
  for (int i = 0; i < 100000; i++) {
    a = whorl_mix(a + 1);
    b = whorl_mix(b ^ a) >> (i % 64);
    EXPECT(whorl_high_by_halves(a, b) == whorl_high(a, b));
    unsigned shift = 1 + (unsigned)i % 63;
    EXPECT(whorl_product_above(a, b, shift) == (uint64_t)(((whorl_uint128)a * b) >> shift));
    if (i >= 2000) continue;
    uint64_t divisor = b | UINT64_C(1) << 63;
    unsigned exponent = (unsigned)i % 127;
    EXPECT(whorl_power_over_by_bits(exponent, divisor) == whorl_power_over(exponent, divisor));
    EXPECT(whorl_power_over_by_bits(63, b + 1) == whorl_power_over(63, b + 1));
  }
#endif
}

int main(void) {
  test_wide();
  test_hash();
  test_region();
  test_table(UINT64_MAX << 32, 200000);
  test_table(UINT64_C(0x7) << 61, 3000); /* eight homes */
  test_table(0, 3000);                   /* one home, at the front */
  test_store();
  test_all_roots();
  test_differing();
  test_trees();
  test_approximate();
  test_bitstate_collision();
  puts("ok");
  return 0;
}
