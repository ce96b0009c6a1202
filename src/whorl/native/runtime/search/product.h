/* The product of the program and a claim, on the fly.
 *
 * A node is a program state and a place: the state of the claim and, where fairness is by copies,
 * the copy. From the node (q, s) the claim moves first: it reads the letter of q, the truth of each
 * of its propositions there, and goes from s to s'; then the program goes from q to q'. So a claim
 * that cannot move costs no expansion, and one that can move in several ways costs only one. Where
 * the program has no step left it stays in q for ever, and the claim goes on reading q's letter
 * (unless WHORL_INFINITE_RUNS). So it does in the state before a step that faults, which ends the run.
 * Other runs may go on from that state; so a node where the run has been stopped has a place of its
 * own. Since `np_` is false while a run stutters, a claim that looks at it has such places, too, for
 * runs that end by themselves.
 *
 * The stack of a search has a word for each node that is being visited or waits to be: the
 * successors that looked new when a node was expanded are pushed at once, so that nothing is
 * expanded again when the search comes back. The way to a node is what has been entered below it.
 *
 *   entry   | reference of the state : 32 | entered : 1 | flag : 1 | place : 30 |
 *
 * The generator writes, beside the model itself (native/code/claim.py):
 *
 *   WHORL_ALGORITHM                     which search: one of the numbers below
 *   WHORL_FAIR, WHORL_INFINITE_RUNS     0 or 1
 *   WHORL_SAFETY                        1: the claim looks at nothing, and violations of safety are
 *                                       looked for (failures.h)
 *   WHORL_GROWS                         1: a verifier with room for more can be made
 *   WHORL_CLAIM_STATES, WHORL_CLAIM_INITIAL
 *   WHORL_CLAIM_WAYS                    the most edges of a state
 *   WHORL_CLAIM_SAME                    not 0: the claim is read in SI normal form, and where q' has
 *                                       the letter of q it is in s' + WHORL_CLAIM_SAME
 *   whorl_same_letter(letter, other)    whether the claim tells two letters apart by no label; there
 *                                       if WHORL_CLAIM_SAME
 *   WHORL_CLAIM_FOREVER                 then: the one state from which only that letter may follow
 *   WHORL_ASKS_TIMEOUT, WHORL_ASKS_PROGRESS
 *                                       whether a proposition looks at timeout, or at np_
 *   WHORL_FAULTY                        whether a proposition may have no value
 *   WHORL_STOPS                         whether a run that counts may end in a fault
 *   WHORL_PROGRAM_ACCEPTS               whether nodes with a process at an accept label accept
 *   whorl_claim_accepting[s], whorl_claim_ends[s]
 *   whorl_claim_component[s]            of the claim's graph
 *   whorl_claim_kind[s]                 of that component: one of the kinds below
 *   whorl_claim_support[s]              the propositions that its moves depend on
 *   whorl_letter(c, state, stuck, stuttering, sites)
 *                                       the letter of a state, and for each proposition the site of
 *                                       the fault by which it has no value
 *   whorl_targets(s, letter)            where the claim may go: how many, then which
 *   whorl_flag(state)                   some process is at an accept label; for WHORL_FIG5: none is
 *                                       at a progress label
 */
#ifndef WHORL_PRODUCT_H
#define WHORL_PRODUCT_H

#include "model/expand.h"

#define WHORL_FIG2 2
#define WHORL_FIG4 4
#define WHORL_FIG5 5
#define WHORL_COLOURS 6
#define WHORL_SCC 7
#define WHORL_TWO_PHASE 8
#define WHORL_CNDFS 9 /* the one for several threads */
#define WHORL_SLEEP_SETS 10
#define WHORL_OWCTY 11

/* Kinds of components: without an accepting state, with nothing else, with both. */
#define WHORL_TRANSIENT 0
#define WHORL_WEAK 1
#define WHORL_MIXED 2

/* Whether nodes have a copy for each condition of fairness. Components can be asked for several
 * conditions at once; nested searches cannot. */
