/* Search for strongly connected components that accept, on the fly.
 *
 * After Couvreur, "On-the-fly verification of linear temporal logic" (1999), with Gabow's stack of
 * the nodes that are live ("Path-based depth-first search", 2000). Nodes that are live, which can
 * still reach the search's stack, have a rank: when they were entered. `roots` has an entry for
 * each component of what has been seen of the live nodes: the rank of its first node, the marks
 * that its nodes and inner edges have, and the marks of the edge that led to it.
 *
 *   enter v:     v is a component
 *   edge v-t:    if t is live, all components from t's on are one; if it has all marks: report it
 *   leave v:     if v is the first of its component, the whole component is dead
 *
 * No node is expanded twice, and acceptance may be generalised. Nodes whose claim component has no
 * accepting state cannot be on an accepting cycle, and are dead at once.
 *
 * Beside a state lies a rank for each claim state; 0 is not visited. What is live need not be on the
 * stack, nor the other way round: reductions that look at the stack have a byte for that.
 */
#ifndef WHORL_SCC_H
#define WHORL_SCC_H

#include "search/shorten.h"

#define WHORL_ALL_MARKS (WHORL_FAIR ? UINT64_MAX >> (63 - WHORL_PROCESSES) : UINT64_C(1))

typedef struct {
  uint32_t rank;
  whorl_marks marks;    /* of the component */
  whorl_marks entering; /* of the edge that led to it */
} whorl_root;

typedef struct {
  whorl_product *product;
  whorl_region root_memory, live_memory, mark_memory;
  whorl_root *roots;
  whorl_node *live;
  whorl_marks *marks; /* of the edges that the stack's entries came by; only where WHORL_FAIR */
  uint64_t root_count;
  uint64_t live_count;
} whorl_components;

static bool whorl_components_init(whorl_components *s, whorl_product *p) {
  whorl_account *account = &p->search->account;
  memset(s, 0, sizeof *s);
  s->product = p;
  if (!whorl_region_init(&s->root_memory, account, WHORL_MOST_STATES * sizeof *s->roots) ||
      !whorl_region_init(&s->live_memory, account, WHORL_MOST_STATES * sizeof *s->live) ||
      !whorl_region_init(&s->mark_memory, account, (size_t)1 << 40) ||
      !whorl_region_commit(&s->mark_memory, WHORL_CHUNK))
    return false;
  s->roots = (whorl_root *)(void *)s->root_memory.base;
  s->live = (whorl_node *)(void *)s->live_memory.base;
  s->marks = (whorl_marks *)(void *)s->mark_memory.base;
  return true;
}

#if WHORL_LOOKS_AT_STACK
static inline uint8_t *whorl_below(const whorl_product *p, whorl_node node) {
  return whorl_selections(whorl_node_row(p, node), whorl_node_place(node));
}
static bool whorl_on_stack(const whorl_product *p, whorl_node node) {
  return *whorl_below(p, node);
}
#endif

static inline bool whorl_components_reserve(whorl_components *s) {
  const whorl_product *p = s->product;
  return whorl_region_commit(&s->root_memory, (s->root_count + 1) * sizeof *s->roots) &&
         whorl_region_commit(&s->live_memory, (s->live_count + 1) * sizeof *s->live) &&
         (!WHORL_FAIR ||
          whorl_region_commit(&s->mark_memory, (p->height + p->edge_count + 1) * sizeof *s->marks));
}

/* An edge from the node entered last to a live node. */
static inline void whorl_components_join(whorl_components *s, uint32_t rank, whorl_marks marks) {
  assert(s->root_count > 0 && s->roots[0].rank <= rank && rank <= s->live_count);
  while (s->roots[s->root_count - 1].rank > rank) {
    const whorl_root *root = &s->roots[--s->root_count];
    marks |= root->marks | root->entering;
  }
  whorl_root *root = &s->roots[s->root_count - 1];
  root->marks |= marks;
  if ((root->marks & WHORL_ALL_MARKS) == WHORL_ALL_MARKS)
    whorl_report_component(s->product, root->rank, WHORL_ALL_MARKS);
}

