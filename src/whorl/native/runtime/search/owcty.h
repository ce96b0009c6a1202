/* Search for accepting cycles by elimination: no stack, and no order of nodes.
 *
 * Cerna and Pelanek, "Distributed explicit fair cycle detection" (2003): one way catch them young.
 *
 *   left := all nodes
 *   repeat
 *     left := what accepting nodes that are left lead to, with them, counting edges to each
 *     while no edge leads to some node that is left: take it away
 *   until left stays as it is
 *
 * If something is left there is an accepting cycle (search/owcty.py has why). Only edges that stay in a
 * component of the claim count, since no cycle leaves one. So if all of that is accepting one round is
 * enough; it is known to be the last where everything that is left accepts.
 *
 * The field of a node:
 *
 *   | edges that lead to it : 30 | unseen, out, left, reached : 2 |
 *
 * Beside the store there are three lists of nodes: all of them in the order of arrival, with the place
 * of the one that found each; what is left; and a queue. Fairness is by copies (fairness.h).
 */
#ifndef WHORL_OWCTY_H
#define WHORL_OWCTY_H

#include "search/lasso.h"

#if WHORL_LOOKS_AT_STACK
#error "a reduction that looks at the stack, and a search that has none"
#endif

enum { WHORL_NOT_SEEN, WHORL_OUT, WHORL_LEFT, WHORL_REACHED };
#define WHORL_ONE_EDGE UINT32_C(4)

typedef struct {
  whorl_region memory, found_memory;
  whorl_node *nodes;
  uint32_t *found; /* of each, where that is noted: the place of the one that found it */
  uint64_t count;
} whorl_list;

typedef struct {
  whorl_product *product;
  whorl_list all, left, queue;
} whorl_elimination;

static bool whorl_list_init(whorl_list *l, whorl_account *account) {
  l->count = 0;
  if (!whorl_region_init(&l->memory, account, (size_t)UINT32_MAX * sizeof *l->nodes) ||
      !whorl_region_init(&l->found_memory, account, (size_t)UINT32_MAX * sizeof *l->found))
    return false;
  l->nodes = (whorl_node *)(void *)l->memory.base;
  l->found = (uint32_t *)(void *)l->found_memory.base;
  return true;
}

/* Adds a node; false, and the search is stopped, where there is no room. */
static inline bool whorl_list_add(whorl_elimination *e, whorl_list *l, whorl_node node) {
  if (l->count == UINT32_MAX ||
      !whorl_region_commit(&l->memory, (l->count + 1) * sizeof *l->nodes)) {
    e->product->search->stopped = WHORL_STOP_MEMORY;
    return false;
  }
  l->nodes[l->count++] = node;
  return true;
}

/* The same, and notes which place found it. */
static inline bool whorl_list_find(whorl_elimination *e, whorl_list *l, whorl_node node,
                                   uint32_t place) {
  if (!whorl_region_commit(&l->found_memory, (l->count + 1) * sizeof *l->found)) {
    e->product->search->stopped = WHORL_STOP_MEMORY;
    return false;
  }
  uint64_t at = l->count;
  if (!whorl_list_add(e, l, node)) return false;
  l->found[at] = place;
  return true;
}

static inline uint32_t whorl_field_part(uint32_t colour) { return colour & (WHORL_ONE_EDGE - 1); }

/* Whether an edge can be on an accepting cycle, as far as the claim knows. */
static inline bool whorl_edge_counts(whorl_node from, whorl_node to) {
  return whorl_claim_component[whorl_node_claim(from)] ==
         whorl_claim_component[whorl_node_claim(to)];
}

static inline bool whorl_expand_again(whorl_elimination *e, whorl_node node) {
  whorl_expand_any(e->product, node);
  return whorl_product_goes_on(e->product);
}

/* --- all nodes ------------------------------------------------------------------------------ */

/* Puts the way to a node of the list of all on the product's stack, as a search has it that goes depth
 * first. Whether there is room. */
static bool whorl_stack_way(whorl_elimination *e, uint64_t place) {
  whorl_product *p = e->product;
  uint64_t length = 1;
  for (uint64_t at = place; at != 0; at = e->all.found[at]) length++;
  if (!whorl_region_commit(&p->memory, length * 8)) {
    p->search->stopped = WHORL_STOP_MEMORY;
    return false;
  }
  p->height = length;
  for (uint64_t at = place, k = length; k-- > 0; at = e->all.found[at])
    p->stack[k] = e->all.nodes[at] | WHORL_ENTERED;
  return true;
}

/* Expands a node for the first time, and looks at what it says of the claim's end. */
static bool whorl_explore(whorl_elimination *e, uint64_t at) {
  whorl_product *p = e->product;
  whorl_search *search = p->search;
  whorl_node node = e->all.nodes[at];
  if (p->depth >= search->options.max_depth) {
    search->truncated = true;
    return true;
  }
  whorl_expand_any(p, node);
  bool fails = p->ends || (WHORL_FAULTY && p->fault != WHORL_NO_SITE);
  if (fails && !whorl_stack_way(e, at)) return false;
  if (!whorl_may_go_on(p)) return false;
  p->height = 0;
  for (uint32_t i = 0; i < p->edge_count; i++) {
    whorl_node to = p->edges[i].node;
    if (whorl_colour(p, to) != WHORL_NOT_SEEN) continue;
    if (!whorl_product_count(p) || !whorl_list_find(e, &e->all, to, (uint32_t)at)) return false;
    whorl_set_colour(p, to, WHORL_OUT);
  }
  return true;
}

