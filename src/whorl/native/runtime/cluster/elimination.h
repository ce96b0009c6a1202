/* Search for accepting cycles by elimination, by several workers (owcty.h has the search of one).
 *
 * A node lives with the owner of its program state, who alone has its field and its place in lists. A
 * search goes by phases, which all workers are in together, and in each phase the same is done: expand
 * what is to be expanded here; follow each edge, to a node of ours at once, to another's by sending its
 * owner a record; do as records say that have come; until nobody has anything left to expand or to send.
 *
 *   phase        what is expanded              what an edge does to the node that it leads to
 *   explore      all nodes, by levels          a new one is stored
 *   reach        what accepting nodes that     the edge is counted; what is left and is reached for
 *                are left lead to              the first time is to be expanded
 *   eliminate    nodes that no edge leads to   the edge is no longer counted
 *   spread       what some nodes lead to       what is left is visited            (around.h)
 *   go round     the same, by levels           the same                           (around.h)
 *
 * But for exploring, only edges count that stay in a component of the claim. Which phase comes next is for
 * the driver to say (native/cluster/elimination.py), who adds up what is left.
 */
#ifndef WHORL_CLUSTER_ELIMINATION_H
#define WHORL_CLUSTER_ELIMINATION_H

#include "cluster/guard.h"
#include "cluster/post.h"
#include "search/owcty.h"

typedef enum {
  WHORL_EXPLORE,
  WHORL_REACH,
  WHORL_ELIMINATE,
  WHORL_SPREAD,
  WHORL_GO_ROUND,
  WHORL_PHASES
} whorl_phase;

/* Where the levels of a list begin. */
typedef struct {
  uint64_t *begins;
  uint32_t count, room;
} whorl_levels;

/* A node where the claim has come to its end, or where a proposition that is needed has no value. */
typedef struct {
  whorl_record node;
  int32_t site; /* or WHORL_OF_CLAIM */
} whorl_last;

typedef struct {
  whorl_search *search;
  whorl_post *post;
  whorl_product product;
  whorl_elimination lists;
  whorl_list starts; /* of a search that spreads */
  whorl_levels explored, around;
  whorl_phase phase;
  uint64_t at, end;  /* of the list that is being expanded: where, and how far its level goes */
  whorl_last *lasts; /* of the level that is being explored, the least for each site */
  uint32_t last_count, last_room;
  whorl_record goal, closing; /* a way round: to where, and the least node that leads there */
  bool closes;
  uint8_t told[WHORL_SITES + 1]; /* sites that need not be noted */
  uint64_t received;             /* records */
  uint64_t strangers;            /* nodes met after exploring that had not been explored */
  bool broken;
} whorl_cycles;

static whorl_cycles whorl_the_cycles; /* zeroed, and too large for some stacks */

#define WHORL_CYCLES_KIND(c) WHORL_CHOSEN((c)->search->options.store)

/* --- nodes and records ---------------------------------------------------------------------- */

static void whorl_levels_add(whorl_levels *l, uint64_t begin) {
  if (l->count == l->room) {
    uint32_t more = l->room ? 2 * l->room : 64;
    l->begins =
        (uint64_t *)whorl_grown(l->begins, l->room * sizeof *l->begins, more * sizeof *l->begins);
    l->room = more;
  }
  l->begins[l->count++] = begin;
}

/* A node of ours as a record. */
static inline void whorl_record_of(const whorl_cycles *c, whorl_node node, whorl_record *out) {
  whorl_fetched fetched;
  whorl_kind kind = WHORL_CYCLES_KIND(c);
  if (kind == WHORL_TREE)
    whorl_fetch(&c->product.states, WHORL_TREE, whorl_node_ref(node), &fetched);
  else
    whorl_fetch(&c->product.states, WHORL_EXACT, whorl_node_ref(node), &fetched);
  memset(out, 0, sizeof *out);
  out->state = *fetched.state;
  out->place = whorl_node_place(node);
  out->edges = 1;
}

/* The program state that an edge of the node expanded last leads to. */
static inline const whorl_state *whorl_edge_state(whorl_product *p, const whorl_edge *edge) {
  return edge->step == WHORL_STUTTER ? p->source.state : whorl_end_of(p, (uint32_t)edge->step);
}

