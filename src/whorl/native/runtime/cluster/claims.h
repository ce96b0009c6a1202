/* One worker's part of a search for cycles, as a library: the functions that partition.h has for safety,
 * and those of the phases (elimination.h).
 *
 * The other side is native/cluster/library.py and claims.py there. What these call a state is here a whole
 * record, and its number of edges is 1. The log is the list of all nodes, by levels.
 */
#ifndef WHORL_CLAIMS_H
#define WHORL_CLAIMS_H

#include "cluster/around.h"
#include "cluster/interface.h"

static int whorl_claims_answer(const whorl_cycles *c) {
  return c->broken ? WHORL_STOP_BROKEN : (int)c->search->stopped;
}

/* How a call begins; `c` is the search from then on. What it is given may be anywhere: it is copied. */
#define WHORL_CLAIMS_CALL                  \
  whorl_cycles *c = &whorl_the_cycles;     \
  if (c->broken) return WHORL_STOP_BROKEN; \
  WHORL_GUARDED

/* --- as for safety --------------------------------------------------------------------------- */

void whorl_part_about(uint32_t about[3]) {
  about[0] = about[1] = sizeof(whorl_record);
  about[2] = WHORL_TRANSITIONS;
}

/* The store and the lists. */
static bool whorl_claims_init(whorl_cycles *c) {
  whorl_search *s = c->search;
  whorl_kind kind = WHORL_CYCLES_KIND(c);
  c->lists.product = &c->product;
  whorl_product_begin(&c->product, s);
  c->product.fault = WHORL_NO_SITE;
  whorl_initial(&c->product.context, &s->initial);
  return whorl_states_init(&c->product.states, kind, &s->visited, &s->account, &s->initial) &&
         whorl_list_init(&c->lists.all, &s->account) &&
         whorl_list_init(&c->lists.left, &s->account) &&
         whorl_list_init(&c->lists.queue, &s->account) && whorl_list_init(&c->starts, &s->account);
}

int whorl_part_begin(const whorl_part_options *asked) {
  whorl_cycles *c = &whorl_the_cycles;
  whorl_search *s = &whorl_the_search;
  memset(c, 0, sizeof *c);
  memset(s, 0, sizeof *s);
  c->search = s;
  c->post = &whorl_the_post;
  whorl_guard_init();
  whorl_heap = &s->account;
  s->account.limit = asked->memory;
  s->started = whorl_now();
#ifdef WHORL_ONLY
  s->options.store = WHORL_ONLY;
#endif
  s->options.max_states = UINT64_MAX;
  s->options.max_depth = asked->max_depth;
  s->options.seconds = asked->seconds;
  WHORL_GUARDED;
  whorl_post_init(c->post, asked->number, asked->count);
  if (!whorl_claims_init(c)) s->stopped = WHORL_STOP_MEMORY;
  return (int)s->stopped;
}

/* Stores the initial node if it is ours. Where the model has no room to begin, `site` says so; else -1. */
int whorl_part_initial(int32_t *site) {
  WHORL_CLAIMS_CALL;
  *site = c->product.context.fault;
  if (*site != WHORL_NO_SITE || !whorl_is_ours(&c->search->initial)) return 0;
  c->search->transitions = 1;
  whorl_record initial = {c->search->initial, WHORL_CLAIM_INITIAL, 1};
  whorl_arrive_records(c, (const char *)&initial, 1);
  return whorl_claims_answer(c);
}

/* Expands up to `budget` nodes of this phase, and of its level. `left`: how many more there are. */
int whorl_part_expand(uint64_t budget, uint64_t *left) {
  WHORL_CLAIMS_CALL;
  whorl_expand_some(c, budget);
  *left = whorl_more_to_expand(c);
  return whorl_claims_answer(c);
}

size_t whorl_part_outbox(uint32_t to, const uint8_t **bytes) {
  return whorl_post_take(&whorl_the_post, to, bytes);
}

int whorl_part_insert(const uint8_t *bytes, size_t length) {
  WHORL_CLAIMS_CALL;
  c->received += length / sizeof(whorl_record);
  whorl_arrive_records(c, (const char *)bytes, length / sizeof(whorl_record));
  return whorl_claims_answer(c);
}

/* The next level begins: how many nodes there are to expand. */
int whorl_part_next(uint64_t *found) {
  WHORL_CLAIMS_CALL;
  *found = whorl_next_level(c);
  return 0;
}

void whorl_part_figures(whorl_part_figures_t *f) {
  const whorl_cycles *c = &whorl_the_cycles;
  const whorl_search *s = &whorl_the_search;
  memset(f, 0, sizeof *f);
  f->states = s->states;
  f->transitions = s->transitions;
  f->logged = c->lists.all.count;
  f->cursor = c->phase == WHORL_EXPLORE ? c->at : c->lists.all.count;
  f->sent = c->post->out.sent;
  f->spared = c->post->out.spared;
  f->received = c->received;
  f->memory = s->account.committed;
  if (c->product.states.visited)
    f->store = whorl_states_bytes(&c->product.states, WHORL_CYCLES_KIND(c));
  f->supersteps = c->explored.count;
  f->stopped = s->stopped;
  f->refused = s->account.refused;
  f->truncated = s->truncated;
  f->endless = s->endless;
}

