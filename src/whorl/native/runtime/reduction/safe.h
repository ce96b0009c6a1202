/* Deterministic processes, as section 2 of the Two phase paper has them (reduction/safe.py, pv.py).
 *
 * The generator writes (native/code/ample.py), where the tables of ample.h are of what is safe:
 *
 *   whorl_global[]       of each kind: the transitions that involve a global variable
 *   whorl_conditional[]  and those that are sends or receives: safe where whorl_stays says so, and
 *                        nobody else is at the same end, which whorl_dependencies say
 *   whorl_stops[]        those that a proposition may see
 *   whorl_descends(s, t, pid)
 *                        whether a state is not after another one, by what process `pid` is in them
 */
#ifndef WHORL_SAFE_H
#define WHORL_SAFE_H

#include "reduction/ample.h"

/* Whether the transitions of a process are safe, as far as that does not depend on the state's
 * channels. */
static inline bool whorl_is_internal(int pid, const whorl_kind_number *kinds, int count) {
  if (whorl_global[kinds[pid]]) return false;
  for (int other = 0; other < count; other++)
    if (other != pid && whorl_dependencies[whorl_pair(kinds[pid], kinds[other])].whole)
      return false;
  return true;
}

/* Whether a process is deterministic in a state. Nothing is left in the context. */
static bool whorl_is_deterministic(whorl_context *c, const whorl_state *s, int pid,
                                   const whorl_kind_number *kinds, int count) {
  if (!whorl_is_internal(pid, kinds, count)) return false;
  whorl_context_clear(c);
  c->timeout = false;
  whorl_steps(c, s, pid, pid);
  bool is_so = c->count == 1 && !c->steps[0].fault;
  if (is_so) {
    uint64_t enabled = whorl_bit(whorl_transition_index[c->steps[0].transition]);
    uint64_t left = whorl_conditional[kinds[pid]];
    is_so = !(enabled & whorl_stops[kinds[pid]]);
    for (; is_so && left; left &= left - 1) {
      int index = __builtin_ctzll(left);
      is_so = whorl_stays(c, s, pid, index, enabled >> index & 1);
    }
    is_so = is_so && whorl_follow_atomic(c, 0) >= 0;
  }
  whorl_context_clear(c);
  return is_so;
}

/* The first process from a place in the order of processes on that is deterministic: its pid, or -1;
 * `*place` is then its place. */
static int whorl_first_deterministic(whorl_context *c, const whorl_state *s, int *place) {
  whorl_kind_number kinds[WHORL_PROCESSES];
  const uint8_t *B = whorl_bytes(s);
  if (whorl_holder(s) != WHORL_NOBODY) return -1;
  int count = whorl_running(B);
  for (int pid = 0; pid < count; pid++) kinds[pid] = (whorl_kind_number)whorl_kind_of(B, pid);
  for (; *place < count; ++*place) {
    int pid = WHORL_ASCENDING ? *place : count - 1 - *place;
    if (whorl_is_deterministic(c, s, pid, kinds, count)) return pid;
  }
  return -1;
}

#endif