#define WHORL_COPIED (WHORL_FAIR && WHORL_ALGORITHM != WHORL_SCC)
#define WHORL_FLAGGED (WHORL_PROGRAM_ACCEPTS || WHORL_ALGORITHM == WHORL_FIG5)

/* Bytes for each node, for reductions that look at the stack (by_stack.h): what was selected or, in a
 * search for components, which goes once, whether the node is on the stack. And whether a nested
 * search has to know of nodes that they are on it for that alone. */
#if WHORL_LOOKS_AT_STACK
#define WHORL_SELECTIONS (WHORL_ALL_TARGETS || WHORL_ALGORITHM == WHORL_SCC ? 1 : WHORL_CLAIM_WAYS)
#else
#define WHORL_SELECTIONS 0
#endif
#define WHORL_LOOKS_DOWN (WHORL_SELECTIONS && WHORL_ALGORITHM == WHORL_FIG2)

#define WHORL_HAS_THREE_BITS                                              \
  (WHORL_ALGORITHM == WHORL_FIG5 || WHORL_ALGORITHM == WHORL_TWO_PHASE || \
   WHORL_ALGORITHM == WHORL_CNDFS)
#define WHORL_NUMBERED (WHORL_ALGORITHM == WHORL_CNDFS) /* the roots of the tree (tree.h) */

/* Whether a search chooses by more than the state, so that a way that is looked at again is looked for
 * among all steps. */
#define WHORL_CHOOSES_BY_WAY \
  (WHORL_SELECTIONS || WHORL_ALGORITHM == WHORL_TWO_PHASE || WHORL_ALGORITHM == WHORL_SLEEP_SETS)

/* Whether a state was expanded that has steps, all of which sleep (sleep.h). */
#ifdef WHORL_SLEEP_SETS_H
#define WHORL_ALL_SLEEP whorl_beds.slept
#else
#define WHORL_ALL_SLEEP false
#endif

/* A place: the claim's state, whether the run has stopped, and the copy.
 *   place = (copy * WHORL_STUTTERS + stuttering) * WHORL_CLAIM_STATES + state */
#define WHORL_HAS_NUMBER                                             \
  (WHORL_ALGORITHM == WHORL_SCC || WHORL_ALGORITHM == WHORL_OWCTY || \
   WHORL_ALGORITHM == WHORL_SLEEP_SETS)
#define WHORL_FIELD_BITS (WHORL_HAS_NUMBER ? 32 : WHORL_LOOKS_DOWN || WHORL_HAS_THREE_BITS ? 4 : 2)
#define WHORL_COPIES (WHORL_COPIED ? WHORL_PROCESSES + 2 : 1)
#define WHORL_STUTTERS (WHORL_ASKS_PROGRESS || WHORL_STOPS ? 2 : 1)
#define WHORL_COPY (WHORL_CLAIM_STATES * WHORL_STUTTERS) /* places of a copy */
#define WHORL_NODE_PLACES (WHORL_COPY * WHORL_COPIES)

#include "search/fairness.h"
#include "search/search.h"
#if WHORL_THREADS
#include "store/shared_states.h"
#else
#include "store/states.h"
#endif
#ifdef WHORL_PARTITION /* some of the states belong to others */
#include "cluster/post.h"
#endif

typedef uint64_t whorl_node; /* as an entry of the stack, without what is not its identity */

#define WHORL_ENTERED (UINT64_C(1) << 31)
#define WHORL_FLAG (UINT64_C(1) << 30)
#define WHORL_MOST_PLACES (UINT64_C(1) << 30)
#define WHORL_IDENTITY (~(WHORL_ENTERED | WHORL_FLAG))
#define WHORL_STUTTER (-1)

static inline whorl_node whorl_node_of(uint32_t ref, uint32_t place) {
  return (uint64_t)ref << 32 | place;
}
static inline uint32_t whorl_node_ref(whorl_node node) { return (uint32_t)(node >> 32); }
static inline uint32_t whorl_node_place(whorl_node node) {
  return (uint32_t)(node & (WHORL_MOST_PLACES - 1));
}
static inline uint32_t whorl_node_claim(whorl_node node) {
  return whorl_node_place(node) % WHORL_CLAIM_STATES;
}

