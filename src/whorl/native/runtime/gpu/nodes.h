/* Nodes of the product of the program and a claim, and their edges, as search/product.h has them.
 *
 * A node is a program state and a place: the state of the claim and whether the run has stopped. The claim
 * moves first. Fairness and claims in SI normal form, which have further places, are not for a GPU. */
#ifndef WHORL_GPU_NODES_H
#define WHORL_GPU_NODES_H

#include "gpu/deliver.h"
#include "gpu/least.h"
#include "gpu/room.h"

_Static_assert(!WHORL_FAIR && !WHORL_CLAIM_SAME && !WHORL_SAFETY, "a claim of another kind");
_Static_assert(WHORL_PLACED, "places are stored");

#define WHORL_STUTTERS (WHORL_ASKS_PROGRESS || WHORL_STOPS ? 2 : 1)
#define WHORL_STUTTER (-1)

typedef struct {
  whorl_state state;
  whorl_state freed; /* the same without its holder */
  whorl_context context;
  const uint16_t *targets; /* where the claim may go */
  uint32_t ways;           /* how many these are; 0: there is no edge */
  int32_t fault;           /* the site of a proposition that has no value, but is needed */
  bool stuttering;         /* the run has stopped */
  bool moves;              /* the program has a step */
  bool ends;               /* the claim can reach the end of its body */
} whorl_node;

static inline uint32_t whorl_claim_of(uint64_t place) {
  return (uint32_t)(place % WHORL_CLAIM_STATES);
}

static inline bool whorl_accepts(const whorl_world *w, uint64_t index) {
  if (whorl_claim_accepting[whorl_claim_of(whorl_place_of(w, index))]) return true;
  if (!WHORL_PROGRAM_ACCEPTS) return false;
  whorl_state state;
  whorl_get(w, index, &state);
  return whorl_flag(&state);
}

/* Whether an edge can be on an accepting cycle, as far as the claim knows. */
static inline bool whorl_edge_counts(uint64_t from, uint64_t to) {
  return whorl_claim_component[whorl_claim_of(from)] == whorl_claim_component[whorl_claim_of(to)];
}

/* Whether nothing can move without a timeout. */
static inline bool whorl_is_stuck(whorl_context *c, const whorl_state *s) {
  whorl_context_clear(c);
  c->timeout = false;
  whorl_steps(c, s, 0, whorl_processes(s) - 1);
  return c->count == 0;
}

static inline int32_t whorl_needed_fault(const int32_t *sites, uint32_t state) {
  for (uint32_t needed = whorl_claim_support[state]; needed; needed &= needed - 1)
    if (sites[__builtin_ctz(needed)] != WHORL_NO_SITE) return sites[__builtin_ctz(needed)];
  return WHORL_NO_SITE;
}

/* Reads the letter of a node and moves the claim. Whether the program is to move. */
static inline bool whorl_move_claim(whorl_node *n, uint64_t place) {
  int32_t sites[32];
  whorl_context *c = &n->context;
  const uint32_t claim = whorl_claim_of(place);
  n->stuttering = place / WHORL_CLAIM_STATES % WHORL_STUTTERS;
  n->ways = 0;
  n->ends = n->moves = false;
  n->fault = WHORL_NO_SITE;
  bool stuck = WHORL_ASKS_TIMEOUT && whorl_is_stuck(c, &n->state);
  uint32_t letter = whorl_letter(c, &n->state, stuck, n->stuttering, sites);
  if (WHORL_FAULTY) n->fault = whorl_needed_fault(sites, claim);
  if (n->fault != WHORL_NO_SITE) return false;
  n->targets = whorl_targets(claim, letter);
  uint32_t ways = *n->targets++;
  for (uint32_t i = 0; i < ways && !WHORL_INFINITE_RUNS; i++)
    n->ends |= whorl_claim_ends[n->targets[i]];
  if (!n->ends) n->ways = ways;
  return n->ways > 0;
}

/* Expands the node at an index. Whether there was enough room; if not it is put off. */
static WHORL_OUT_OF_LINE bool whorl_expand_node(const whorl_world *w, uint64_t index,
                                                whorl_node *n) {
  bool endless = false;
  whorl_context *c = &n->context;
  whorl_use_room(w, c);
  whorl_get(w, index, &n->state);
  if (whorl_move_claim(n, whorl_place_of(w, index))) {
    c->count = 0;
    n->moves = !n->stuttering && whorl_expand(c, &n->state, &endless);
  }
  if (c->overflow) {
    whorl_later(w, index);
    return false;
  }
  if (endless) whorl_say(&w->tally->endless);
  return true;
}

