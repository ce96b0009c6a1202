/* Depth first with sleep sets, as in search/sleep.py (Godefroid, LNCS 1032, Figure 5.2).
 *
 * The field of a node has the number of H(s).Sleep, plus one; 0 if the node is not in H. Beside each
 * entry of the stack that waits is the number of its s'.Sleep. All entries of a visit are pushed at
 * once; whether there is anything to do for one is seen when its turn comes. Until it is pushed, the
 * number is in place of the marks of its edge, which only fairness has.
 */
#ifndef WHORL_SLEEP_H
#define WHORL_SLEEP_H

#include "search/failures.h"

typedef struct {
  whorl_product *p;
  whorl_region memory;
  uint32_t *entries; /* beside the stack of the product */
  uint64_t *names;   /* what sleeps, as more and more of the steps of a visit have been taken */
  uint64_t *still;   /* of that, what does where one of them leads */
  uint32_t room;
} whorl_sleepers;

#ifdef WHORL_SLEEP_SETS_H

static void whorl_sleepers_reserve(whorl_sleepers *t, uint32_t names) {
  uint32_t after = t->room ? t->room : 256;
  if (names <= t->room) return;
  while (after < names) after *= 2;
  t->names = (uint64_t *)whorl_grown(t->names, t->room * sizeof *t->names, after * 8);
  t->still = (uint64_t *)whorl_grown(t->still, t->room * sizeof *t->still, after * 8);
  t->room = after;
}

/* Begins a visit to a state in which some steps sleep; `*kept` is H(s).Sleep, before and after. False,
 * if there is no need. */
static bool whorl_begin_visit(whorl_sleepers *t, bool again, uint32_t asleep, uint32_t *kept) {
  whorl_sleep_sets *sets = &whorl_beds.sets;
  whorl_sleep before = whorl_sleep_set(sets, *kept), now = whorl_sleep_set(sets, asleep);
  if (again && whorl_sleep_within(before, now)) return false;
  whorl_beds.again = again;
  whorl_beds.asleep = asleep;
  whorl_beds.stored = *kept;
  whorl_beds.slept = false;
  if (!again) {
    *kept = asleep;
    return true;
  }
  uint32_t count = 0;
  whorl_sleepers_reserve(t, before.count);
  for (uint32_t i = 0; i < before.count; i++)
    if (whorl_sleeps(now, before.names[i])) t->names[count++] = before.names[i];
  *kept = whorl_sleep_number(sets, t->names, count);
  return true;
}

/* The first step of the run that ends with a step. */
static inline int32_t whorl_first_of(const whorl_context *c, int32_t last) {
  while (c->steps[last].from >= 0) last = c->steps[last].from;
  return last;
}

/* Whether of two runs the one that ends with steps[a] comes first where, at each choice, all that
 * begins with one step comes before what begins with the next. */
static bool whorl_run_precedes(const whorl_context *c, int32_t a, int32_t b) {
  int32_t lengths[2] = {0, 0}, at[2] = {a, b};
  for (int i = 0; i < 2; i++)
    for (int32_t step = at[i]; step >= 0; step = c->steps[step].from) lengths[i]++;
  for (int i = 0; i < 2; i++)
    for (int32_t more = lengths[i] - lengths[1 - i]; more > 0; more--) at[i] = c->steps[at[i]].from;
  while (c->steps[at[0]].from != c->steps[at[1]].from)
    for (int i = 0; i < 2; i++) at[i] = c->steps[at[i]].from;
  return at[0] < at[1];
}

/* Puts the edges of the node expanded last in the order of the reference engine. */
static void whorl_sort_edges(whorl_product *p) {
  for (uint32_t i = 1; i < p->edge_count; i++) {
    whorl_edge edge = p->edges[i];
    uint32_t at = i;
    for (; at > 0 && whorl_run_precedes(&p->context, edge.step, p->edges[at - 1].step); at--)
      p->edges[at] = p->edges[at - 1];
    p->edges[at] = edge;
  }
}

/* Whether a step may sleep: nothing but it decides whether it can be taken, and everybody may go on
 * behind each of its runs. */