/* An edge of the product: where it leads, the conditions that it meets (fairness.h), and the step
 * of the expansion that ends it. */
typedef struct {
  whorl_node node;
  whorl_marks marks;
  int32_t step;
} whorl_edge;

typedef struct {
  whorl_search *search;
  whorl_states states;
  whorl_context context;
  whorl_fetched source;
  whorl_state freed; /* the source without its holder */

  whorl_sought *sought; /* the successors of the source, and of each the step and the marks */
  whorl_folding *foldings;
  int32_t *steps;
  uint32_t sought_capacity;

  whorl_edge *edges; /* of the node expanded last */
  uint32_t edge_count;
  uint32_t edge_capacity;
  uint32_t letter;       /* that was read there */
  bool stuttering;       /* the run has stopped there */
  whorl_context reading; /* of the letters of what follows; only where WHORL_CLAIM_SAME */
  bool ends;             /* the claim can reach the end of its body from it */
  int32_t fault;         /* the site of a proposition that has no value there, but is needed */
  int32_t sites[32];

  whorl_region memory;
  uint64_t *stack;
  uint64_t height;
  uint32_t depth;  /* how many entries are entered */
  uint64_t second; /* the height at which the second search began; 0 in the first */
  bool retraces;   /* a way that was found is looked at again */
} whorl_product;

#define WHORL_KIND WHORL_CHOSEN(p->search->options.store)

static inline whorl_row_word *whorl_node_row(const whorl_product *p, whorl_node node) {
  return whorl_row(&p->states, WHORL_KIND, whorl_node_ref(node));
}
static inline uint32_t whorl_colour(const whorl_product *p, whorl_node node) {
  return whorl_field_get(whorl_node_row(p, node), whorl_node_place(node));
}
#if WHORL_THREADS
static inline uint32_t whorl_add_colour(whorl_product *p, whorl_node node, uint32_t colour) {
  return whorl_field_add(whorl_node_row(p, node), whorl_node_place(node), colour);
}
#else
static inline void whorl_set_colour(whorl_product *p, whorl_node node, uint32_t colour) {
  whorl_field_set(whorl_node_row(p, node), whorl_node_place(node), colour);
}
#endif

/* Whether a node is accepting, before fairness is considered. While the graph is written none is, so
 * that the search sees all of it. */
static inline bool whorl_accepts(whorl_node node) {
  if (WHORL_GRAPH) return false;
  return whorl_claim_accepting[whorl_node_claim(node)] ||
         (WHORL_PROGRAM_ACCEPTS && (node & WHORL_FLAG));
}

/* Whether a node is accepting in the product that a nested search sees. */
static inline bool whorl_node_accepting(whorl_node node) {
  if (WHORL_COPIED) return whorl_node_place(node) / WHORL_COPY == (uint32_t)WHORL_COPIES - 1;
  return whorl_accepts(node);
}

/* The site of a fault in a proposition that the moves of a claim state depend on. */
static inline int32_t whorl_needed_fault(const int32_t *sites, uint32_t state) {
  for (uint32_t needed = whorl_claim_support[state]; needed; needed &= needed - 1)
    if (sites[__builtin_ctz(needed)] != WHORL_NO_SITE) return sites[__builtin_ctz(needed)];
  return WHORL_NO_SITE;
}

/* Whether nothing can move without a timeout. */
static bool whorl_is_stuck(whorl_context *c, const whorl_state *s) {
  whorl_context_clear(c);
  c->timeout = false;
  whorl_steps(c, s, 0, whorl_processes(s) - 1);
  return c->count == 0;
}

static __attribute__((noinline)) void whorl_more_sought(whorl_product *p, uint32_t count) {
  size_t before = p->sought_capacity, n = before ? before : 256;
  while (n < count) n *= 2;
  p->sought =
      (whorl_sought *)whorl_grown(p->sought, before * sizeof *p->sought, n * sizeof *p->sought);
  p->foldings = (whorl_folding *)whorl_grown(p->foldings, before * sizeof *p->foldings,
                                             n * sizeof *p->foldings);
  p->steps = (int32_t *)whorl_grown(p->steps, before * sizeof *p->steps, n * sizeof *p->steps);
  p->sought_capacity = (uint32_t)n;
}