/* Stores all nodes, breadth first; p->depth is the level. */
static bool whorl_explore_all(whorl_elimination *e) {
  whorl_product *p = e->product;
  whorl_node initial = p->stack[0];
  p->height = 0;
  if (!whorl_product_count(p) || !whorl_list_find(e, &e->all, initial, 0)) return false;
  whorl_set_colour(p, initial, WHORL_OUT);
  uint64_t level = 1; /* where the next one begins */
  for (uint64_t at = 0; at < e->all.count; at++) {
    if (at == level) {
      level = e->all.count;
      p->depth++;
    }
    if (p->depth > p->search->depth) p->search->depth = p->depth;
    if (!whorl_explore(e, at)) return false;
  }
  return true;
}

/* --- elimination ---------------------------------------------------------------------------- */

/* What is left at first: nodes whose claim component has an accepting state. */
static bool whorl_leave_all(whorl_elimination *e) {
  for (uint64_t i = 0; i < e->all.count; i++) {
    whorl_node node = e->all.nodes[i];
    if (!WHORL_PROGRAM_ACCEPTS && !whorl_claim_kind[whorl_node_claim(node)]) continue;
    if (!whorl_list_add(e, &e->left, node)) return false;
    whorl_set_colour(e->product, node, WHORL_LEFT);
  }
  return true;
}

static bool whorl_reach_node(whorl_elimination *e, whorl_node node, uint32_t edges) {
  whorl_set_colour(e->product, node, WHORL_REACHED + edges * WHORL_ONE_EDGE);
  return whorl_list_add(e, &e->queue, node);
}

/* Everything that accepting nodes lead to goes into the queue, with the number of edges to each. */
static bool whorl_reach_all(whorl_elimination *e) {
  whorl_product *p = e->product;
  e->queue.count = 0;
  for (uint64_t i = 0; i < e->left.count; i++)
    if (whorl_node_accepting(e->left.nodes[i]) && !whorl_reach_node(e, e->left.nodes[i], 0))
      return false;
  for (uint64_t at = 0; at < e->queue.count; at++) {
    whorl_node node = e->queue.nodes[at];
    if (!whorl_expand_again(e, node)) return false;
    for (uint32_t i = 0; i < p->edge_count; i++) {
      whorl_node to = p->edges[i].node;
      if (!whorl_edge_counts(node, to)) continue;
      uint32_t colour = whorl_colour(p, to);
      if (whorl_field_part(colour) == WHORL_REACHED) {
        if (colour > UINT32_MAX - WHORL_ONE_EDGE) { /* more edges than a field can count */
          p->search->stopped = WHORL_STOP_MEMORY;
          return false;
        }
        whorl_set_colour(p, to, colour + WHORL_ONE_EDGE);
      } else if (colour == WHORL_LEFT && !whorl_reach_node(e, to, 1)) {
        return false;
      }
    }
  }
  return true;
}

/* What was left and has not been reached is out; so is, again and again, that to which no edge leads.
 * The list of what was left is where these wait. */
static bool whorl_eliminate(whorl_elimination *e) {
  whorl_product *p = e->product;
  whorl_list *waiting = &e->left;
  for (uint64_t i = 0; i < e->left.count; i++)
    if (whorl_colour(p, e->left.nodes[i]) == WHORL_LEFT)
      whorl_set_colour(p, e->left.nodes[i], WHORL_OUT);
  waiting->count = 0;
  for (uint64_t i = 0; i < e->queue.count; i++)
    if (whorl_colour(p, e->queue.nodes[i]) == WHORL_REACHED &&
        !whorl_list_add(e, waiting, e->queue.nodes[i]))
      return false;
  while (waiting->count > 0) {
    whorl_node node = waiting->nodes[--waiting->count];
    whorl_set_colour(p, node, WHORL_OUT);
    if (!whorl_expand_again(e, node)) return false;
    for (uint32_t i = 0; i < p->edge_count; i++) {
      whorl_node to = p->edges[i].node;
      uint32_t colour = whorl_colour(p, to);
      if (!whorl_edge_counts(node, to) || whorl_field_part(colour) != WHORL_REACHED) continue;
      assert(colour >= WHORL_REACHED + WHORL_ONE_EDGE);
      whorl_set_colour(p, to, colour - WHORL_ONE_EDGE);
      if (colour - WHORL_ONE_EDGE == WHORL_REACHED && !whorl_list_add(e, waiting, to)) return false;
    }
  }
  return true;
}

