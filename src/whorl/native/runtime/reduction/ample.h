/* Which sets of processes may go first: candidates for ample sets, by C0 and C1.
 *
 * As in reduction/candidates.py. A candidate is what some processes can do now, if nothing that the
 * others can still do depends on it; such a set is found by closing one process under "depends". Two
 * processes are alike to the analysis if they have the same *kind*: type, location and fixed values. The
 * transitions of a location have indices: bit n of a mask is about the one of index n.
 *
 * The generator writes (native/code/ample.py):
 *
 *   WHORL_ONE_PROCESS                 1: a candidate is a process by itself, the last one first or,
 *                                     with WHORL_ASCENDING, the first;
 *                                     0: a component of dependent ones, that with the fewest steps
 *   WHORL_STUBBORN                    1: where that has several steps, stubborn sets (stubborn.h) too;
 *                                     else it need not be defined
 *   WHORL_SPIN_RULE                   1: a candidate has to be safe to Spin, too; else it need not be
 *                                     defined
 *   whorl_safe_in_spin(c, s, pid)     whether it is, in this state
 *   whorl_kind_number                 the type of a kind's number
 *   whorl_kind_of(B, pid)             the kind of a process
 *   whorl_rows[], whorl_columns[]     of each kind
 *   whorl_pairs[row * WHORL_COLUMNS + column]
 *                                     the number of a dependency; 0 if these two are independent
 *   whorl_dependencies[]              masks of transitions: those that depend on the other process
 *                                     if enabled (`whole`) and if not (`guard`); `_ends`: unless
 *                                     they stay as they are (whorl_stays)
 *   whorl_bad[]                       of each kind: the transitions that are in no proper ample set
 *   whorl_transition_index[]          of each transition: its bit in masks
 *   whorl_stays(c, s, pid, index, enabled)
 *                                     whether moves at the other ends of its channels leave a
 *                                     transition executable, or not
 */
#ifndef WHORL_AMPLE_H
#define WHORL_AMPLE_H

#include "model/atomic.h"

#ifndef WHORL_STUBBORN
#define WHORL_STUBBORN 0
#endif
#ifndef WHORL_SPIN_RULE
#define WHORL_SPIN_RULE 0
#endif

#define WHORL_AMPLE_HASH UINT64_C(0x9e3779b97f4a7c15)

typedef struct {
  int count;      /* processes */
  whorl_pids all; /* of them */
  whorl_kind_number kinds[WHORL_PROCESSES];
  uint64_t enabled[WHORL_PROCESSES]; /* transitions of each, by index */
  uint32_t steps[WHORL_PROCESSES];   /* that each begins */
} whorl_situation;

static inline uint32_t whorl_pair(int kind, int other) {
  return whorl_pairs[(size_t)whorl_rows[kind] * WHORL_COLUMNS + whorl_columns[other]];
}

/* Whether a process of one kind depends on one of another, whatever it can do. */
static inline bool whorl_always(int kind, int other) {
  const whorl_dependency *d = &whorl_dependencies[whorl_pair(kind, other)];
  return (d->whole & d->guard) != 0;
}

/* Whether a process of one kind, with these transitions enabled, depends on one of another kind. */
static inline bool whorl_depends(whorl_context *c, const whorl_state *s, int pid, int kind,
                                 uint64_t enabled, int other) {
  uint32_t pair = whorl_pair(kind, other);
  if (pair == 0) return false;
  const whorl_dependency *d = &whorl_dependencies[pair];
  if ((d->whole & enabled) | (d->guard & ~enabled)) return true;
  uint64_t ends = (d->whole_ends & enabled) | (d->guard_ends & ~enabled);
  for (; ends; ends &= ends - 1) {
    int index = __builtin_ctzll(ends);
    if (!whorl_stays(c, s, pid, index, enabled >> index & 1)) return true;
  }
  return false;
}

#ifndef NDEBUG
/* Whether nothing that other processes can still do depends on what these can do now (C1). */
static bool whorl_is_closed(whorl_context *c, const whorl_state *s, const whorl_situation *in,
                            whorl_pids members) {
  int pid, other;
  WHORL_EACH (pid, left, members)
    WHORL_EACH (other, others, whorl_without(in->all, members))
      if (whorl_depends(c, s, pid, in->kinds[pid], in->enabled[pid], in->kinds[other]))
        return false;
  return true;
}

/* Whether none of them has a step that is in no proper ample set (C2, sticky transitions). */
static bool whorl_may_be_ample(const whorl_situation *in, whorl_pids members) {
  int pid;
  WHORL_EACH (pid, left, members)
    if (whorl_bad[in->kinds[pid]] & in->enabled[pid]) return false;
  return true;
}
#endif

/* The processes that depend on `pid`, or on one that does, and so on. None, if a process is among
 * them that is `excluded`, or if they begin `most` steps or more. */