static __attribute__((noinline)) void whorl_more_edges(whorl_product *p, uint32_t count) {
  size_t before = p->edge_capacity, after = before ? before : 256;
  while (after < count) after *= 2;
  p->edges =
      (whorl_edge *)whorl_grown(p->edges, before * sizeof *p->edges, after * sizeof *p->edges);
  p->edge_capacity = (uint32_t)after;
}

/* A step met a limit of this verifier: a larger one has to be made, and this one stops. */
static __attribute__((noinline)) void whorl_too_small(whorl_product *p, int32_t site) {
#ifdef WHORL_PARTITION
  p->search->reported[site] = 1;
  p->search->stopped = WHORL_STOP_VIOLATION;
  return;
#endif
  if (!whorl_begin_telling(p->search, true)) return;
  printf("{\"type\":\"violation\",\"site\":%" PRId32 ",\"choices\":[]}\n", site);
  p->search->stopped = WHORL_STOP_VIOLATION;
  whorl_end_telling(p->search);
}

/* Expands the source; whether anything can follow. */
static inline bool whorl_expand_program(whorl_product *p) {
  whorl_context *c = &p->context;
  c->count = 0;
  return !p->stuttering && whorl_expand(c, p->source.state, &p->search->endless);
}

/* Whether the run has stopped, and its place says so, after one of p->steps[]. */
static inline bool whorl_is_stopped(const whorl_product *p, int32_t step) {
  if (step == WHORL_STUTTER) return WHORL_ASKS_PROGRESS || p->stuttering;
  return WHORL_STOPS && p->context.steps[step].fault;
}

/* The state in which the run of a step ends; after a fault, that before it. */
static inline const whorl_state *whorl_end_of(whorl_product *p, uint32_t step) {
  const whorl_context *c = &p->context;
  if (!c->steps[step].fault) return &c->states[step];
  if (c->steps[step].from >= 0) return &c->states[c->steps[step].from];
  if (whorl_holder(p->source.state) == WHORL_NOBODY) return p->source.state;
  p->freed = *p->source.state;
  whorl_set_holder(&p->freed, WHORL_NOBODY);
  return &p->freed;
}

/* Takes note of what a step executes, and of what fails in it. */
static inline void whorl_note_step(const whorl_context *c, whorl_search *search,
                                   const whorl_step *step) {
  whorl_reach(search, step);
  if (WHORL_SAFETY || __builtin_expect(step->site == WHORL_NO_SITE, 1)) return;
  bool answered = step->partner != WHORL_NOBODY;
  int32_t last = answered ? step->partner_transition : step->transition;
  search->met[step->site] = last + 1;
  for (int32_t next = step->further; next != WHORL_NO_SITE; next = c->further[next].next)
    search->met[c->further[next].site] = last + 1;
}

/* In which copy of the claim's states it goes on after `letter`, if the program comes to `s`. */
static inline uint32_t whorl_shift(whorl_product *p, const whorl_state *s, bool stuttering) {
#if WHORL_CLAIM_SAME
  int32_t sites[32];
  whorl_context *c = &p->reading;
  bool stuck = WHORL_ASKS_TIMEOUT && whorl_is_stuck(c, s);
  uint32_t letter = whorl_letter(c, s, stuck, stuttering, sites);
  return whorl_same_letter(letter, p->letter) ? WHORL_CLAIM_SAME : 0;
#else
  (void)p, (void)s, (void)stuttering;
  return 0;
#endif
}

#ifdef WHORL_PARTITION
/* What follows and belongs to another waits at the end of the room, until what is ours has been found. */
static inline void whorl_put_aside(whorl_product *p, const whorl_state *end, int32_t step,
                                   uint32_t aside) {
  uint32_t at = p->sought_capacity - 1 - aside;
  p->sought[at].state = end;
  p->sought[at].ref = WHORL_NO_REF;
  p->sought[at].shift = whorl_shift(p, end, whorl_is_stopped(p, step));
  p->steps[at] = step;
}

