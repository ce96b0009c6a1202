/* Partial-order reduction by the program state alone: which steps of a state are taken.
 *
 * As in reduction/candidates.py. A candidate is what some processes can do now, if nothing that the
 * others can still do concerns them; such a set is found by closing one process under "depends".
 * What processes there are to the analysis is their *kind*: type, location and fixed values. The
 * transitions of a location have turns, and masks have bit n for turn n.
 *
 * Where WHORL_SETTLES is set, states are left out in which some process has a single step that is
 * in such a set by itself: the run goes on, as it does in an atomic sequence. Either no such step
 * may be sticky, or loops of them are looked for (phase.h).
 *
 * Where WHORL_PROVISO is set, a search for violations of safety has to see to it that no step is
 * ignored for ever (search.h).
 *
 * The generator writes (native/ample.py):
 *
 *   WHORL_REDUCES                     which scheme: one of the numbers in expand.h
 *   WHORL_SETTLES                     0, WHORL_UNLESS_STICKY or WHORL_BY_PHASE_1
 *   WHORL_PROVISO                     0 or 1
 *   WHORL_ONE_PROCESS                 1: a candidate is a process by itself, the last one first;
 *                                     0: a component of dependent ones, that with the fewest steps
 *   WHORL_STUBBORN                    1: where that has several steps, stubborn sets (stubborn.h) too;
 *                                     else it need not be defined
 *   whorl_kind_number                 the type of a kind's number
 *   whorl_kind_of(B, pid)             the kind of a process
 *   whorl_rows[], whorl_columns[]     of each kind
 *   whorl_pairs[row * WHORL_COLUMNS + column]
 *                                     the number of a meeting; 0 if these two never meet
 *   whorl_meetings[]                  see below
 *   whorl_bad[], whorl_stops[]        of each kind: the turns that are in no candidate, and those
 *                                     after which states are stored
 *   whorl_quiet[], WHORL_ANY_QUIET    of each kind, and the most of any: 0 if all its turns stop; 1 if
 *                                     it depends on every other process; 2 if it may be alone
 *   whorl_turns[]                     of each transition
 *   whorl_wakes[]                     of each transition: whether others may be free to move after
 *                                     it that were not before
 *   whorl_stays(c, s, pid, turn, enabled)
 *                                     whether moves at the other ends of its channels leave a
 *                                     transition executable, or not
 */
#ifndef WHORL_AMPLE_H
#define WHORL_AMPLE_H

#include "context.h"

#ifndef WHORL_STUBBORN
#define WHORL_STUBBORN 0
#endif

#define WHORL_ENTANGLED_BITS 12
#define WHORL_AMPLE_HASH UINT64_C(0x9e3779b97f4a7c15)

typedef struct {
  int count;      /* processes */
  whorl_pids all; /* of them */
  whorl_kind_number kinds[WHORL_PROCESSES];
  uint64_t enabled[WHORL_PROCESSES]; /* the turns that each can take */
  uint32_t steps[WHORL_PROCESSES];   /* that each begins */
} whorl_situation;

static inline uint32_t whorl_pair(int kind, int other) {
  return whorl_pairs[(size_t)whorl_rows[kind] * WHORL_COLUMNS + whorl_columns[other]];
}

/* Whether a process of one kind depends on one of another, whatever it can do. */
static inline bool whorl_always(int kind, int other) {
  const whorl_meeting *m = &whorl_meetings[whorl_pair(kind, other)];
  return (m->whole & m->guard) != 0;
}

/* Whether a process of one kind, with these turns enabled, depends on one of another kind. */
static inline bool whorl_depends(whorl_context *c, const whorl_state *s, int pid, int kind,
                                 uint64_t enabled, int other) {
  uint32_t pair = whorl_pair(kind, other);
  if (pair == 0) return false;
  const whorl_meeting *m = &whorl_meetings[pair];
  if ((m->whole & enabled) | (m->guard & ~enabled)) return true;
  uint64_t met = (m->whole_ends & enabled) | (m->guard_ends & ~enabled);
  for (; met; met &= met - 1) {
    int turn = __builtin_ctzll(met);
    if (!whorl_stays(c, s, pid, turn, enabled >> turn & 1)) return true;
  }
  return false;
}

/* The processes that depend on `pid`, or on one that does, and so on. None, if a process is among
 * them that is `hopeless`, or if they begin `most` steps or more. */
