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
 *   whorl_kind_of(B, pid)                the kind of a process
 *   whorl_rows[], whorl_columns[]     of each kind
 *   whorl_pairs[row][column]          the number of a meeting; 0 if these two never meet
 *   whorl_meetings[]                  see below
 *   whorl_bad[], whorl_stops[]        of each kind: the turns that are in no candidate, and those
 *                                     after which states are stored
 *   whorl_quiet[], WHORL_ANY_QUIET    of each kind: whether it has a turn that does not stop, and
 *                                     may be alone
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

#define WHORL_MOST_REDUCED 64 /* processes; with more of them everything is taken */
#define WHORL_ENTANGLED_BITS 12
#define WHORL_AMPLE_HASH UINT64_C(0x9e3779b97f4a7c15)

typedef struct {
  int count;    /* processes */
  uint64_t all; /* of them, as a set */
  uint16_t kinds[WHORL_MOST_REDUCED];
  uint64_t enabled[WHORL_MOST_REDUCED]; /* the turns that each can take */
  uint32_t steps[WHORL_MOST_REDUCED];   /* that each begins */
} whorl_situation;

static inline uint64_t whorl_set_of(int pid) { return UINT64_C(1) << (pid & 63); }

/* Whether there are too many processes; notes it. */
static inline bool whorl_is_crowded(int count) {
  bool crowded = WHORL_PROCESSES > WHORL_MOST_REDUCED && count > WHORL_MOST_REDUCED;
  whorl_crowded |= crowded;
  whorl_chose |= !crowded;
  return crowded;
}

