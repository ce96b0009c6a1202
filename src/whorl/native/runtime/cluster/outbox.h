/* What is to be sent to the owners of states.
 *
 * A state belongs to the worker that the hash of a part of it says (owners.h). A record is a state's words, and perhaps
 * some bytes more (of a claim: the place in the row).
 *
 *   outbox of worker 2   | words | more | words | more | ...
 *
 * Steps that commute lead to the same state within a few steps. A worker that remembers what it sent
 * lately does not send it again. Records are compared whole: a state that were left out for its hash
 * alone would be missing. What was once sent has been inserted by its owner, so it is never needed a
 * second time; if a worker is lost, all begin again from what was written.
 */
#ifndef WHORL_OUTBOX_H
#define WHORL_OUTBOX_H

#include "cluster/owners.h"
#include "store/wide.h"

#ifndef WHORL_SENT_LOG
#define WHORL_SENT_LOG 16 /* of how many records are remembered */
#endif
#ifndef WHORL_OUTBOX_FULL
#define WHORL_OUTBOX_FULL ((size_t)1 << 20) /* bytes: then it should be sent */
#endif
#define WHORL_OUTBOX_SPARE 4096 /* bytes: what the states that are under way may add, as a rule */

typedef struct {
  uint8_t *bytes;
  size_t used, room;
} whorl_outbox;

typedef struct {
  uint32_t number, count; /* of this worker, and of all */
  uint32_t record;        /* bytes of one */
  bool full;              /* one of them */
  whorl_owners owners;    /* who owns what */
  whorl_outbox *boxes;    /* of each worker */
  uint8_t *recent;        /* 2^WHORL_SENT_LOG records sent lately, by hash */
  uint8_t *known;         /* whether there is one */
  uint64_t sent, spared;  /* records; spared: they had been sent before */
} whorl_outboxes;

static void whorl_outboxes_init(whorl_outboxes *o, uint32_t number, uint32_t count, uint32_t more) {
  memset(o, 0, sizeof *o);
  o->number = number;
  o->count = count;
  o->record = (uint32_t)sizeof(whorl_state) + more;
  whorl_owners_by_all(&o->owners);
  if (count == 1) return;
  o->boxes = (whorl_outbox *)whorl_taken(count * sizeof *o->boxes);
  memset(o->boxes, 0, count * sizeof *o->boxes);
  o->recent = (uint8_t *)whorl_taken((size_t)o->record << WHORL_SENT_LOG);
  o->known = (uint8_t *)whorl_taken((size_t)1 << WHORL_SENT_LOG);
  memset(o->known, 0, (size_t)1 << WHORL_SENT_LOG);
}

/* Who owns a state. */
static inline uint32_t whorl_owner(const whorl_outboxes *o, const whorl_state *s) {
  uint64_t hash = whorl_owners_hash(&o->owners, s);
  return (uint32_t)whorl_high(hash, o->count);
}

static inline bool whorl_is_own(const whorl_outboxes *o, const whorl_state *s) {
  return o->count == 1 || whorl_owner(o, s) == o->number;
}

/* Whether a record was sent lately; from now on it was. */
static inline bool whorl_sent_lately(whorl_outboxes *o, uint64_t hash, const whorl_state *s,
                                     const void *more) {
  uint64_t at = hash & ((UINT64_C(1) << WHORL_SENT_LOG) - 1);
  uint8_t *record = o->recent + at * o->record;
  size_t extra = o->record - sizeof *s;
  if (o->known[at] && memcmp(record, s, sizeof *s) == 0 &&
      (extra == 0 || memcmp(record + sizeof *s, more, extra) == 0))
    return true;
  o->known[at] = 1;
  memcpy(record, s, sizeof *s);
  if (extra) memcpy(record + sizeof *s, more, extra);
  return false;
}

static __attribute__((noinline)) void whorl_outbox_grow(whorl_outbox *box, uint32_t record) {
  size_t room = box->room ? 2 * box->room : 4096, most = WHORL_OUTBOX_FULL + WHORL_OUTBOX_SPARE;
  if (room > most && box->room < most) room = most;
  while (room < box->used + record) room *= 2;
  box->bytes = (uint8_t *)whorl_grown(box->bytes, box->room, room);
  box->room = room;
}

/* Puts a record where its owner gets it from, unless that one was sent lately. */
static inline void whorl_send(whorl_outboxes *o, uint32_t owner, const whorl_state *s,
                              const void *more) {
  if (whorl_sent_lately(o, whorl_hash(s), s, more)) {
    o->spared++;
    return;
  }
  o->sent++;
  whorl_outbox *box = &o->boxes[owner];
  if (__builtin_expect(box->room - box->used < o->record, 0)) whorl_outbox_grow(box, o->record);
  memcpy(box->bytes + box->used, s, sizeof *s);
  if (o->record > sizeof *s)
    memcpy(box->bytes + box->used + sizeof *s, more, o->record - sizeof *s);
  box->used += o->record;
  if (box->used >= WHORL_OUTBOX_FULL) o->full = true;
}

/* What was in the outbox of a worker has been sent. */
static void whorl_outbox_clear(whorl_outboxes *o, uint32_t to) {
  o->boxes[to].used = 0;
  o->full = false;
  for (uint32_t i = 0; i < o->count; i++) o->full |= o->boxes[i].used >= WHORL_OUTBOX_FULL;
}

#endif