void whorl_part_reached(uint8_t *out) {
  for (int i = 0; i < WHORL_TRANSITIONS; i++)
    out[i] = (uint8_t)(whorl_the_search.reached[0][i] | whorl_the_search.reached[1][i] << 1);
}

/* Where runs of the claim end in this level, or fault: the least node of each site. How many there are. */
uint32_t whorl_part_failure(uint32_t at, whorl_part_failure_t *out, whorl_record *node) {
  const whorl_cycles *c = &whorl_the_cycles;
  if (at >= c->last_count) return c->last_count;
  memset(out, 0, sizeof *out);
  out->site = c->lasts[at].site;
  out->step = -1;
  *node = c->lasts[at].node;
  return c->last_count;
}

/* A site need not be told of again. */
void whorl_part_told(int32_t site) {
  if (site >= 0) whorl_the_cycles.told[site] = 1;
}

/* The least node of a level from which an edge leads to `to`; `*place` is UINT64_MAX where none does. */
int whorl_part_predecessor(uint32_t level, const whorl_record *to, whorl_record *found,
                           uint64_t *place) {
  WHORL_CLAIMS_CALL;
  whorl_record sought = *to;
  *place = whorl_least_source(c, false, level, &sought, found) ? 0 : UINT64_MAX;
  return whorl_claims_answer(c);
}

/* The choices of an edge between two nodes. The first one has to be ours. */
int whorl_part_steps(const whorl_record *from, const whorl_record *to, int32_t step,
                     int32_t *choices, uint32_t most, uint32_t *count) {
  WHORL_CLAIMS_CALL;
  whorl_record source = *from, target = *to;
  const whorl_edge *edge = NULL;
  (void)step;
  int64_t length = whorl_steps_between(c, &source, &target, &edge);
  if (length < 0) whorl_cannot_be(c);
  *count = (uint32_t)length;
  if (length < 0 || length > most) return whorl_claims_answer(c);
  const whorl_step *steps = c->product.context.steps;
  for (int32_t at = edge->step; at >= 0; at = steps[at].from) {
    int32_t *choice = choices + 4 * --length;
    choice[0] = steps[at].pid;
    choice[1] = steps[at].transition;
    choice[2] = steps[at].partner;
    choice[3] = steps[at].partner == WHORL_NOBODY ? -1 : steps[at].partner_transition;
  }
  return whorl_claims_answer(c);
}

/* A node does not know where it was found from. */
int whorl_part_origin(uint64_t place, whorl_record *node, uint32_t *parent) {
  (void)place, (void)node, (void)parent;
  return WHORL_STOP_BROKEN;
}

/* Up to `most` records of the log from a place on. How many. */
uint64_t whorl_part_records(uint64_t from, uint64_t most, whorl_record *out) {
  const whorl_cycles *c = &whorl_the_cycles;
  uint64_t at = from;
  for (; at < c->lists.all.count && at - from < most; at++)
    whorl_record_of(c, c->lists.all.nodes[at], out++);
  return at - from;
}

/* Puts records of a log at its end again. */
int whorl_part_load(const uint8_t *bytes, size_t length) {
  WHORL_CLAIMS_CALL;
  whorl_arrive_records(c, (const char *)bytes, length / sizeof(whorl_record));
  return whorl_claims_answer(c);
}

/* After that: where its levels began. The last one is to be expanded. */
int whorl_part_resume(const uint64_t *begins, uint32_t count) {
  WHORL_CLAIMS_CALL;
  for (uint32_t i = 0; i < count; i++) whorl_levels_add(&c->explored, begins[i]);
  c->at = count ? begins[count - 1] : 0;
  c->end = c->lists.all.count;
  return 0;
}

uint32_t whorl_part_begins(uint64_t *out, uint32_t most) {
  const whorl_levels *l = &whorl_the_cycles.explored;
  for (uint32_t i = 0; i < l->count && i < most; i++) out[i] = l->begins[i];
  return l->count;
}

static void whorl_list_free(whorl_list *l) {
  whorl_region_free(&l->memory);
  whorl_region_free(&l->found_memory);
}

static void whorl_states_free(whorl_cycles *c) {
  whorl_states *s = &c->product.states;
  if (WHORL_CYCLES_KIND(c) == WHORL_TREE) {
    whorl_tree_free(&s->visited->tree);
    whorl_table_free(&s->index);
    whorl_region_free(&s->pairs);
  } else {
    whorl_arena_free(&s->visited->exact.arena);
    whorl_table_free(&s->visited->exact.index);
  }
  whorl_region_free(&s->rows);
}

