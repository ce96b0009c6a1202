/* The counterexample of a search by several workers: a node on an accepting cycle, and ways.
 *
 * Something is left, so there is a component of it that nothing else leads to, and that has an accepting
 * cycle. A single search that goes through what is left from one accepting node after another ends in such
 * a component; but it may begin a million times. Here the starts are halved: those with a bit of their
 * hash clear spread together. If other starts have not been visited then, one of them is in a component
 * to which nothing else leads that is left, and the search goes on with those alone. Otherwise that is so of
 * the first half (a start that leads to a node of such a component is in it). So a few dozen searches do,
 * and the node they end with does not depend on how many workers there are.
 *
 * Ways are made of least nodes, as a trail by levels is (levels.h): the nodes of the level before are
 * expanded again, and of those that lead to the goal the least one is taken.
 */
#ifndef WHORL_CLUSTER_AROUND_H
#define WHORL_CLUSTER_AROUND_H

#include "cluster/elimination.h"

/* Everything that is left is unvisited. */
static void whorl_leave_unvisited(whorl_cycles *c) {
  for (uint64_t i = 0; i < c->lists.left.count; i++)
    whorl_set_colour(&c->product, c->lists.left.nodes[i], WHORL_LEFT);
  c->lists.queue.count = c->at = c->end = 0;
}

/* The starts: all accepting nodes that are left. */
static bool whorl_begin_starts(whorl_cycles *c) {
  c->starts.count = 0;
  for (uint64_t i = 0; i < c->lists.left.count; i++)
    if (whorl_node_accepting(c->lists.left.nodes[i]) &&
        !whorl_list_add(&c->lists, &c->starts, c->lists.left.nodes[i]))
      return false;
  return true;
}

static inline uint64_t whorl_hash_node(const whorl_record *r) {
  return whorl_rehash(whorl_fold(whorl_hash(&r->state) ^ WHORL_HASH_D, r->place + WHORL_HASH_B));
}

static inline bool whorl_start_has_bit(const whorl_cycles *c, uint64_t at, uint32_t bit) {
  whorl_record record;
  whorl_record_of(c, c->starts.nodes[at], &record);
  return whorl_hash_node(&record) >> bit & 1;
}

/* Starts from those without a bit. */
static bool whorl_begin_spread(whorl_cycles *c, uint32_t bit) {
  whorl_leave_unvisited(c);
  for (uint64_t i = 0; i < c->starts.count; i++)
    if (!whorl_start_has_bit(c, i, bit) && !whorl_arrive_visit(c, c->starts.nodes[i])) return false;
  return true;
}

/* How many starts have not been visited. */
static uint64_t whorl_unvisited_starts(const whorl_cycles *c) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < c->starts.count; i++)
    count += whorl_colour(&c->product, c->starts.nodes[i]) == WHORL_LEFT;
  return count;
}

/* Goes on with the starts that have not been visited, or with those without a bit. */
static void whorl_keep_starts(whorl_cycles *c, bool unvisited, uint32_t bit) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < c->starts.count; i++)
    if (unvisited ? whorl_colour(&c->product, c->starts.nodes[i]) == WHORL_LEFT
                  : !whorl_start_has_bit(c, i, bit))
      c->starts.nodes[kept++] = c->starts.nodes[i];
  c->starts.count = kept;
}

/* Of the starts those that were explored in the first level, of them the least, and the level. */
static bool whorl_first_start(whorl_cycles *c, uint64_t *level, whorl_record *first) {
  whorl_product *p = &c->product;
  bool found = false;
  uint64_t at = 0;
  for (uint64_t i = 0; i < c->lists.left.count; i++)
    whorl_set_colour(p, c->lists.left.nodes[i], WHORL_REACHED);
  for (uint64_t i = 0; i < c->starts.count; i++)
    whorl_set_colour(p, c->starts.nodes[i], WHORL_LEFT);
  for (uint32_t l = 0; l < c->explored.count && !found; l++) {
    uint64_t end = l + 1 < c->explored.count ? c->explored.begins[l + 1] : c->lists.all.count;
    for (at = c->explored.begins[l]; at < end; at++) {
      whorl_node node = c->lists.all.nodes[at];
      whorl_record record;
      if (whorl_colour(p, node) != WHORL_LEFT) continue;
      whorl_record_of(c, node, &record);
      if (!found || whorl_order_nodes(&record, first) < 0) *first = record;
      found = true;
      *level = l;
    }
  }
  return found;
}

/* Looks for ways from a node, back to it, if it is ours; what is left is visited, by levels. */
static bool whorl_begin_round(whorl_cycles *c, const whorl_record *goal) {
  whorl_leave_unvisited(c);
  c->around.count = 0;
  c->closes = false;
  c->goal = *goal;
  if (!whorl_is_ours(&goal->state)) return true;
  return whorl_find_records(c, goal, 1) && whorl_arrive_visit(c, whorl_found_node(c, goal, 0));
}

/* Of a level of nodes, explored ones or those around, the least that leads to a node. */
static bool whorl_least_source(whorl_cycles *c, bool around, uint32_t level, const whorl_record *to,
                               whorl_record *least) {
  whorl_product *p = &c->product;
  const whorl_levels *levels = around ? &c->around : &c->explored;
  const whorl_list *list = around ? &c->lists.queue : &c->lists.all;
  bool found = false;
  if (level >= levels->count) return false;
  uint64_t end = level + 1 < levels->count ? levels->begins[level + 1] : list->count;
  for (uint64_t at = levels->begins[level]; at < end && !c->search->stopped; at++) {
    whorl_node node = list->nodes[at];
    whorl_record record;
    whorl_expand_any(p, node);
    p->fault = WHORL_NO_SITE;
    for (uint32_t i = 0; i < p->edge_count; i++) {
      if ((around && !whorl_edge_counts(node, p->edges[i].node)) ||
          !whorl_edge_leads(p, &p->edges[i], to))
        continue;
      whorl_record_of(c, node, &record);
      if (!found || whorl_order_nodes(&record, least) < 0) *least = record;
      found = true;
      break;
    }
  }
  return found;
}

/* The steps of the first edge from a node of ours to another, the last one first. How many there are; -1
 * where there is no such edge. */
static int64_t whorl_steps_between(whorl_cycles *c, const whorl_record *from,
                                   const whorl_record *to, const whorl_edge **found) {
  whorl_product *p = &c->product;
  if (!whorl_is_ours(&from->state) || !whorl_find_records(c, from, 1)) return -1;
  whorl_expand_any(p, whorl_found_node(c, from, 0));
  p->fault = WHORL_NO_SITE;
  for (uint32_t i = 0; i < p->edge_count; i++) {
    if (!whorl_edge_leads(p, &p->edges[i], to)) continue;
    int64_t length = 0;
    for (int32_t at = p->edges[i].step; at >= 0; at = p->context.steps[at].from) length++;
    *found = &p->edges[i];
    return length;
  }
  return -1;
}

#endif