static inline whorl_pids whorl_component(whorl_context *c, const whorl_state *s,
                                         const whorl_situation *in, int pid, whorl_pids hopeless,
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
    WHORL_EACH(other, lost, whorl_common(outside, hopeless))
      if (whorl_depends(c, s, member, kind, enabled, in->kinds[other])) return whorl_nobody();
    WHORL_EACH(other, left, whorl_without(outside, hopeless)) {
      if (!whorl_depends(c, s, member, kind, enabled, in->kinds[other])) continue;
      members = whorl_with(members, whorl_pid(other));
      waiting = whorl_with(waiting, whorl_pid(other));
      outside = whorl_without(outside, whorl_pid(other));
      steps += in->steps[other];
      if (steps >= most) return whorl_nobody();
    }
  }
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
      WHORL_EACH(other, left, whorl_without(in->all, members)) {
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
static inline bool whorl_is_entangled(const whorl_situation *in) {
  static uint64_t known[1 << WHORL_ENTANGLED_BITS]; /* what was asked; its last bit is the answer */
  uint64_t key = 0;
  for (int pid = 0; pid < in->count; pid++) key = (key ^ in->kinds[pid]) * WHORL_AMPLE_HASH;
  key = (key ^ key >> 32) | 1;
  uint64_t *entry = &known[key >> (64 - WHORL_ENTANGLED_BITS)];
  if ((*entry | 1) != key) *entry = key ^ !whorl_look_entangled(in);
  return *entry & 1;
}

/* The steps of a state, all of which are in the context. Returns the processes that take part in
 * one; none if there is nothing to choose from. */
static inline whorl_pids whorl_look(const whorl_context *c, const whorl_state *s,
                                    whorl_situation *in) {
  const uint8_t *B = whorl_bytes(s);
  in->count = whorl_running(B);
  if (c->count < 2 || in->count < 2) return whorl_nobody();
  in->all = whorl_pids_below(in->count);
  for (int pid = 0; pid < in->count; pid++) {
    in->kinds[pid] = (whorl_kind_number)whorl_kind_of(B, pid);
    in->enabled[pid] = 0;
    in->steps[pid] = 0;
  }
  if (!WHORL_STUBBORN && whorl_is_entangled(in)) return whorl_nobody();
  whorl_pids able = whorl_nobody();
  for (uint32_t i = 0; i < c->count; i++) {
    const whorl_step *step = &c->steps[i];
    in->steps[step->pid]++;
    in->enabled[step->pid] |= whorl_bit(whorl_turns[step->transition]);
    able = whorl_with(able, whorl_pid(step->pid));
    if (step->partner == WHORL_NOBODY) continue;
    in->enabled[step->partner] |= whorl_bit(whorl_turns[step->partner_transition]);
    able = whorl_with(able, whorl_pid(step->partner));
  }
  return able;
}

/* The processes that have a step which is in no candidate. */
static inline whorl_pids whorl_hopeless(const whorl_situation *in, whorl_pids able) {
  whorl_pids hopeless = whorl_nobody();
  int pid;
  WHORL_EACH(pid, left, able)
    if (in->enabled[pid] & whorl_bad[in->kinds[pid]]) hopeless = whorl_with(hopeless, whorl_pid(pid));
  return hopeless;
}

static inline uint32_t whorl_begun(const whorl_situation *in, whorl_pids members) {
  uint32_t steps = 0;
  int pid;
  WHORL_EACH(pid, left, members) steps += in->steps[pid];
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
  c->count = kept;
}

#if WHORL_STUBBORN
#include "stubborn.h"
#endif

#if WHORL_REDUCES == WHORL_STATIC
/* Of the steps of a state, all of which are in the context, keeps those of an ample set: of the
 * first candidate. Returns whether that has a single step, of several. */
static bool whorl_reduce(whorl_context *c, const whorl_state *s) {
  whorl_situation in;
  whorl_pids able = whorl_look(c, s, &in), best = whorl_nobody();
  whorl_pids refused = whorl_with(c->avoid, whorl_hopeless(&in, able)), hopeless = refused;
  uint32_t most = c->count;
  for (whorl_pids left = whorl_without(able, hopeless); whorl_some(left) && most > 1;) {
    int pid = WHORL_ONE_PROCESS ? whorl_greatest_pid(left) : whorl_least_pid(left);
    whorl_pids self = whorl_pid(pid), others = WHORL_ONE_PROCESS ? whorl_all_but(self) : hopeless;
    whorl_pids members = whorl_component(c, s, &in, pid, others, most);
    left = whorl_without(left, self);
    if (!whorl_some(members)) {
      hopeless = whorl_with(hopeless, self); /* and so is whoever depends on it */
      continue;
    }
    best = members;
    if (WHORL_ONE_PROCESS) break;
    most = whorl_begun(&in, members);
  }
#if WHORL_STUBBORN
  if (whorl_some(able) && most > 1) {
    whorl_closing g;
    whorl_closing_init(c, &in, refused, &g);
    int pid;
    WHORL_EACH(pid, left, whorl_without(able, g.refused)) {
      if (most <= 1) break;
      whorl_pids members = whorl_stubborn(c, s, &g, pid, most);
      if (!whorl_some(members)) continue;
      best = members;
      most = g.steps;
    }
  }
#endif
  if (!whorl_some(best)) return false;
  whorl_keep(c, best);
  c->ample = best;
  return c->count == 1;
}
#endif

/* --- states that are left out ---------------------------------------------------------------- */

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
  static uint8_t blocker[WHORL_PROCESSES];
  int last = blocker[pid];
  uint64_t ends = 0; /* turns that have somebody at the other end, executable or not */
  if (whorl_quiet[kinds[pid]] <= (count > 1)) return false;
  if (last < count && last != pid && whorl_always(kinds[pid], kinds[last])) return false;
  for (int other = 0; other < count; other++) {
    const whorl_meeting *m = &whorl_meetings[whorl_pair(kinds[pid], kinds[other])];
    if (other == pid) continue;
    if (m->whole & m->guard) {
      blocker[pid] = (uint8_t)other;
      return false;
    }
    ends |= m->whole_ends & m->guard_ends;
  }
  for (; ends; ends &= ends - 1)
    if (!whorl_stays(c, s, pid, __builtin_ctzll(ends), true)) return false;
  return true;
}