static inline uint32_t whorl_pair(int kind, int other) {
  return whorl_pairs[whorl_rows[kind]][whorl_columns[other]];
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
static inline uint64_t whorl_component(whorl_context *c, const whorl_state *s,
                                       const whorl_situation *in, int pid, uint64_t hopeless,
                                       uint32_t most) {
  uint64_t members = whorl_set_of(pid), waiting = members, outside = in->all & ~members;
  uint32_t steps = in->steps[pid];
  if (steps >= most) return 0;
  while (waiting && outside) {
    int member = __builtin_ctzll(waiting);
    waiting &= waiting - 1;
    int kind = in->kinds[member];
    uint64_t enabled = in->enabled[member];
    for (uint64_t left = outside & hopeless; left; left &= left - 1)
      if (whorl_depends(c, s, member, kind, enabled, in->kinds[__builtin_ctzll(left)])) return 0;
    for (uint64_t left = outside & ~hopeless; left; left &= left - 1) {
      int other = __builtin_ctzll(left);
      if (!whorl_depends(c, s, member, kind, enabled, in->kinds[other])) continue;
      members |= whorl_set_of(other);
      waiting |= whorl_set_of(other);
      outside &= ~whorl_set_of(other);
      steps += in->steps[other];
      if (steps >= most) return 0;
    }
  }
  return members;
}

/* Whether each process depends on all others, at least by way of others, whatever they can do. */
static __attribute__((noinline)) bool whorl_look_entangled(const whorl_situation *in) {
  for (int pid = 0; pid < in->count; pid++) {
    uint64_t members = whorl_set_of(pid), waiting = members;
    while (waiting) {
      int member = __builtin_ctzll(waiting);
      waiting &= waiting - 1;
      for (uint64_t left = in->all & ~members; left; left &= left - 1) {
        int other = __builtin_ctzll(left);
        if (!whorl_always(in->kinds[member], in->kinds[other])) continue;
        members |= whorl_set_of(other);
        waiting |= whorl_set_of(other);
      }
    }
    if (members != in->all) return false;
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
static inline uint64_t whorl_look(const whorl_context *c, const whorl_state *s,
                                  whorl_situation *in) {
  const uint8_t *B = whorl_bytes(s);
  in->count = whorl_running(B);
  if (whorl_is_crowded(in->count) || c->count < 2 || in->count < 2) return 0;
  in->all = ~UINT64_C(0) >> (64 - in->count);
  for (int pid = 0; pid < in->count; pid++) {
    in->kinds[pid] = (uint16_t)whorl_kind_of(B, pid);
    in->enabled[pid] = 0;
    in->steps[pid] = 0;
  }
  if (!WHORL_STUBBORN && whorl_is_entangled(in)) return 0;
  uint64_t able = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const whorl_step *step = &c->steps[i];
    in->steps[step->pid]++;
    in->enabled[step->pid] |= whorl_set_of(whorl_turns[step->transition]);
    able |= whorl_set_of(step->pid);
    if (step->partner == WHORL_NOBODY) continue;
    in->enabled[step->partner] |= whorl_set_of(whorl_turns[step->partner_transition]);
    able |= whorl_set_of(step->partner);
  }
  return able;
}

/* The processes that have a step which is in no candidate. */
static inline uint64_t whorl_hopeless(const whorl_situation *in, uint64_t able) {
  uint64_t hopeless = 0;
  for (uint64_t left = able; left; left &= left - 1) {
    int pid = __builtin_ctzll(left);
    if (in->enabled[pid] & whorl_bad[in->kinds[pid]]) hopeless |= whorl_set_of(pid);
  }
  return hopeless;
}

static inline uint32_t whorl_begun(const whorl_situation *in, uint64_t members) {
  uint32_t steps = 0;
  for (; members; members &= members - 1) steps += in->steps[__builtin_ctzll(members)];
  return steps;
}

/* Keeps those steps that some processes begin. */
static inline void whorl_keep(whorl_context *c, uint64_t members) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    if (!(members >> c->steps[i].pid & 1)) continue;
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
  uint64_t able = whorl_look(c, s, &in);
  uint64_t refused = c->avoid | whorl_hopeless(&in, able), hopeless = refused, best = 0;
  uint32_t most = c->count;
  for (uint64_t left = able & ~hopeless; left && most > 1;) {
    int pid = WHORL_ONE_PROCESS ? 63 - __builtin_clzll(left) : __builtin_ctzll(left);
    uint64_t self = whorl_set_of(pid), others = WHORL_ONE_PROCESS ? ~self : hopeless;
    uint64_t members = whorl_component(c, s, &in, pid, others, most);
    left &= ~self;
    if (members == 0) {
      hopeless |= self; /* and so is whoever depends on it */
      continue;
    }
    best = members;
    if (WHORL_ONE_PROCESS) break;
    most = whorl_begun(&in, members);
  }
#if WHORL_STUBBORN
  if (able && most > 1) {
    whorl_closing g;
    whorl_closing_init(c, &in, refused, &g);
    for (uint64_t left = able & ~g.refused; left && most > 1; left &= left - 1) {
      uint64_t members = whorl_stubborn(c, s, &g, __builtin_ctzll(left), most);
      if (members == 0) continue;
      best = members;
      most = g.steps;
    }
  }
#endif
  if (best == 0) return false;
  whorl_keep(c, best);
  c->ample = best;
  return c->count == 1;
}
#endif

/* --- states that are left out ---------------------------------------------------------------- */

/* Whether the one step of a process is independent of all that the others can still do. */
static inline bool whorl_is_alone(whorl_context *c, const whorl_state *s, int pid,
                                  const uint16_t *kinds, int count, uint64_t enabled) {
  for (int other = 0; other < count; other++)
    if (other != pid && whorl_depends(c, s, pid, kinds[pid], enabled, kinds[other])) return false;
  return true;
}

/* Whether that may be so, whatever the process can do: this needs no step to be made. Whoever was
 * in the way last is asked first. */
static inline bool whorl_may_be_alone(whorl_context *c, const whorl_state *s, int pid,
                                      const uint16_t *kinds, int count) {
  static uint8_t blocker[WHORL_MOST_REDUCED];
  int last = blocker[pid];
  uint64_t ends = 0; /* turns that have somebody at the other end, executable or not */
  if (!whorl_quiet[kinds[pid]]) return false;
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
                                                            int pid, const uint16_t *kinds,
                                                            int count) {
  uint32_t before = c->count;
  int32_t last = -1;
  whorl_state middle = *s; /* the buffer may move */
  c->from = -1;
  whorl_steps(c, &middle, pid, pid);
  if (c->count == before + 1 && !c->steps[before].fault) {
    uint64_t enabled = whorl_set_of(whorl_turns[c->steps[before].transition]);
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

/* The kinds of all processes. Returns how many there are; none if there are too many. */
static inline int whorl_kinds(const uint8_t *B, uint16_t *kinds) {
  int count = whorl_running(B);
  if (whorl_is_crowded(count)) return 0;
  for (int pid = 0; pid < count; pid++) kinds[pid] = (uint16_t)whorl_kind_of(B, pid);
  return count;
}

static inline int32_t whorl_only_run(whorl_context *c, const whorl_state *s, int pid,
                                     const uint16_t *kinds, int count) {
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
  if (whorl_is_crowded(count)) return false;
  everyone |= step->from >= 0 || whorl_wakes[step->transition] ||
              (partner != WHORL_NOBODY && whorl_wakes[step->partner_transition]);
  if (!everyone && partner == WHORL_NOBODY && pid < count && !whorl_quiet[whorl_kind_of(B, pid)])
    return false;
  uint64_t asked = everyone ? WHORL_EVERYONE : whorl_set_of(pid);
  if (partner != WHORL_NOBODY) asked |= whorl_set_of(partner);
  if (count < 64) asked &= whorl_set_of(count) - 1;
  uint16_t kinds[WHORL_MOST_REDUCED];
  whorl_kinds(B, kinds);
  for (; asked; asked &= asked - 1) {
    pid = __builtin_ctzll(asked);
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
