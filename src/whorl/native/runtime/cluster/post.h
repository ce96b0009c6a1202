/* What a worker sends to others in a search for cycles: nodes of theirs, and how many edges lead there.
 *
 *   record   | program state | place : 32 | edges : 32 |
 *
 * What a record asks of its owner is what the phase is that all workers are in (elimination.h). Where it
 * does no harm to be told twice, what was sent lately is not sent again; where edges are counted, those to
 * a node that still waits to be sent are added up in one record. Records are compared whole.
 */
#ifndef WHORL_POST_H
#define WHORL_POST_H

#include "cluster/outbox.h"

#ifndef WHORL_LATELY_LOG
#define WHORL_LATELY_LOG 13 /* of how many records are remembered */
#endif

typedef struct {
  whorl_state state;
  uint32_t place;
  uint32_t edges;
} whorl_record;

/* A record that was sent lately, and where it is, if its outbox has not been taken since. */
typedef struct {
  whorl_record record; /* of no edges: none */
  uint64_t filling;
  size_t at;
} whorl_lately;

typedef struct {
  whorl_outboxes out;
  whorl_lately *lately;
  uint64_t *fillings; /* of each worker's outbox: how often it has been taken */
} whorl_post;

static whorl_post whorl_the_post;

/* Whether a program state belongs to this worker. */
static inline bool whorl_is_ours(const whorl_state *s) {
  return whorl_is_own(&whorl_the_post.out, s);
}

/* Another phase: what was sent says nothing any more. */
static void whorl_post_forget(whorl_post *p) {
  if (p->lately) memset(p->lately, 0, sizeof *p->lately << WHORL_LATELY_LOG);
}

/* The memory of what the outboxes themselves have sent lately. */
static void whorl_outboxes_forget(whorl_outboxes *o) {
  whorl_given_back(o->recent, (size_t)o->record << WHORL_SENT_LOG);
  whorl_given_back(o->known, (size_t)1 << WHORL_SENT_LOG);
  o->recent = o->known = NULL;
}

static void whorl_post_init(whorl_post *p, uint32_t number, uint32_t count) {
  memset(p, 0, sizeof *p);
  whorl_outboxes_init(&p->out, number, count, sizeof(whorl_record) - sizeof(whorl_state));
  if (count == 1) return;
  whorl_outboxes_forget(&p->out); /* what is remembered here is whole nodes, and where they are */
  p->lately = (whorl_lately *)whorl_taken(sizeof *p->lately << WHORL_LATELY_LOG);
  whorl_post_forget(p);
  p->fillings = (uint64_t *)whorl_taken(count * sizeof *p->fillings);
  memset(p->fillings, 0, count * sizeof *p->fillings);
}

static void whorl_post_free(whorl_post *p) {
  for (uint32_t i = 0; p->out.boxes && i < p->out.count; i++) free(p->out.boxes[i].bytes);
  free(p->out.boxes);
  free(p->lately);
  free(p->fillings);
  memset(p, 0, sizeof *p);
}

static inline bool whorl_same_node(const whorl_record *a, const whorl_record *b) {
  return a->place == b->place && memcmp(&a->state, &b->state, sizeof a->state) == 0;
}

/* An order of nodes that does not depend on who has them. */
static inline int whorl_order_nodes(const whorl_record *a, const whorl_record *b) {
  for (int i = 0; i < WHORL_WORDS; i++)
    if (a->state.words[i] != b->state.words[i])
      return a->state.words[i] < b->state.words[i] ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

/* Sends a record of one edge to the owner of its state. `counts`: how many edges there are matters. */
static inline void whorl_post_send(whorl_post *p, const whorl_record *r, bool counts) {
  uint64_t hash = whorl_hash(&r->state);
  uint32_t to = whorl_owner(&p->out, &r->state);
  whorl_outbox *box = &p->out.boxes[to];
  uint64_t slot = (hash + r->place) & ((UINT64_C(1) << WHORL_LATELY_LOG) - 1);
  whorl_lately *l = &p->lately[slot];
  if (l->record.edges && whorl_same_node(&l->record, r)) {
    bool waits = l->filling == p->fillings[to];
    p->out.spared += !counts || waits;
    if (!counts) return;
    if (waits && ((whorl_record *)(void *)(box->bytes + l->at))->edges < UINT32_MAX / 16) {
      ((whorl_record *)(void *)(box->bytes + l->at))->edges++;
      return;
    }
  }
  if (box->room - box->used < sizeof *r) whorl_outbox_grow(box, sizeof *r);
  l->record = *r;
  l->filling = p->fillings[to];
  l->at = box->used;
  memcpy(box->bytes + box->used, r, sizeof *r);
  box->used += sizeof *r;
  p->out.sent++;
  if (box->used >= WHORL_OUTBOX_FULL) p->out.full = true;
}

/* What is to be sent to a worker, until the next call; the outbox is empty then. */
static size_t whorl_post_take(whorl_post *p, uint32_t to, const uint8_t **bytes) {
  if (p->out.count == 1 || to >= p->out.count) return 0;
  size_t length = p->out.boxes[to].used;
  *bytes = p->out.boxes[to].bytes;
  whorl_outbox_clear(&p->out, to);
  p->fillings[to]++;
  return length;
}

#endif
