/* Short lassos out of a component that accepts.
 *
 * The search's own stack is a way to the component, but a long one. Breadth-first searches over
 * what has been visited give a shorter one: from the initial node to the component, then inside it
 * to the nearest edge that meets a condition not yet met, as often as need be, and back. Edges that
 * a reduction left out may be on it, as far as they lead to what has been visited.
 */
#ifndef WHORL_SHORTEN_H
#define WHORL_SHORTEN_H

#include "search/lasso.h"

#define WHORL_UNSEEN 0
#define WHORL_DEAD UINT32_MAX
#define WHORL_SHORTEN_MOST (UINT32_C(1) << 22) /* nodes; beyond that the long way has to do */
#define WHORL_NOWHERE UINT32_MAX

/* A breadth-first search: the nodes in the order in which they were found, and where each lies. */
typedef struct {
  whorl_node *nodes;
  whorl_marks *marks; /* of the edge that it was found by */
  uint32_t *parents;
  uint32_t *table; /* place in `nodes` plus one */
  uint32_t count;
  uint32_t size; /* of the table, a power of two; there is room for half as many nodes */
} whorl_breadth;

static void whorl_breadth_resize(whorl_breadth *b, uint32_t size) {
  size_t before = b->size / 2, after = size / 2;
  b->nodes =
      (whorl_node *)whorl_grown(b->nodes, before * sizeof *b->nodes, after * sizeof *b->nodes);
  b->marks =
      (whorl_marks *)whorl_grown(b->marks, before * sizeof *b->marks, after * sizeof *b->marks);
  b->parents =
      (uint32_t *)whorl_grown(b->parents, before * sizeof *b->parents, after * sizeof *b->parents);
  b->table = (uint32_t *)whorl_grown(b->table, b->size * sizeof *b->table, size * sizeof *b->table);
  memset(b->table, 0, size * sizeof *b->table);
  b->size = size;
}

static uint32_t *whorl_breadth_slot(const whorl_breadth *b, whorl_node node) {
  uint64_t at = whorl_mix(node & WHORL_IDENTITY);
  for (;; at++) {
    uint32_t *slot = &b->table[at & (b->size - 1)];
    if (!*slot || !((b->nodes[*slot - 1] ^ node) & WHORL_IDENTITY)) return slot;
  }
}

static void whorl_breadth_add(whorl_breadth *b, whorl_node node, whorl_marks marks,
                              uint32_t parent) {
  if (b->count == b->size / 2) {
    whorl_breadth_resize(b, 2 * b->size);
    for (uint32_t i = 0; i < b->count; i++) *whorl_breadth_slot(b, b->nodes[i]) = i + 1;
  }
  uint32_t *slot = whorl_breadth_slot(b, node);
  if (*slot) return;
  b->nodes[b->count] = node;
  b->marks[b->count] = marks;
  b->parents[b->count++] = parent;
  *slot = b->count;
}

static void whorl_breadth_free(whorl_breadth *b) {
  whorl_given_back(b->nodes, b->size / 2 * sizeof *b->nodes);
  whorl_given_back(b->marks, b->size / 2 * sizeof *b->marks);
  whorl_given_back(b->parents, b->size / 2 * sizeof *b->parents);
  whorl_given_back(b->table, b->size * sizeof *b->table);
}

/* What a breadth-first search looks for: an edge to a node whose rank is at least `enter`, with one
 * of `marks`, or to `node`. It stays among visited nodes whose rank is at least `within`. */
typedef struct {
  uint32_t within;
  uint32_t enter;
  whorl_marks marks;
  whorl_node node;
  whorl_marks wanted; /* the marks that the way has to meet, of those that its edges have */
} whorl_goal;

static bool whorl_goal_met(const whorl_product *p, const whorl_goal *g, const whorl_edge *edge) {
  uint32_t rank = whorl_colour(p, edge->node);
  if (g->marks) return edge->marks & g->marks;
  if (g->enter) return rank >= g->enter && rank != WHORL_DEAD;
  return !((edge->node ^ g->node) & WHORL_IDENTITY);
}