/* The same, behind what is ours. How many there are with it. */
static inline uint32_t whorl_take_aside(whorl_product *p, uint32_t count, uint32_t aside) {
  for (uint32_t i = 0; i < aside; i++) {
    p->sought[count + i] = p->sought[p->sought_capacity - 1 - i];
    p->steps[count + i] = p->steps[p->sought_capacity - 1 - i];
  }
  return count + aside;
}
#endif

/* The program states that follow the source: sought[] and steps[]. Returns how many; the search is
 * stopped where there is no room for them. What belongs to another has no reference (WHORL_NO_REF). */
WHORL_INLINE uint32_t whorl_follow(whorl_product *p, whorl_kind kind, uint32_t ref) {
  whorl_context *c = &p->context;
  whorl_search *search = p->search;
  bool moves = whorl_expand_program(p);
  search->ticks += c->walked;
  c->walked = 0;
#ifdef WHORL_PARTITION
  if (p->sought_capacity < 2 * (c->count + 1)) whorl_more_sought(p, 2 * (c->count + 1));
#endif
  if (p->sought_capacity < c->count + 1) whorl_more_sought(p, c->count + 1);
  if (kind == WHORL_TREE) whorl_tree_expect(&search->visited.tree, c->count);
  if (!moves) {
    p->sought[0].state = p->source.state;
    p->sought[0].ref = ref;
    p->steps[0] = WHORL_STUTTER;
    p->sought[0].shift = whorl_shift(p, p->source.state, whorl_is_stopped(p, WHORL_STUTTER));
    return !WHORL_INFINITE_RUNS;
  }
  uint32_t count = 0, aside = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const whorl_step *step = &c->steps[i];
    whorl_note_step(c, search, step);
    if (step->fault && WHORL_GROWS && whorl_site_kinds[step->site] == 1) {
      whorl_too_small(p, step->site);
      return 0;
    }
    if (step->passed || (step->fault && !WHORL_STOPS)) continue;
    const whorl_state *end = whorl_end_of(p, i);
#ifdef WHORL_PARTITION
    if (!whorl_is_ours(end)) {
      whorl_put_aside(p, end, (int32_t)i, aside++);
      continue;
    }
#endif
    if (kind == WHORL_TREE)
      whorl_tree_begin(&search->visited.tree, &p->foldings[count], count, end, p->source.state,
                       &p->source.folded);
    p->sought[count].state = end;
    p->sought[count].shift = whorl_shift(p, end, whorl_is_stopped(p, (int32_t)i));
    p->steps[count++] = (int32_t)i;
  }
#if WHORL_THREADS
  /* What follows a node that was expanded before is there already. */
  if (!p->retraces && !whorl_crew_lease(search, count)) return 0;
#else
  if (!whorl_states_reserve(&p->states, kind, count)) {
    search->stopped = WHORL_STOP_MEMORY;
    return 0;
  }
#endif
  whorl_find_all(&p->states, kind, p->sought, p->foldings, count);
#ifdef WHORL_PARTITION
  count = whorl_take_aside(p, count, aside);
#else
  (void)aside;
#endif
  return count;
}