/* The first visit of the node on top of the stack. */
static void whorl_components_enter(whorl_components *s) {
  whorl_product *p = s->product;
  whorl_node node = p->stack[p->height - 1];
  bool lives = WHORL_PROGRAM_ACCEPTS || whorl_claim_kind[whorl_node_claim(node)];
  if (!whorl_product_count(p)) return;
  if (!lives) {
    whorl_set_colour(p, node, WHORL_DEAD);
  } else {
    if (!whorl_components_reserve(s)) {
      p->search->stopped = WHORL_STOP_MEMORY;
      return;
    }
    whorl_root *root = &s->roots[s->root_count++];
    s->live[s->live_count++] = node;
    root->rank = (uint32_t)s->live_count;
    root->marks = WHORL_FAIR ? 0 : whorl_accepts(node);
    root->entering = WHORL_FAIR ? s->marks[p->height - 1] : 0;
    assert(s->root_count == 1 || root[-1].rank < root->rank);
    whorl_set_colour(p, node, root->rank);
  }
#if WHORL_LOOKS_AT_STACK
  *whorl_below(p, node) = 1;
#endif
  whorl_product_enter(p);
  if (!whorl_may_go_on(p)) return;
  if (!whorl_components_reserve(s)) {
    p->search->stopped = WHORL_STOP_MEMORY;
    return;
  }
  for (uint32_t i = p->edge_count; i-- > 0;) {
    const whorl_edge *edge = &p->edges[i];
    uint32_t rank = whorl_colour(p, edge->node);
    if (rank == WHORL_UNSEEN) {
      if (WHORL_FAIR) s->marks[p->height] = edge->marks;
      whorl_product_push(p, edge->node);
    } else if (rank != WHORL_DEAD) {
      assert(lives);
      whorl_components_join(s, rank, edge->marks);
      if (p->search->stopped) return;
    }
  }
}

static void whorl_components_leave(whorl_components *s) {
  whorl_product *p = s->product;
  whorl_node node = p->stack[--p->height];
  uint32_t rank = whorl_colour(p, node);
  p->depth--;
#if WHORL_LOOKS_AT_STACK
  *whorl_below(p, node) = 0;
#endif
  if (rank == WHORL_DEAD || s->roots[s->root_count - 1].rank != rank) return;
  assert(s->live[rank - 1] == (node & ~WHORL_ENTERED)); /* the first of its component */
  s->root_count--;
  while (s->live_count >= rank) {
    if (s->live_count > 8)
      whorl_row_prefetch(&p->states, WHORL_KIND, whorl_node_ref(s->live[s->live_count - 8]));
    whorl_set_colour(p, s->live[--s->live_count], WHORL_DEAD);
  }
}

static void whorl_components_search(whorl_product *p) {
  whorl_components components, *s = &components;
  if (!whorl_components_init(s, p)) {
    p->search->stopped = WHORL_STOP_MEMORY;
    return;
  }
  s->marks[0] = 0;
  while (p->height > 0 && !p->search->stopped) {
    whorl_product_prefetch(p);
    whorl_node node = p->stack[p->height - 1];
    if (node & WHORL_ENTERED) {
      whorl_components_leave(s);
      continue;
    }
    uint32_t rank = whorl_colour(p, node);
    if (rank == WHORL_UNSEEN) {
      whorl_components_enter(s);
      continue;
    }
    p->height--; /* another way was found since it was pushed */
    if (rank != WHORL_DEAD) whorl_components_join(s, rank, WHORL_FAIR ? s->marks[p->height] : 0);
  }
  assert(p->search->stopped || (s->root_count == 0 && s->live_count == 0));
}

#endif
