/* Processes that go on by themselves: the deterministic steps of section 2 of the Two phase paper.
 *
 * A process is deterministic where it has a single run, which no other process can concern and nobody
 * sees. Such a step is an ample set by itself, so that the state before it need not be stored.
 *
 * The generator writes (native/code/ample.py):
 *
 *   whorl_stops[]                     of each kind: the transitions that are none of such steps
 *   whorl_deterministic[]             of each kind: 0 if a process of it is never deterministic; 1 if
 *                                     it depends on every other process, so that it may be only
 *                                     where there is none; 2 if it may be beside others
 *   WHORL_ANY_DETERMINISTIC           the largest of these
 *   whorl_makes_deterministic[]       of each transition: whether another process may be
 *                                     deterministic after it that was not before
 */
#ifndef WHORL_ALONE_H
#define WHORL_ALONE_H

#include "reduction/ample.h"

/* Whether a process of a kind like this, of so many processes, may be deterministic. */
static inline bool whorl_may_be_deterministic(int deterministic, int count) {
  int others = count > 1;
  return deterministic > others;
}

/* Whether the one step of a process is independent of all that the others can still do. */
static inline bool whorl_is_alone(whorl_context *c, const whorl_state *s, int pid,
                                  const whorl_kind_number *kinds, int count, uint64_t enabled) {
  for (int other = 0; other < count; other++)
    if (other != pid && whorl_depends(c, s, pid, kinds[pid], enabled, kinds[other])) return false;
  return true;
}

/* Whether that may be so, whatever the process can do: this needs no step to be made. Whoever was
 * in the way last is asked first. */
static inline bool whorl_may_be_alone(whorl_context *c, const whorl_state *s, int pid,
                                      const whorl_kind_number *kinds, int count) {
  uint8_t *blocker = c->memo->blocker;
  int last = WHORL_RECALLED(blocker[pid]);
  uint64_t ends = 0; /* transitions that have somebody at the other end, enabled or not */
  if (!whorl_may_be_deterministic(whorl_deterministic[kinds[pid]], count)) return false;
  if (last < count && last != pid && whorl_always(kinds[pid], kinds[last])) return false;
  for (int other = 0; other < count; other++) {
    const whorl_dependency *d = &whorl_dependencies[whorl_pair(kinds[pid], kinds[other])];
    if (other == pid) continue;
    if (d->whole & d->guard) {
      WHORL_NOTE(blocker[pid], (uint8_t)other);
      return false;
    }
    ends |= d->whole_ends & d->guard_ends;
  }
  for (; ends; ends &= ends - 1)
    if (!whorl_stays(c, s, pid, __builtin_ctzll(ends), true)) return false;
  return true;
}

/* The one run of a process from `s`, if it has a run by itself: it is appended to the context.
 * Returns its last step, or -1. */
static __attribute__((noinline)) int32_t whorl_try_only_run(whorl_context *c, const whorl_state *s,
                                                            int pid, const whorl_kind_number *kinds,
                                                            int count) {
  uint32_t before = c->count;
  int32_t last = -1;
  whorl_state middle = *s; /* the buffer may move */
  c->from = -1;
  whorl_steps(c, &middle, pid, pid);
  if (c->count == before + 1 && !c->steps[before].fault) {
    uint64_t enabled = whorl_bit(whorl_transition_index[c->steps[before].transition]);
    if (!(enabled & whorl_stops[kinds[pid]]) &&
        whorl_is_alone(c, &middle, pid, kinds, count, enabled)) {
      last = whorl_follow_atomic(c, before);
      c->sticky |= (enabled & whorl_bad[kinds[pid]]) != 0;
    }
  }
  c->from = -1;
  if (last < 0) c->count = before;
  return last;
}

/* The kinds of all processes. Returns how many there are. */
static inline int whorl_kinds(const uint8_t *B, whorl_kind_number *kinds) {
  int count = whorl_running(B);
  for (int pid = 0; pid < count; pid++) kinds[pid] = (whorl_kind_number)whorl_kind_of(B, pid);
  return count;
}

static inline int32_t whorl_only_run(whorl_context *c, const whorl_state *s, int pid,
                                     const whorl_kind_number *kinds, int count) {
  if (pid >= count || !whorl_may_be_alone(c, s, pid, kinds, count)) return -1;
  return whorl_try_only_run(c, s, pid, kinds, count);
}

/* The processes that may be deterministic after steps[at], if none was before. */
static inline whorl_pids whorl_newly_deterministic(const whorl_context *c, uint32_t at) {
  const whorl_step *step = &c->steps[at];
  bool handshake = step->partner != WHORL_NOBODY;
  if (whorl_makes_deterministic[step->transition] ||
      (handshake && whorl_makes_deterministic[step->partner_transition]))
    return whorl_everyone();
  whorl_pids mover = whorl_pid(step->pid);
  return handshake ? whorl_with(mover, whorl_pid(step->partner)) : mover;
}

/* Goes on from the end of the run steps[at], if some process has a run by itself. Unless `everyone`
 * is to be asked, none had before this step: then only those that took part in it may have, and
 * those that it makes deterministic. */
static inline bool whorl_go_on_once(whorl_context *c, uint32_t at, bool everyone) {
  const uint8_t *B = whorl_bytes(&c->states[at]);
  const whorl_step *step = &c->steps[at];
  int count = whorl_running(B), pid = step->pid, partner = step->partner;
  if (!whorl_may_be_deterministic(WHORL_ANY_DETERMINISTIC, count)) return false;
  whorl_pids asked =
      everyone || step->from >= 0 ? whorl_everyone() : whorl_newly_deterministic(c, at);
  everyone = whorl_equal_pids(asked, whorl_everyone());
  if (!everyone && partner == WHORL_NOBODY && pid < count &&
      !whorl_may_be_deterministic(whorl_deterministic[whorl_kind_of(B, pid)], count))
    return false;
  whorl_kind_number kinds[WHORL_PROCESSES];
  whorl_kinds(B, kinds);
  WHORL_EACH (pid, left, whorl_common(asked, whorl_pids_below(count))) {
    uint32_t before = c->count;
    if (whorl_only_run(c, &c->states[at], pid, kinds, count) < 0) continue;
    c->steps[before].from = (int32_t)at;
    c->steps[at].passed = 1;
    return true;
  }
  return false;
}

/* Goes on from the end of the run steps[at] as long as some process has a run by itself. None of these is
 * sticky, so that there is an end to it. */
static inline void whorl_go_on_alone(whorl_context *c, uint32_t at, bool everyone) {
  while (WHORL_ANY_DETERMINISTIC && whorl_go_on_once(c, at, everyone)) at = c->count - 1;
}

#endif