/* Gives back what is stored, and what takes most of the rest. Nothing may be called after it but begin. */
void whorl_part_end(void) {
  whorl_cycles *c = &whorl_the_cycles;
  whorl_product *p = &c->product;
  if (!c->post) return; /* it has not begun, or is over */
  c->search->stopped = WHORL_STOP_INTERRUPTED;
  if (p->states.visited) whorl_states_free(c);
  whorl_list_free(&c->lists.all);
  whorl_list_free(&c->lists.left);
  whorl_list_free(&c->lists.queue);
  whorl_list_free(&c->starts);
  whorl_post_free(c->post);
  if (p->context.states) whorl_context_free(&p->context);
  free(p->sought);
  free(p->foldings);
  free(p->steps);
  free(p->edges);
  free(c->lasts);
  free(c->explored.begins);
  free(c->around.begins);
  c->post = NULL;
  whorl_heap = NULL;
}

/* --- phases and rounds ----------------------------------------------------------------------- */

/* All nodes have been explored: what is left at first, and how many nodes that is. */
int whorl_claims_leave(uint64_t *left) {
  WHORL_CLAIMS_CALL;
  c->product.retraces = true;
  whorl_leave_all(&c->lists);
  *left = c->lists.left.count;
  return whorl_claims_answer(c);
}

/* Begins a phase. `goal`: where a way round begins and ends. `bit`: of starts that spread, those without
 * it do. */
int whorl_claims_phase(uint32_t phase, const whorl_record *goal, uint32_t bit) {
  WHORL_CLAIMS_CALL;
  whorl_post_forget(c->post);
  c->phase = (whorl_phase)phase;
  switch (c->phase) {
    case WHORL_REACH:
      whorl_begin_reach(c);
      break;
    case WHORL_ELIMINATE:
      whorl_begin_eliminate(c);
      break;
    case WHORL_SPREAD:
      whorl_begin_spread(c, bit);
      break;
    case WHORL_GO_ROUND:
      if (goal) whorl_begin_round(c, goal);
      break;
    default:
      return WHORL_STOP_BROKEN;
  }
  return whorl_claims_answer(c);
}

/* Nodes have been eliminated: how many are left, and whether all of them accept. */
int whorl_claims_round(uint64_t *left, uint32_t *accepts) {
  WHORL_CLAIMS_CALL;
  bool all = false;
  whorl_end_round(c, &all);
  *left = c->lists.left.count;
  *accepts = all;
  return whorl_claims_answer(c);
}

/* --- the counterexample ---------------------------------------------------------------------- */

/* All starts there are. How many. */
int whorl_claims_starts(uint64_t *count) {
  WHORL_CLAIMS_CALL;
  whorl_leave_unvisited(c);
  whorl_begin_starts(c);
  *count = c->starts.count;
  return whorl_claims_answer(c);
}

/* How many of the starts there are now are without a bit, and how many have not been visited. */
int whorl_claims_count(uint32_t bit, uint64_t *without, uint64_t *unvisited) {
  WHORL_CLAIMS_CALL;
  *without = 0;
  for (uint64_t i = 0; i < c->starts.count; i++) *without += !whorl_start_has_bit(c, i, bit);
  *unvisited = whorl_unvisited_starts(c);
  return 0;
}

/* Goes on with those that have not been visited, or with those without a bit. How many there are. */
int whorl_claims_keep(uint32_t unvisited, uint32_t bit, uint64_t *count) {
  WHORL_CLAIMS_CALL;
  whorl_keep_starts(c, unvisited != 0, bit);
  *count = c->starts.count;
  return 0;
}

/* Of the starts that were explored first the least one, and its level: UINT64_MAX where there is none. */
int whorl_claims_first(uint64_t *level, whorl_record *first) {
  WHORL_CLAIMS_CALL;
  *level = UINT64_MAX;
  whorl_first_start(c, level, first);
  return 0;
}

/* On the way round: the least node of this level from which an edge leads to the goal. Whether there is
 * one. */
uint32_t whorl_claims_closing(whorl_record *node) {
  const whorl_cycles *c = &whorl_the_cycles;
  if (c->closes) *node = c->closing;
  return c->closes;
}

/* As whorl_part_predecessor, of a level of the way round. */
int whorl_claims_around(uint32_t level, const whorl_record *to, whorl_record *found,
                        uint64_t *place) {
  WHORL_CLAIMS_CALL;
  whorl_record sought = *to;
  *place = whorl_least_source(c, true, level, &sought, found) ? 0 : UINT64_MAX;
  return whorl_claims_answer(c);
}

/* Whether a node is ours. */
uint32_t whorl_claims_owns(const whorl_record *node) { return whorl_is_ours(&node->state); }

/* Of a site what failed there, as a transition plus one (0: nothing), where the program does not stop. */
int32_t whorl_claims_met(int32_t site) {
  return site >= 0 && site < WHORL_SITES ? whorl_the_search.met[site] : 0;
}

/* The site where a limit of this library was met: a larger one has to be made. -1: none. */
int32_t whorl_claims_crowded(void) {
  for (int32_t site = 0; site < WHORL_SITES; site++)
    if (whorl_the_search.reported[site]) return site;
  return -1;
}

/* How many sites there are, and how many nodes were met after exploring that had not been explored. */
uint64_t whorl_claims_facts(uint32_t *sites) {
  *sites = WHORL_SITES;
  return whorl_the_cycles.strangers;
}

#endif