/* Follows an atomic sequence from steps[last], where it goes one way only. Returns where it gives
 * up control, or -1 if it does not come to that. */
static inline int32_t whorl_follow_atomic(whorl_context *c, uint32_t last) {
  while (c->steps[last].holder != WHORL_NOBODY) {
    whorl_walk_on(c, 1);
    if (whorl_comes_back(c, last)) return -1;
    int holder = c->steps[last].holder;
    uint32_t before = c->count;
    whorl_state middle = c->states[last];
    c->from = (int32_t)last;
    whorl_steps(c, &middle, holder, holder);
    if (c->count == before) {
      c->steps[last].holder = WHORL_NOBODY;
      break;
    }
    if (c->count > before + 1 || c->steps[before].fault) return -1;
    c->steps[last].passed = 1;
    last = before;
  }
  return (int32_t)last;
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
    uint64_t enabled = whorl_bit(whorl_turns[c->steps[before].transition]);
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

#if WHORL_SETTLES == WHORL_UNLESS_STICKY
/* Goes on from the end of the run steps[at], if some process has a run by itself. Unless `everyone`
 * is to be asked, none had before this step: then only those that took part in it may have, and
 * those that it wakes. */
static inline bool whorl_settle_once(whorl_context *c, uint32_t at, bool everyone) {
  const uint8_t *B = whorl_bytes(&c->states[at]);
  const whorl_step *step = &c->steps[at];
  int count = whorl_running(B), pid = step->pid, partner = step->partner;
  if (WHORL_ANY_QUIET <= (count > 1)) return false;
  everyone |= step->from >= 0 || whorl_wakes[step->transition] ||
              (partner != WHORL_NOBODY && whorl_wakes[step->partner_transition]);
  if (!everyone && partner == WHORL_NOBODY && pid < count &&
      whorl_quiet[whorl_kind_of(B, pid)] <= (count > 1))
    return false;
  whorl_pids asked = everyone ? whorl_everyone() : whorl_pid(pid);
  if (partner != WHORL_NOBODY) asked = whorl_with(asked, whorl_pid(partner));
  whorl_kind_number kinds[WHORL_PROCESSES];
  whorl_kinds(B, kinds);
  WHORL_EACH(pid, left, whorl_common(asked, whorl_pids_below(count))) {
    uint32_t before = c->count;
    if (whorl_only_run(c, &c->states[at], pid, kinds, count) < 0) continue;
    c->steps[before].from = (int32_t)at;
    c->steps[at].passed = 1;
    return true;
  }
  return false;
}

/* Goes on from there as long as some process has. */
static inline void whorl_settle(whorl_context *c, uint32_t at, bool everyone) {
  while (WHORL_ANY_QUIET && whorl_settle_once(c, at, everyone)) at = c->count - 1;
}
#endif

#endif
