/* A search for cycles by several threads: who takes part in it, and what is given to those who have nothing
 * to do.
 *
 * A thread's stack begins with nodes that no cycle of interest goes through, each of which one thread expands
 * for all (cndfs.h). Of what waits to be visited above these, the oldest half is given away, with the nodes
 * that have been entered below it. Where there is none, the first node of the stack that a cycle may go
 * through is given: the other one searches from there, too, in another order, and each skips what the
 * other has left behind.
 */
#ifndef WHORL_HANDOVER_H
#define WHORL_HANDOVER_H

#include "search/cyan.h"
#include "search/lasso.h"

#define WHORL_HANDED_OVER (~WHORL_ENTERED) /* instead of a node on the stack */
#ifndef WHORL_HANDOVER_MOST
#define WHORL_HANDOVER_MOST 256 /* nodes */
#endif
#ifndef WHORL_JOIN_FROM
#define WHORL_JOIN_FROM 64 /* less than so many entries are no work for two */
#endif

/* A thread's part of the search. */
typedef struct {
  whorl_product *product;
  whorl_cyan cyan; /* of nodes on the stack */
  whorl_cyan pink; /* of those below */
  whorl_node *pinks;
  uint64_t pink_room;
  uint64_t bottom; /* nothing below this place of the stack can be given away */
  uint64_t dice;   /* 0: the order of edges is as it comes */
  bool alone;      /* the others are still to come */
} whorl_cndfs;

/* Whether a node may be on an accepting cycle. */
static inline bool whorl_on_cycles(whorl_node node) {
  return WHORL_PROGRAM_ACCEPTS || whorl_claim_kind[whorl_node_claim(node)] != WHORL_TRANSIENT;
}

/* Whether it may also be on one that is not. */
static inline bool whorl_is_mixed(whorl_node node) {
  return WHORL_PROGRAM_ACCEPTS || WHORL_COPIED ||
         whorl_claim_kind[whorl_node_claim(node)] == WHORL_MIXED;
}

static inline bool whorl_is_done(const whorl_product *p, whorl_node node);
static void whorl_cndfs_work(whorl_cndfs *s);

/* --- work --------------------------------------------------------------------------------------- */

/* The oldest nodes that wait, by place: up to half of them. What others have done is forgotten. `end`: where
 * a cycle may begin, or the height. */
static uint32_t whorl_oldest_waiting(whorl_cndfs *s, uint64_t *places, uint64_t *end) {
  whorl_product *p = s->product;
  uint32_t count = 0;
  uint64_t at = s->bottom;
  for (; at < p->height && count < WHORL_HANDOVER_MOST; at++) {
    whorl_node node = p->stack[at];
    if (node == WHORL_HANDED_OVER) continue;
    if (node & WHORL_ENTERED) {
      if (whorl_on_cycles(node)) break;
    } else if (whorl_is_done(p, node)) {
      p->stack[at] = WHORL_HANDED_OVER;
    } else {
      places[count++] = at;
    }
  }
  *end = at;
  s->bottom = count ? places[0] : at;
  return count < WHORL_HANDOVER_MOST ? count / 2 : count;
}

/* The nodes entered below the place `end` of the stack, and those that wait at some places there, as a stack
 * of its own. */
static whorl_parcel *whorl_copy_stack(const whorl_product *p, uint64_t end, const uint64_t *places,
                                      uint32_t count) {
  whorl_parcel *parcel = (whorl_parcel *)whorl_taken(sizeof *parcel);
  uint32_t entered = 0;
  for (uint64_t at = 0; at < end; at++) entered += (p->stack[at] & WHORL_ENTERED) != 0;
  parcel->next = NULL;
  parcel->entries = (uint64_t *)whorl_taken((size_t)(entered + count) * 8);
  parcel->count = 0;
  for (uint64_t at = 0, next = 0; at < end; at++) {
    bool waits = next < count && places[next] == at;
    next += waits;
    if (waits || p->stack[at] & WHORL_ENTERED) parcel->entries[parcel->count++] = p->stack[at];
  }
  return parcel;
}