static inline bool whorl_edge_leads(whorl_product *p, const whorl_edge *edge,
                                    const whorl_record *to) {
  return whorl_node_place(edge->node) == to->place &&
         memcmp(whorl_edge_state(p, edge), &to->state, sizeof to->state) == 0;
}

static inline bool whorl_is_elsewhere(whorl_node node) {
  return whorl_node_ref(node) == WHORL_NO_REF;
}

/* Finds the program states of some records, which are ours, adding those that are new. */
WHORL_INLINE bool whorl_find_kind(whorl_cycles *c, whorl_kind kind, const whorl_record *records,
                                  uint32_t count) {
  whorl_product *p = &c->product;
  if (p->sought_capacity < count) whorl_more_sought(p, count);
  if (!whorl_states_reserve(&p->states, kind, count)) {
    c->search->stopped = WHORL_STOP_MEMORY;
    return false;
  }
  if (kind == WHORL_TREE) whorl_tree_expect(&c->search->visited.tree, count);
  for (uint32_t i = 0; i < count; i++) {
    p->sought[i].state = &records[i].state;
    if (kind == WHORL_TREE)
      whorl_tree_begin(&c->search->visited.tree, &p->foldings[i], i, &records[i].state, NULL, NULL);
  }
  whorl_find_all(&p->states, kind, p->sought, p->foldings, count);
  return true;
}

static bool whorl_find_records(whorl_cycles *c, const whorl_record *records, uint32_t count) {
  if (WHORL_CYCLES_KIND(c) == WHORL_TREE)
    return WHORL_HAS(WHORL_TREE) && whorl_find_kind(c, WHORL_TREE, records, count);
  return WHORL_HAS(WHORL_EXACT) && whorl_find_kind(c, WHORL_EXACT, records, count);
}

/* The node of a record, once its state was found at `at`. */
static inline whorl_node whorl_found_node(const whorl_cycles *c, const whorl_record *r,
                                          uint32_t at) {
  uint64_t flag = WHORL_FLAGGED && whorl_flag(&r->state) ? WHORL_FLAG : 0;
  return whorl_node_of(c->product.sought[at].ref, r->place) | flag;
}

/* What cannot be has happened: no verdict may come of it. */
static inline bool whorl_cannot_be(whorl_cycles *c) {
  c->broken = true;
  return false;
}

/* --- what an edge does to the node that it leads to ------------------------------------------ */

/* Another node of the next level. */
static bool whorl_arrive_new(whorl_cycles *c, whorl_node node) {
  whorl_product *p = &c->product;
  if (whorl_colour(p, node) != WHORL_NOT_SEEN) return true;
  if (!whorl_product_count(p) || !whorl_list_add(&c->lists, &c->lists.all, node)) return false;
  whorl_set_colour(p, node, WHORL_OUT);
  return true;
}

/* So many more edges lead there. */
static bool whorl_arrive_more(whorl_cycles *c, whorl_node node, uint32_t edges) {
  whorl_product *p = &c->product;
  uint32_t colour = whorl_colour(p, node);
  if (colour == WHORL_LEFT) return whorl_reach_node(&c->lists, node, edges);
  if (whorl_field_part(colour) != WHORL_REACHED) return true;
  if (edges > (UINT32_MAX - colour) / WHORL_ONE_EDGE) { /* more than a field can count */
    c->search->stopped = WHORL_STOP_MEMORY;
    return false;
  }
  whorl_set_colour(p, node, colour + edges * WHORL_ONE_EDGE);
  return true;
}

/* So many edges fewer lead there. */
static bool whorl_arrive_less(whorl_cycles *c, whorl_node node, uint32_t edges) {
  whorl_product *p = &c->product;
  uint32_t colour = whorl_colour(p, node);
  if (whorl_field_part(colour) != WHORL_REACHED) return true;
  if (colour / WHORL_ONE_EDGE < edges) return whorl_cannot_be(c);
  colour -= edges * WHORL_ONE_EDGE;
  whorl_set_colour(p, node, colour);
  return colour != WHORL_REACHED || whorl_list_add(&c->lists, &c->lists.left, node);
}

/* It is visited. */
static bool whorl_arrive_visit(whorl_cycles *c, whorl_node node) {
  return whorl_colour(&c->product, node) != WHORL_LEFT || whorl_reach_node(&c->lists, node, 0);
}