/* One round. `stays`: there need be no other. */
static bool whorl_eliminate_round(whorl_elimination *e, bool *stays) {
  whorl_product *p = e->product;
  uint64_t before = e->left.count;
  if (!whorl_reach_all(e) || !whorl_eliminate(e)) return false;
  e->left.count = 0;
  bool accepts = true;
  for (uint64_t i = 0; i < e->queue.count; i++) {
    whorl_node node = e->queue.nodes[i];
    if (whorl_colour(p, node) == WHORL_OUT) continue;
    whorl_set_colour(p, node, WHORL_LEFT);
    accepts &= whorl_node_accepting(node);
    if (!whorl_list_add(e, &e->left, node)) return false;
  }
  *stays = accepts || e->left.count == before;
  return true;
}

/* --- the counterexample --------------------------------------------------------------------- */

/* A breadth-first search through what is left, up to an edge to `goal`: the queue then has the way,
 * and `*end` is the place in it of the last node. What was visited is WHORL_REACHED. */
static bool whorl_find_way(whorl_elimination *e, whorl_node from, whorl_node goal, bool *there,
                           uint64_t *end) {
  whorl_product *p = e->product;
  e->queue.count = 0;
  *there = false;
  if (!whorl_list_find(e, &e->queue, from, 0)) return false;
  whorl_set_colour(p, from, WHORL_REACHED);
  for (uint64_t at = 0; at < e->queue.count; at++) {
    whorl_node node = e->queue.nodes[at];
    if (!whorl_expand_again(e, node)) return false;
    for (uint32_t i = 0; i < p->edge_count; i++) {
      whorl_node to = p->edges[i].node;
      if (!whorl_edge_counts(node, to)) continue;
      if (!((to ^ goal) & WHORL_IDENTITY)) {
        *there = true;
        *end = at;
        return true;
      }
      if (whorl_colour(p, to) != WHORL_LEFT) continue;
      whorl_set_colour(p, to, WHORL_REACHED);
      if (!whorl_list_find(e, &e->queue, to, (uint32_t)at)) return false;
    }
  }
  return true;
}

/* A node in a component to which nothing else leads that is left: if searches begin at one node after
 * another, that of the last one. It is accepting: the component has such a node, and in the list those come
 * first, so that a node that is not would have been visited from there. */
static bool whorl_last_start(whorl_elimination *e, whorl_node *start) {
  whorl_product *p = e->product;
  const whorl_node nowhere = UINT64_MAX;
  bool there;
  uint64_t end;
  for (uint64_t i = 0; i < e->left.count; i++) {
    if (whorl_colour(p, e->left.nodes[i]) != WHORL_LEFT) continue;
    *start = e->left.nodes[i];
    if (!whorl_find_way(e, *start, nowhere, &there, &end)) return false;
  }
  for (uint64_t i = 0; i < e->left.count; i++) whorl_set_colour(p, e->left.nodes[i], WHORL_LEFT);
  return true;
}

/* Adds the nodes on the way to a place of a list, with the first one only if wanted. */
static void whorl_way_found(const whorl_list *l, uint64_t place, bool first, whorl_way *way) {
  uint64_t length = 0;
  for (uint64_t at = place; at != 0; at = l->found[at]) length++;
  uint64_t *back = (uint64_t *)whorl_taken((length + 1) * sizeof *back);
  for (uint64_t at = place, k = length; k > 0; at = l->found[at]) back[--k] = at;
  if (first) whorl_way_add(way, l->nodes[0], 0);
  for (uint64_t k = 0; k < length; k++) whorl_way_add(way, l->nodes[back[k]], 0);
  whorl_given_back(back, (length + 1) * sizeof *back);
}

/* Something is left: reports a shortest way to an accepting node of it, and a shortest one back. */
static void whorl_report_left(whorl_elimination *e) {
  whorl_product *p = e->product;
  whorl_node accepting;
  bool there;
  uint64_t end, place = 0;
  if (!whorl_last_start(e, &accepting) || !whorl_find_way(e, accepting, accepting, &there, &end))
    return;
  assert(there && whorl_node_accepting(accepting));
  if (!there) abort(); /* never "no cycle" */
  while ((e->all.nodes[place] ^ accepting) & WHORL_IDENTITY) place++;
  whorl_way way = {NULL, 0, 0};
  whorl_way_found(&e->all, place, true, &way);
  uint64_t loop = way.count - 1;
  whorl_way_found(&e->queue, end, false, &way);
  whorl_way_add(&way, accepting, 0);
  whorl_lasso(p, &way, loop, WHORL_OF_CLAIM);
  whorl_given_back(way.points, way.capacity * sizeof *way.points);
}

static void whorl_elimination_search(whorl_product *p) {
  whorl_elimination elimination, *e = &elimination;
  whorl_account *account = &p->search->account;
  e->product = p;
  if (!whorl_list_init(&e->all, account) || !whorl_list_init(&e->left, account) ||
      !whorl_list_init(&e->queue, account)) {
    p->search->stopped = WHORL_STOP_MEMORY;
    return;
  }
  if (!whorl_explore_all(e)) return;
  p->retraces = true; /* from here on all nodes are known */
  bool stays = false;
  if (!whorl_leave_all(e)) return;
  while (!stays)
    if (!whorl_eliminate_round(e, &stays)) return;
  if (e->left.count > 0) whorl_report_left(e);
}

#endif