/* The nodes found on the way to number `at`, without the first. */
static void whorl_breadth_way(const whorl_breadth *b, uint32_t at, whorl_marks wanted,
                              whorl_way *way) {
  uint32_t length = 0;
  for (uint32_t i = at; i != 0; i = b->parents[i]) length++;
  uint32_t *back = (uint32_t *)whorl_taken((length + 1) * sizeof *back);
  for (uint32_t i = at, k = length; i != 0; i = b->parents[i]) back[--k] = i;
  for (uint32_t k = 0; k < length; k++)
    whorl_way_add(way, b->nodes[back[k]], b->marks[back[k]] & wanted);
  whorl_given_back(back, (length + 1) * sizeof *back);
}

/* Appends a shortest way from `from` that ends with such an edge. The node that it ends in, with
 * its flag, and the marks of the last edge; false where there is none among so many nodes. */
static bool whorl_shortest(whorl_product *p, whorl_node from, const whorl_goal *goal,
                           whorl_way *way, whorl_node *end, whorl_marks *marks) {
  whorl_breadth b;
  memset(&b, 0, sizeof b);
  whorl_breadth_resize(&b, 1 << 12);
  whorl_breadth_add(&b, from, 0, WHORL_NOWHERE);
  bool found = false;
  for (uint32_t at = 0; at < b.count && !found && b.count < WHORL_SHORTEN_MOST; at++) {
    whorl_expand_any(p, b.nodes[at]);
    for (uint32_t i = 0; i < p->edge_count; i++) {
      const whorl_edge *edge = &p->edges[i];
      uint32_t rank = whorl_colour(p, edge->node);
      if (rank == WHORL_UNSEEN || rank < goal->within) continue;
      if (goal->within && rank == WHORL_DEAD) continue;
      if (whorl_goal_met(p, goal, edge)) {
        *end = edge->node;
        *marks = edge->marks;
        found = true;
        whorl_breadth_way(&b, at, goal->wanted, way);
        whorl_way_add(way, edge->node, edge->marks & goal->wanted);
        break;
      }
      whorl_breadth_add(&b, edge->node, edge->marks, at);
    }
  }
  whorl_breadth_free(&b);
  return found;
}

static bool whorl_in_component(const whorl_product *p, whorl_node node, uint32_t rank) {
  uint32_t found = whorl_colour(p, node);
  return found >= rank && found != WHORL_DEAD;
}

/* A way from the initial node to the component whose first rank is `rank`, and the node there. */
static whorl_node whorl_way_to_component(whorl_product *p, uint32_t rank, whorl_way *way) {
  whorl_node first = p->stack[0], end;
  whorl_marks marks;
  whorl_goal goal = {0, rank, 0, 0, 0};
  whorl_way_add(way, first, 0);
  if (whorl_in_component(p, first, rank)) return first;
  if (whorl_shortest(p, first, &goal, way, &end, &marks)) return end;
  for (uint64_t i = 1;; i++) {
    assert(i < p->height);
    if (!(p->stack[i] & WHORL_ENTERED)) continue;
    whorl_way_add(way, p->stack[i], 0);
    if (whorl_in_component(p, p->stack[i], rank)) return p->stack[i];
  }
}

/* Goes on from `first` round in a component, by edges with all marks; false where there was no room
 * to expand a node again. */
static bool whorl_way_round(whorl_product *p, uint32_t rank, whorl_marks all, whorl_node first,
                            whorl_way *way) {
  whorl_node at = first;
  for (whorl_marks missing = all; missing || ((at ^ first) & WHORL_IDENTITY);) {
    whorl_goal goal = {rank, 0, missing, missing ? 0 : first, missing};
    whorl_marks marks = 0;
    bool found = whorl_shortest(p, at, &goal, way, &at, &marks);
    if (!found && p->search->stopped) return false;
    assert(found);
    if (!found) abort();
    missing &= ~marks;
  }
  return true;
}

/* A component has all marks: reports a lasso through it. */
static __attribute__((noinline)) void whorl_report_component(whorl_product *p, uint32_t rank,
                                                             whorl_marks all) {
  whorl_way way = {NULL, 0, 0};
  p->retraces = true;
  whorl_node first = whorl_way_to_component(p, rank, &way);
  uint64_t loop = way.count - 1;
  if (whorl_way_round(p, rank, all, first, &way)) whorl_lasso(p, &way, loop, WHORL_OF_CLAIM);
  whorl_given_back(way.points, way.capacity * sizeof *way.points);
}

#endif