static inline bool whorl_arrive(whorl_cycles *c, whorl_node node, uint32_t edges) {
  if (c->phase == WHORL_EXPLORE) return whorl_arrive_new(c, node);
  if (whorl_colour(&c->product, node) == WHORL_NOT_SEEN) {
    c->strangers++;
    return true;
  }
  if (c->phase == WHORL_REACH) return whorl_arrive_more(c, node, edges);
  if (c->phase == WHORL_ELIMINATE) return whorl_arrive_less(c, node, edges);
  return whorl_arrive_visit(c, node);
}

/* The same, of records that have come from others. */
static bool whorl_arrive_records(whorl_cycles *c, const char *bytes, uint64_t count) {
  enum { GROUP = 32 };
  whorl_record group[GROUP];
  for (uint64_t at = 0; at < count; at += GROUP) {
    uint32_t some = count - at < GROUP ? (uint32_t)(count - at) : GROUP;
    memcpy(group, bytes + at * sizeof *group, some * sizeof *group);
    for (uint32_t i = 0; i < some; i++)
      if (!whorl_is_ours(&group[i].state) || group[i].place >= WHORL_NODE_PLACES ||
          group[i].edges == 0)
        return whorl_cannot_be(c);
    if (!whorl_find_records(c, group, some)) return false;
    for (uint32_t i = 0; i < some; i++)
      if (!whorl_arrive(c, whorl_found_node(c, &group[i], i), group[i].edges)) return false;
  }
  return true;
}

/* --- expansion ------------------------------------------------------------------------------- */

/* The node expanded last is one where a run of the claim ends, or faults: of each site the least. */
static __attribute__((noinline)) void whorl_note_last(whorl_cycles *c, whorl_node node,
                                                      int32_t site) {
  whorl_last last;
  if (site >= 0 && c->told[site]) return;
  whorl_record_of(c, node, &last.node);
  last.site = site;
  for (uint32_t i = 0; i < c->last_count; i++)
    if (c->lasts[i].site == site) {
      if (whorl_order_nodes(&last.node, &c->lasts[i].node) < 0) c->lasts[i] = last;
      return;
    }
  if (c->last_count == c->last_room) {
    uint32_t more = c->last_room ? 2 * c->last_room : 4;
    c->lasts = (whorl_last *)whorl_grown(c->lasts, c->last_room * sizeof *c->lasts,
                                         more * sizeof *c->lasts);
    c->last_room = more;
  }
  c->lasts[c->last_count++] = last;
}

/* The edges of the node expanded last are followed. */
static inline bool whorl_follow_edges(whorl_cycles *c, whorl_node node) {
  whorl_product *p = &c->product;
  bool explores = c->phase == WHORL_EXPLORE;
  bool counts = c->phase == WHORL_REACH || c->phase == WHORL_ELIMINATE;
  whorl_record record;
  c->search->transitions += p->edge_count;
  for (uint32_t i = 0; i < p->edge_count; i++) {
    const whorl_edge *edge = &p->edges[i];
    if (!explores && !whorl_edge_counts(node, edge->node)) continue;
    if (c->phase == WHORL_GO_ROUND && whorl_edge_leads(p, edge, &c->goal)) {
      whorl_record_of(c, node, &record);
      if (!c->closes || whorl_order_nodes(&record, &c->closing) < 0) c->closing = record;
      c->closes = true;
    }
    if (!whorl_is_elsewhere(edge->node)) {
      if (!whorl_arrive(c, edge->node, 1)) return false;
      continue;
    }
    record.state = *whorl_edge_state(p, edge);
    record.place = whorl_node_place(edge->node);
    record.edges = 1;
    whorl_post_send(c->post, &record, counts);
  }
  return !c->search->stopped;
}

/* Expands a node of the level that is being explored. */
static bool whorl_explore_node(whorl_cycles *c, whorl_node node) {
  whorl_product *p = &c->product;
  uint32_t depth = c->explored.count - 1;
  if (depth > c->search->depth) c->search->depth = depth;
  if (depth >= c->search->options.max_depth) {
    c->search->truncated = true;
    return true;
  }
  whorl_expand_any(p, node);
  if (c->search->stopped) return false;
  if (p->ends) whorl_note_last(c, node, WHORL_OF_CLAIM);
  if (WHORL_FAULTY && p->fault != WHORL_NO_SITE) whorl_note_last(c, node, p->fault);
  p->fault = WHORL_NO_SITE;
  return whorl_follow_edges(c, node);
}