/* Adds edges of a node: one for each of some moves of the claim and of `count` of the program. */
static inline void whorl_add_edges(whorl_product *p, whorl_node node, uint32_t count,
                                   const uint16_t *targets, uint32_t ways) {
  whorl_context *c = &p->context;
  FILE *graph = WHORL_GRAPH ? p->search->options.graph : NULL;
  if (graph && !p->retraces && !p->stuttering) {
    whorl_graph_begin(graph);
    whorl_graph_state(graph, 's', p->source.state);
    if (WHORL_SAFETY)
      putc('\n', graph);
    else
      fprintf(graph, " %" PRIu32 "\n", p->letter);
    whorl_graph_runs(graph, c);
    if (WHORL_ALL_SLEEP) fputs("z\n", graph);
    whorl_graph_end(graph);
  }
  if (p->edge_count + count * ways > p->edge_capacity)
    whorl_more_edges(p, p->edge_count + count * ways);
  whorl_marks blocked = WHORL_FAIR ? whorl_blocked(c) : 0;
  for (uint32_t i = 0; i < count; i++) {
    whorl_marks marks = whorl_accepts(node);
    if (WHORL_FAIR) marks |= blocked | whorl_moved(c, p->steps[i]);
    uint64_t flag = WHORL_FLAGGED && whorl_flag(p->sought[i].state) ? WHORL_FLAG : 0;
    for (uint32_t j = 0; j < ways; j++) {
      uint32_t place = targets[j] + p->sought[i].shift;
      if (WHORL_CLAIM_SAME && place == WHORL_CLAIM_FOREVER) continue;
      if (whorl_is_stopped(p, p->steps[i])) place += WHORL_CLAIM_STATES;
      if (WHORL_COPIED)
        place +=
            WHORL_COPY * whorl_next_copy(whorl_node_place(node) / WHORL_COPY, marks, WHORL_COPIES);
      assert(place < WHORL_NODE_PLACES && p->edge_count < p->edge_capacity);
      whorl_edge *edge = &p->edges[p->edge_count++];
      edge->node = whorl_node_of(p->sought[i].ref, place) | flag;
      edge->marks = marks;
      edge->step = p->steps[i];
    }
  }
}

#if WHORL_LOOKS_AT_STACK
#include "reduction/by_stack.h"
#else
#define whorl_add_selected(p, kind, node, targets, ways) ((void)0)
#endif

/* The edges of a node. There is one for each way of the claim and of the program. */
WHORL_INLINE void whorl_expand_node(whorl_product *p, whorl_kind kind, whorl_node node) {
  uint32_t ref = whorl_node_ref(node);
  whorl_context *c = &p->context;
  p->edge_count = 0;
  p->ends = false;
  whorl_fetch(&p->states, kind, ref, &p->source);
  bool stuck = WHORL_ASKS_TIMEOUT && whorl_is_stuck(c, p->source.state);
  p->stuttering = whorl_node_place(node) / WHORL_CLAIM_STATES % WHORL_STUTTERS;
  uint32_t letter = p->letter = whorl_letter(c, p->source.state, stuck, p->stuttering, p->sites);
  if (WHORL_FAULTY) {
    p->fault = whorl_needed_fault(p->sites, whorl_node_claim(node));
    if (p->fault != WHORL_NO_SITE) return;
  }
  const uint16_t *targets = whorl_targets(whorl_node_claim(node), letter);
  uint32_t ways = *targets++;
  if (ways == 0) return;
  if (!WHORL_INFINITE_RUNS) {
    for (uint32_t i = 0; i < ways; i++) p->ends |= whorl_claim_ends[targets[i]];
    if (p->ends) return;
  }
  if (WHORL_SELECTIONS && !p->retraces) {
    whorl_add_selected(p, kind, node, targets, ways);
    return;
  }
  if (WHORL_CHOOSES_BY_WAY && p->retraces) c->avoid = whorl_everyone();
  whorl_add_edges(p, node, whorl_follow(p, kind, ref), targets, ways);
}

static void whorl_expand_any(whorl_product *p, whorl_node node) {
  switch (WHORL_KIND) {
    case WHORL_EXACT:
      if (WHORL_HAS(WHORL_EXACT)) whorl_expand_node(p, WHORL_EXACT, node);
      break;
    case WHORL_TREE:
      if (WHORL_HAS(WHORL_TREE)) whorl_expand_node(p, WHORL_TREE, node);
      break;
    default:
      assert(!"an approximate store has no place for colours");
  }
}

/* --- what every search does ----------------------------------------------------------------- */

/* Room for the edges of the node expanded last, on the stack. */
static inline bool whorl_product_reserve(whorl_product *p) {
  if (whorl_region_commit(&p->memory, (p->height + p->edge_count + 1) * 8)) return true;
  p->search->stopped = WHORL_STOP_MEMORY;
  return false;
}

static inline void whorl_product_push(whorl_product *p, whorl_node node) {
  p->stack[p->height++] = node;
}

/* What the search comes back to soon. */
static inline void whorl_product_prefetch(const whorl_product *p) {
  if (p->height >= 4)
    whorl_row_prefetch(&p->states, WHORL_KIND, whorl_node_ref(p->stack[p->height - 4]));
}