static bool whorl_may_sleep(const whorl_product *p, int32_t first) {
  const whorl_context *c = &p->context;
  if (c->waits) return false;
  if (!c->keeps && !whorl_faults(c)) return true;
  for (int32_t i = 0; i < (int32_t)c->count; i++) {
    const whorl_step *step = &c->steps[i];
    bool ends = step->fault || (!step->passed && step->holder != WHORL_NOBODY);
    if (ends && whorl_first_of(c, i) == first) return false;
  }
  return true;
}

/* What sleeps where each edge of the node leads, in which a set of steps does. */
static void whorl_put_to_sleep(whorl_sleepers *t, uint32_t kept) {
  whorl_product *p = t->p;
  whorl_sleep_sets *sets = &whorl_beds.sets;
  whorl_sleep asleep = whorl_sleep_set(sets, kept);
  uint32_t count = asleep.count;
  whorl_sleepers_reserve(t, count + p->edge_count);
  if (count) memcpy(t->names, asleep.names, count * sizeof *t->names);
  whorl_sort_edges(p);
  for (uint32_t i = 0; i < p->edge_count;) {
    int32_t first = whorl_first_of(&p->context, p->edges[i].step);
    uint64_t name = whorl_step_name(&p->context.steps[first]);
    bool may = whorl_may_sleep(p, first);
    uint32_t still = 0;
    for (uint32_t k = 0; may && k < count; k++)
      if (whorl_are_independent(p->source.state, name, t->names[k]))
        t->still[still++] = t->names[k];
    uint32_t number = whorl_sleep_number(sets, t->still, still);
    for (; i < p->edge_count && whorl_first_of(&p->context, p->edges[i].step) == first; i++)
      p->edges[i].marks = number;
    if (may) t->names[count++] = name;
  }
}

#else /* nothing can be reduced: nothing ever sleeps */

#define whorl_begin_visit(t, again, asleep, kept) (!(again))
#define whorl_put_to_sleep(t, kept) ((void)0)

#endif

/* Enters the node on top of the stack, unless there is no need. */
static void whorl_sleep_enter(whorl_sleepers *t) {
  whorl_product *p = t->p;
  whorl_search *search = p->search;
  uint64_t at = p->height - 1;
  whorl_node node = p->stack[at];
  uint32_t colour = whorl_colour(p, node), kept = colour ? colour - 1 : 0;
  bool is_deep = p->depth > search->options.max_depth;
  if (!whorl_begin_visit(t, colour != 0, t->entries[at], &kept) || is_deep) {
    search->truncated |= is_deep;
    p->height--;
    return;
  }
  if (colour == 0 && !whorl_product_count(p)) return;
  whorl_set_colour(p, node, kept + 1);
  p->stack[at] = node | WHORL_ENTERED;
  if (p->depth > search->depth) search->depth = p->depth;
  p->depth++;
  p->context.avoid = whorl_nobody();
  whorl_expand_any(p, node);
  if (!whorl_may_go_on(p)) return;
  if (!whorl_region_commit(&t->memory, (p->height + p->edge_count + 1) * sizeof *t->entries)) {
    search->stopped = WHORL_STOP_MEMORY;
    return;
  }
  whorl_put_to_sleep(t, kept);
  for (uint32_t i = p->edge_count; i-- > 0;) {
    t->entries[p->height] = (uint32_t)p->edges[i].marks;
    whorl_product_push(p, p->edges[i].node);
  }
  if (!WHORL_ALL_SLEEP) whorl_look_for_failures(p);
}

static void whorl_sleep_search(whorl_product *p) {
  static whorl_sleepers sleepers; /* zeroed */
  whorl_sleepers *t = &sleepers;
  t->p = p;
  if (!whorl_region_init(&t->memory, &p->search->account, (size_t)1 << 39) ||
      !whorl_region_commit(&t->memory, WHORL_CHUNK)) {
    p->search->stopped = WHORL_STOP_MEMORY;
    return;
  }
  t->entries = (uint32_t *)(void *)t->memory.base;
  t->entries[0] = 0;
  while (p->height > 0 && !p->search->stopped) {
    whorl_product_prefetch(p);
    if (p->stack[p->height - 1] & WHORL_ENTERED) {
      p->height--;
      p->depth--;
    } else {
      whorl_sleep_enter(t);
    }
  }
  assert(p->search->stopped || p->depth == 0);
}

#endif