/* The next node to expand in this phase. Whether there is one. */
static inline bool whorl_next_node(whorl_cycles *c, whorl_node *node) {
  whorl_elimination *e = &c->lists;
  switch (c->phase) {
    case WHORL_EXPLORE:
      if (c->at >= c->end) return false;
      *node = e->all.nodes[c->at++];
      return true;
    case WHORL_ELIMINATE:
      if (e->left.count == 0) return false;
      *node = e->left.nodes[--e->left.count];
      whorl_set_colour(&c->product, *node, WHORL_OUT);
      return true;
    default:
      if (c->at >= (c->phase == WHORL_GO_ROUND ? c->end : e->queue.count)) return false;
      *node = e->queue.nodes[c->at++];
      return true;
  }
}

/* How many nodes there are still to expand. */
static inline uint64_t whorl_more_to_expand(const whorl_cycles *c) {
  if (c->phase == WHORL_ELIMINATE) return c->lists.left.count;
  bool by_levels = c->phase == WHORL_EXPLORE || c->phase == WHORL_GO_ROUND;
  return (by_levels ? c->end : c->lists.queue.count) - c->at;
}

/* Expands at most so many nodes, or until an outbox is full. */
static bool whorl_expand_some(whorl_cycles *c, uint64_t budget) {
  whorl_node node;
  for (; budget > 0 && !c->post->out.full && whorl_next_node(c, &node); budget--) {
    if (c->phase == WHORL_EXPLORE) {
      if (!whorl_explore_node(c, node)) return false;
      continue;
    }
    whorl_expand_any(&c->product, node);
    if (c->search->stopped || !whorl_follow_edges(c, node)) return false;
  }
  return true;
}

/* --- phases ---------------------------------------------------------------------------------- */

/* What has arrived is the next level. How much that is. */
static uint64_t whorl_next_level(whorl_cycles *c) {
  bool explores = c->phase == WHORL_EXPLORE;
  uint64_t count = explores ? c->lists.all.count : c->lists.queue.count;
  whorl_levels_add(explores ? &c->explored : &c->around, c->end);
  c->at = c->end;
  c->end = count;
  c->last_count = 0;
  return c->end - c->at;
}

/* Everything that accepting nodes lead to is to be reached, with the number of edges to each. */
static bool whorl_begin_reach(whorl_cycles *c) {
  whorl_elimination *e = &c->lists;
  e->queue.count = c->at = 0;
  for (uint64_t i = 0; i < e->left.count; i++)
    if (whorl_node_accepting(e->left.nodes[i]) && !whorl_reach_node(e, e->left.nodes[i], 0))
      return false;
  return true;
}

/* What was left and has not been reached is out; what no edge leads to waits in the list of what was
 * left. */
static bool whorl_begin_eliminate(whorl_cycles *c) {
  whorl_elimination *e = &c->lists;
  whorl_product *p = &c->product;
  for (uint64_t i = 0; i < e->left.count; i++)
    if (whorl_colour(p, e->left.nodes[i]) == WHORL_LEFT)
      whorl_set_colour(p, e->left.nodes[i], WHORL_OUT);
  e->left.count = 0;
  for (uint64_t i = 0; i < e->queue.count; i++)
    if (whorl_colour(p, e->queue.nodes[i]) == WHORL_REACHED &&
        !whorl_list_add(e, &e->left, e->queue.nodes[i]))
      return false;
  return true;
}

/* What is left after a round, in the order in which it was reached; whether all of it accepts. */
static bool whorl_end_round(whorl_cycles *c, bool *accepts) {
  whorl_elimination *e = &c->lists;
  whorl_product *p = &c->product;
  e->left.count = 0;
  *accepts = true;
  for (uint64_t i = 0; i < e->queue.count; i++) {
    whorl_node node = e->queue.nodes[i];
    if (whorl_colour(p, node) == WHORL_OUT) continue;
    whorl_set_colour(p, node, WHORL_LEFT);
    *accepts &= whorl_node_accepting(node);
    if (!whorl_list_add(e, &e->left, node)) return false;
  }
  return true;
}

#endif