/* Looks at limits after a node was expanded. */
static inline bool whorl_product_goes_on(whorl_product *p) {
  whorl_search *search = p->search;
  search->transitions += p->edge_count;
  search->ticks += p->edge_count + 1;
  if (whorl_interrupted && !search->stopped) search->stopped = WHORL_STOP_INTERRUPTED;
  if (search->ticks >= WHORL_TICK && !search->stopped) whorl_look_at_clock(search);
  return !search->stopped;
}

/* Counts a new node; false where there are too many. */
static inline bool whorl_product_count(whorl_product *p) {
  whorl_search *search = p->search;
#if WHORL_THREADS
  bool may = whorl_may_store(search);
#else
  bool may = search->states != search->options.max_states;
#endif
  if (!may) {
    search->stopped = WHORL_STOP_STATES;
    return false;
  }
  search->states++;
  return true;
}

/* Enters the node on top of the stack and expands it; at the depth limit it has no edges. */
static inline void whorl_product_enter(whorl_product *p) {
  whorl_search *search = p->search;
  whorl_node node = p->stack[p->height - 1];
  p->stack[p->height - 1] = node | WHORL_ENTERED;
  if (p->depth > search->depth) search->depth = p->depth;
  if (p->depth++ >= search->options.max_depth) {
    search->truncated = true;
    p->edge_count = 0;
    p->ends = false;
    p->fault = WHORL_NO_SITE;
    return;
  }
  whorl_expand_any(p, node);
}

/* What a search, or a thread of one, has for itself. */
static void whorl_product_begin(whorl_product *p, whorl_search *search) {
  p->search = search;
  search->told = whorl_now();
  whorl_context_init(&p->context, NULL);
  if (WHORL_CLAIM_SAME) whorl_context_init(&p->reading, &p->context);
  whorl_more_sought(p, 1);
}

/* Its stack. Whether there is memory. */
static bool whorl_product_begin_stack(whorl_product *p, whorl_account *account, size_t most) {
  if (!whorl_region_init(&p->memory, account, most)) return false;
  p->stack = (uint64_t *)(void *)p->memory.base;
  return whorl_region_commit(&p->memory, WHORL_CHUNK);
}

/* Stores the initial state and pushes the initial node. */
static void whorl_product_start(whorl_product *p, whorl_search *search) {
  whorl_kind kind = WHORL_CHOSEN(search->options.store);
  whorl_heap = &search->account;
  search->account.limit = search->options.memory;
  whorl_product_begin(p, search);
  search->started = search->told;
  whorl_state initial;
  memset(&initial, 0, sizeof initial);
  whorl_initial(&p->context, &initial);
  if (p->context.fault != WHORL_NO_SITE) {
    if (WHORL_GROWS && whorl_site_kinds[p->context.fault] == 1)
      whorl_too_small(p, p->context.fault);
    else if (WHORL_SAFETY)
      whorl_violation(search, p->context.fault, WHORL_NO_REF, -1, whorl_nobody(), 0);
    return;
  }
  if (!whorl_states_init(&p->states, kind, &search->visited, &search->account, &initial) ||
      !whorl_product_begin_stack(p, &search->account, (size_t)1 << (WHORL_THREADS ? 35 : 40)) ||
      !whorl_states_reserve(&p->states, kind, 1)) {
    search->stopped = WHORL_STOP_MEMORY;
    return;
  }
  p->sought[0].state = &initial;
  if (kind == WHORL_TREE) {
    whorl_tree_expect(&search->visited.tree, 1);
    whorl_tree_begin(&search->visited.tree, &p->foldings[0], 0, &initial, NULL, NULL);
  }
  whorl_find_all(&p->states, kind, p->sought, p->foldings, 1);
  uint64_t flag = WHORL_FLAGGED && whorl_flag(&initial) ? WHORL_FLAG : 0;
  whorl_product_push(p, whorl_node_of(p->sought[0].ref, WHORL_CLAIM_INITIAL) | flag);
  search->transitions = 1;
  p->fault = WHORL_NO_SITE;
}

#endif