/* Something for a thread that has nothing to do; NULL: there is nothing. */
static __attribute__((noinline)) whorl_parcel *whorl_hand_over(whorl_cndfs *s) {
  whorl_product *p = s->product;
  uint64_t places[WHORL_HANDOVER_MOST], end;
  uint32_t count = whorl_oldest_waiting(s, places, &end);
  if (count > 0) {
    whorl_parcel *parcel = whorl_copy_stack(p, places[count - 1] + 1, places, count);
    for (uint32_t i = 0; i < count; i++) p->stack[places[i]] = WHORL_HANDED_OVER;
    return parcel;
  }
  if (end + WHORL_JOIN_FROM >= p->height || whorl_is_done(p, p->stack[end])) return NULL;
  whorl_parcel *parcel = whorl_copy_stack(p, end + 1, NULL, 0);
  parcel->entries[parcel->count - 1] &= ~WHORL_ENTERED;
  return parcel;
}

/* There is nothing left on the stack. Whether there is by now. */
static bool whorl_take_over(whorl_cndfs *s) {
  whorl_product *p = s->product;
  whorl_parcel *parcel = whorl_wait_for_parcel(p->search);
  if (!parcel) return false;
  bool room = whorl_region_commit(&p->memory, (size_t)parcel->count * 8);
  if (room) {
    memcpy(p->stack, parcel->entries, (size_t)parcel->count * 8);
    p->height = parcel->count;
    p->depth = 0;
    for (uint64_t at = 0; at < p->height; at++) p->depth += (p->stack[at] & WHORL_ENTERED) != 0;
  } else {
    p->search->stopped = WHORL_STOP_MEMORY;
  }
  s->bottom = 0;
  whorl_given_back(parcel->entries, (size_t)parcel->count * 8);
  whorl_given_back(parcel, sizeof *parcel);
  return room && whorl_cyan_reserve(&s->cyan, p->height);
}

/* --- threads ------------------------------------------------------------------------------------ */

/* A thread's part of a search, with what it has on its stack. NULL: there is no memory. */
static whorl_cndfs *whorl_cndfs_new(whorl_product *p) {
  whorl_account *account = &whorl_main_search(p->search)->account;
  whorl_cndfs *s = (whorl_cndfs *)calloc(1, sizeof *s);
  if (!s || !whorl_cyan_init(&s->cyan, account) || !whorl_cyan_init(&s->pink, account) ||
      !whorl_cyan_reserve(&s->cyan, p->height))
    return NULL;
  s->product = p;
  return s;
}

/* One more thread, which begins where the first one did if a cycle may go through that. */
static whorl_cndfs *whorl_cndfs_join(const whorl_product *first, uint32_t number) {
  size_t size = whorl_round_up(sizeof(whorl_search), WHORL_LINE);
  whorl_search *search = (whorl_search *)aligned_alloc(WHORL_LINE, size);
  whorl_product *p = (whorl_product *)calloc(1, sizeof *p);
  if (!search || !p) return NULL;
  memset(search, 0, size);
  search->options = first->search->options;
  search->crew = first->search->crew;
  search->number = number;
  search->started = first->search->started;
  if (!whorl_tree_view(&search->visited.tree, &first->search->visited.tree)) return NULL;
  p->states.visited = &search->visited;
  p->fault = WHORL_NO_SITE;
  whorl_product_begin(p, search);
  if (!whorl_product_begin_stack(p, &first->search->account, (size_t)1 << 35)) return NULL;
  if (whorl_on_cycles(first->stack[0])) whorl_product_push(p, first->stack[0] & ~WHORL_ENTERED);
  whorl_cndfs *s = whorl_cndfs_new(p);
  if (s) s->dice = whorl_mix(number);
  return s;
}

static void *whorl_cndfs_main(void *argument) {
  whorl_cndfs *s = (whorl_cndfs *)argument;
  whorl_search *search = s->product->search;
  whorl_self = search;
  pthread_mutex_lock(&search->crew->lock); /* until all are there */
  pthread_mutex_unlock(&search->crew->lock);
  whorl_cndfs_work(s);
  return NULL;
}

/* The others come, and all begin together. Where the system does not give so many threads, fewer have to
 * do. */
static __attribute__((noinline)) void whorl_cndfs_gather(whorl_cndfs *s) {
  whorl_search *first = s->product->search;
  whorl_crew *crew = first->crew;
  uint32_t count = 1;
  s->alone = false;
  first->shares.alone = whorl_now() - first->started;
  pthread_mutex_lock(&crew->lock);
  atomic_store(&crew->states, first->states);
  for (; count < first->options.threads; count++) {
    whorl_cndfs *other = whorl_cndfs_join(s->product, count);
    if (!other || pthread_create(&crew->threads[count], NULL, whorl_cndfs_main, other)) break;
    crew->workers[count] = other->product->search;
  }
  crew->count = count;
  pthread_mutex_unlock(&crew->lock);
  if (count > 1) whorl_attend(first, false);
}

#endif
