/* The proviso on several threads, depth first: a run of a proper ample set leads to a state that is new or
 * anchored.
 *
 * Anchored is what is expanded fully, and what leads, by a run of its ample set, to a state that was
 * anchored before. So from every anchored state there is a way by runs of ample sets to one that is expanded
 * fully, and no state is on its own way: it was anchored after all the others. From a state that has found
 * something new the way goes to that, which is expanded later, and so on. (The laboratory has the rule:
 * anchored.rules, and threads.py for every interleaving.)
 *
 * What is known of a state is a mark beside it in the store, which goes from unset to set once. A state is
 * anchored when it is expanded, or by what it has found: once that is anchored, so are, one after the other,
 * those above it in the log. So each thread needs only its own log, in which an anchored state has nothing
 * but anchored ones above it. Who reads a mark reads what was true before it was set, and that stays true.
 *
 * One thread that is alone has the proviso of states that are closed before (proviso.h). What it has closed
 * is anchored: it was expanded fully, or leads to something that was closed before. So once the others
 * come all states get a mark but for those in the log. These may have led to others of the log that are
 * closed before them, as if the one thread had gone on: that has no cycle, and ends in what the rule
 * above decides.
 *
 * Breadth first there is no log, and a state has to be new, as on one thread. Bitstate has no marks.
 */
#ifndef WHORL_ANCHORED_H
#define WHORL_ANCHORED_H

#include "search/frontier.h"

/* Others come. Whether there is memory. */
static bool whorl_anchors_init(whorl_frontier *f, whorl_kind kind, whorl_visited *v) {
  if (f->order == WHORL_BFS || f->shared) return true;
  f->shared = true;
  whorl_places_drop(&f->places);
  if (!whorl_has_anchors(f, kind)) return true;
  if (!whorl_visited_mark_all(v, kind)) return false;
  for (uint32_t place = 0; place < f->count; place++)
    if (!(f->entries[place * whorl_entry_words(kind)] & WHORL_ANCHORED))
      whorl_visited_unmark(v, kind, whorl_frontier_hash(f, kind, v, place));
  return true;
}

/* The first proper ample set of this thread: from now on somebody may ask for marks. */
static __attribute__((noinline)) void whorl_anchors_begin(whorl_frontier *f, whorl_kind kind,
                                                          whorl_visited *v) {
  f->marks = true;
  for (uint32_t place = 0; place < f->count; place++)
    if (f->entries[place * whorl_entry_words(kind)] & WHORL_ANCHORED)
      whorl_visited_mark(v, kind, whorl_frontier_hash(f, kind, v, place));
}

/* The state at `ref` is anchored now, and with it those that found it. */
WHORL_INLINE void whorl_anchor(whorl_frontier *f, whorl_kind kind, whorl_visited *v, uint32_t ref) {
  while (ref != WHORL_NO_REF) {
    uint64_t *entry = &f->entries[ref * whorl_entry_words(kind)];
    if (*entry & WHORL_ANCHORED) return;
    *entry |= WHORL_ANCHORED;
    if (f->marks) whorl_visited_mark(v, kind, whorl_frontier_hash(f, kind, v, ref));
    ref = (uint32_t)(*entry >> 32);
  }
}

/* A state has been expanded for good, by a proper ample set or fully. `found`: something new. */
WHORL_INLINE void whorl_anchors_note(whorl_frontier *f, whorl_kind kind, whorl_visited *v,
                                     uint32_t ref, bool proper, bool found) {
  if (!whorl_has_anchors(f, kind)) return;
  if (f->shared && proper && !f->marks) whorl_anchors_begin(f, kind, v);
  if (!proper || (!found && f->shared)) whorl_anchor(f, kind, v, ref);
}

/* Before a state is expanded. */
WHORL_INLINE void whorl_anchors_prefetch(const whorl_frontier *f, whorl_kind kind,
                                         const whorl_visited *v, uint32_t ref) {
  if (WHORL_PROVISO && f->marks)
    whorl_visited_prefetch_mark(v, kind, f->entries[ref * whorl_entry_words(kind) + 1]);
}

#endif