static inline whorl_pids whorl_component(whorl_context *c, const whorl_state *s,
                                         const whorl_situation *in, int pid, whorl_pids excluded,
                                         uint32_t most) {
  whorl_pids members = whorl_pid(pid), waiting = members, outside = whorl_without(in->all, members);
  uint32_t steps = in->steps[pid];
  int other;
  if (steps >= most) return whorl_nobody();
  while (whorl_some(waiting) && whorl_some(outside)) {
    int member = whorl_least_pid(waiting);
    waiting = whorl_without(waiting, whorl_pid(member));
    int kind = in->kinds[member];
    uint64_t enabled = in->enabled[member];
    WHORL_EACH (other, lost, whorl_common(outside, excluded))
      if (whorl_depends(c, s, member, kind, enabled, in->kinds[other])) return whorl_nobody();
    WHORL_EACH (other, left, whorl_without(outside, excluded)) {
      if (!whorl_depends(c, s, member, kind, enabled, in->kinds[other])) continue;
      members = whorl_with(members, whorl_pid(other));
      waiting = whorl_with(waiting, whorl_pid(other));
      outside = whorl_without(outside, whorl_pid(other));
      steps += in->steps[other];
      if (steps >= most) return whorl_nobody();
    }
  }
  assert(whorl_is_closed(c, s, in, members));
  return members;
}

/* Whether each process depends on all others, at least by way of others, whatever they can do. */
static __attribute__((noinline)) bool whorl_look_entangled(const whorl_situation *in) {
  for (int pid = 0; pid < in->count; pid++) {
    whorl_pids members = whorl_pid(pid), waiting = members;
    int other;
    while (whorl_some(waiting)) {
      int member = whorl_least_pid(waiting);
      waiting = whorl_without(waiting, whorl_pid(member));
      WHORL_EACH (other, left, whorl_without(in->all, members)) {
        if (!whorl_always(in->kinds[member], in->kinds[other])) continue;
        members = whorl_with(members, whorl_pid(other));
        waiting = whorl_with(waiting, whorl_pid(other));
      }
    }
    if (!whorl_equal_pids(members, in->all)) return false;
  }
  return true;
}

/* The same, remembered: there are far fewer ways to be somewhere than states. Then nothing can be
 * reduced, and that should cost next to nothing. */
static inline bool whorl_is_entangled(whorl_memo *memo, const whorl_situation *in) {
  uint64_t key = 0;
  for (int pid = 0; pid < in->count; pid++) key = (key ^ in->kinds[pid]) * WHORL_AMPLE_HASH;
  key = (key ^ key >> 32) | 1;
  uint64_t *entry = &memo->entangled[key >> (64 - WHORL_ENTANGLED_BITS)];
  uint64_t known = WHORL_RECALLED(*entry);
  if ((known | 1) != key) {
    known = key ^ !whorl_look_entangled(in);
    WHORL_NOTE(*entry, known);
  }
  return known & 1;
}

/* The steps of a state, all of which are in the context. Returns the processes that take part in
 * one; none if there is nothing to choose from. */
static inline whorl_pids whorl_look(whorl_context *c, const whorl_state *s, whorl_situation *in) {
  const uint8_t *B = whorl_bytes(s);
  in->count = whorl_running(B);
  if (c->count < 2 || in->count < 2) return whorl_nobody();
  in->all = whorl_pids_below(in->count);
  for (int pid = 0; pid < in->count; pid++) {
    in->kinds[pid] = (whorl_kind_number)whorl_kind_of(B, pid);
    in->enabled[pid] = 0;
    in->steps[pid] = 0;
  }
  if (!WHORL_STUBBORN && whorl_is_entangled(c->memo, in)) return whorl_nobody();
  whorl_pids able = whorl_nobody();
  for (uint32_t i = 0; i < c->count; i++) {
    const whorl_step *step = &c->steps[i];
    in->steps[step->pid]++;
    in->enabled[step->pid] |= whorl_bit(whorl_transition_index[step->transition]);
    able = whorl_with(able, whorl_pid(step->pid));
    if (step->partner == WHORL_NOBODY) continue;
    in->enabled[step->partner] |= whorl_bit(whorl_transition_index[step->partner_transition]);
    able = whorl_with(able, whorl_pid(step->partner));
  }
  return able;
}

/* The processes that have a step which is in no proper ample set. */
static inline whorl_pids whorl_excluded(const whorl_situation *in, whorl_pids able) {
  whorl_pids excluded = whorl_nobody();
  int pid;
  WHORL_EACH (pid, left, able)
    if (in->enabled[pid] & whorl_bad[in->kinds[pid]])
      excluded = whorl_with(excluded, whorl_pid(pid));
  return excluded;
}

static inline uint32_t whorl_begun(const whorl_situation *in, whorl_pids members) {
  uint32_t steps = 0;
  int pid;
  WHORL_EACH (pid, left, members) steps += in->steps[pid];
  return steps;
}

/* Keeps those steps that some processes begin. */
static inline void whorl_keep(whorl_context *c, whorl_pids members) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    if (!whorl_has_pid(members, c->steps[i].pid)) continue;
    if (kept < i) {
      c->steps[kept] = c->steps[i];
      c->states[kept] = c->states[i];
    }
    kept++;
  }
  assert(kept > 0); /* C0 */
  c->count = kept;
}

#endif