/* An edge: where it leads, and the step that ends it. */
typedef struct {
  const whorl_state *end;
  uint64_t place;
  int32_t step;
  uint32_t next_step, next_way;
} whorl_edge;

/* The state in which the run of a step ends; after a fault, that before it. */
static inline const whorl_state *whorl_end_of(whorl_node *n, uint32_t step) {
  const whorl_context *c = &n->context;
  if (!c->steps[step].fault) return &c->states[step];
  if (c->steps[step].from >= 0) return &c->states[c->steps[step].from];
  if (whorl_holder(&n->state) == WHORL_NOBODY) return &n->state;
  n->freed = n->state;
  whorl_set_holder(&n->freed, WHORL_NOBODY);
  return &n->freed;
}

static inline void whorl_first_edge(whorl_edge *e) { e->next_step = e->next_way = 0; }

/* The next edge of a node that was expanded, if there is one. */
static inline bool whorl_next_edge(whorl_node *n, whorl_edge *e) {
  const whorl_context *c = &n->context;
  if (n->ways == 0) return false;
  if (!n->moves) {
    if (WHORL_INFINITE_RUNS || e->next_way == n->ways) return false;
    e->end = &n->state;
    e->step = WHORL_STUTTER;
    e->place = n->targets[e->next_way++];
    if (WHORL_ASKS_PROGRESS || n->stuttering) e->place += WHORL_CLAIM_STATES;
    return true;
  }
  for (; e->next_step < c->count; e->next_step++, e->next_way = 0) {
    const whorl_step *step = &c->steps[e->next_step];
    if (step->passed || (step->fault && !WHORL_STOPS) || e->next_way == n->ways) continue;
    e->end = whorl_end_of(n, e->next_step);
    e->step = (int32_t)e->next_step;
    e->place = n->targets[e->next_way++];
    if (step->fault) e->place += WHORL_CLAIM_STATES;
    return true;
  }
  return false;
}

/* Whether an edge leads to a node. */
static inline bool whorl_edge_leads(const whorl_edge *e, const uint64_t *target) {
  uint64_t differ = e->place ^ target[WHORL_WORDS];
  for (int i = 0; i < WHORL_WORDS; i++) differ |= e->end->words[i] ^ target[i];
  return differ == 0;
}

/* --- all nodes ------------------------------------------------------------------------------------ */

/* Takes note of what fails in a step: that is no violation here. Where the model has no room the search ends. */
static inline void whorl_note_met(const whorl_world *w, const whorl_context *c,
                                  const whorl_step *step) {
  int32_t last = step->partner != WHORL_NOBODY ? step->partner_transition : step->transition;
  whorl_note_reached(w, step);
  if (step->site == WHORL_NO_SITE) return;
  WHORL_NOTE(w->met[step->site], last + 1);
  for (int32_t i = step->further; i != WHORL_NO_SITE; i = c->further[i].next)
    WHORL_NOTE(w->met[c->further[i].site], last + 1);
  if (step->fault && WHORL_GROWS && whorl_site_kinds[step->site] == 1) whorl_fails(w, step->site);
}

/* Where a run of the claim comes to its end, or a proposition has no value. */
static inline void whorl_note_node(const whorl_world *w, const whorl_node *n) {
  if (n->fault != WHORL_NO_SITE) whorl_fails(w, n->fault);
  if (n->ends) whorl_fails(w, WHORL_END_SITE);
}

/* Stores the initial node. A fault in the initial state is a failure. */
WHORL_KERNEL whorl_claim_begin(const whorl_world *w) {
  whorl_node n;
  whorl_spare spare = {0, false};
  if (whorl_thread() > 0) return;
  whorl_use_room(w, &n.context);
  memset(&n.state, 0, sizeof n.state);
  whorl_initial(&n.context, &n.state);
  if (n.context.fault != WHORL_NO_SITE)
    whorl_fails(w, n.context.fault);
  else
    whorl_insert(w, &n.state, WHORL_CLAIM_INITIAL, &spare);
}

/* Expands nodes for the first time, and stores what follows. */
WHORL_KERNEL whorl_claim_explore(const whorl_world *w) {
  uint64_t index, edges = 0;
  whorl_node n;
  whorl_edge e;
  whorl_spare spare = {0, false};
  if (whorl_is_mine(w, &index) && whorl_expand_node(w, index, &n)) {
    whorl_note_node(w, &n);
    for (uint32_t i = 0; n.moves && i < n.context.count; i++)
      whorl_note_met(w, &n.context, &n.context.steps[i]);
    for (whorl_first_edge(&e); whorl_next_edge(&n, &e); edges++)
      whorl_insert(w, e.end, e.place, &spare);
  }
  whorl_count_up(w, edges, &spare);
}

#endif
