/* Stubborn sets, as in reduction/stubborn.py: what some processes can do now, where nothing outside
 * the set can interfere before one of these steps is taken.
 *
 * A *class* is a process type with fixed values, so all of a kind but the location. The transitions
 * of a type are numbered, and masks of WHORL_MASK words have a bit for each; a *member* is a
 * transition of a class. Footprints that something is compared with have numbers: queries, of which
 * 0 is about nothing.
 *
 * The generator writes (native/code/stubborn.py):
 *
 *   WHORL_MASK, WHORL_MOST_CHOICES
 *   whorl_class_of[]                  of each kind
 *   whorl_ahead[], whorl_here[]       of each kind: what it can still do, and do next
 *   whorl_members_of[]                of each class: its first member
 *   WHORL_MOST_INDICES
 *   whorl_bits[kind][index]           the number, in its type, of what can be taken there
 *   whorl_touching[], whorl_waiting[] of each member: queries of what it touches, and of what
 *                                     decides whether it can be taken
 *   whorl_member_index[]              of each member: its index among those of its location
 *   whorl_handshakes[]                of each member: whether it may need a partner
 *   whorl_arrivals[], whorl_again[]   of each member: what leads to its location, at once or ever
 *   whorl_same[query][class]          what touches the same things
 *   whorl_facing[query][class]        what is at the other ends of the same channels
 *   whorl_choices(c, s, pid, member, bit, here, choices)
 *                                     what has to happen before conditions of its guard hold that
 *                                     do not, or before its channel is ready; how many such choices
 */
#ifndef WHORL_STUBBORN_H
#define WHORL_STUBBORN_H

typedef uint64_t whorl_bitset[WHORL_MASK];
typedef whorl_bitset whorl_members[WHORL_PROCESSES]; /* by pid */

typedef struct {
  const whorl_situation *in;
  whorl_members enabled;
  whorl_pids refused;    /* processes */
  whorl_pids moving;     /* processes: what they can do now is in the set */
  whorl_pids pending;    /* of them: what that needs is not in it yet */
  uint32_t steps;        /* that they begin */
  whorl_members members; /* in the set */
  whorl_members waiting; /* of them: nothing has been chosen yet */
} whorl_closing;

static inline uint32_t whorl_member(const whorl_closing *g, int pid, int bit) {
  return whorl_members_of[whorl_class_of[g->in->kinds[pid]]] + (uint32_t)bit;
}

static inline bool whorl_has_bit(const uint64_t *mask, int bit) {
  return mask[bit / 64] >> bit % 64 & 1;
}

/* The first bit from `bit` on, or -1. */
static inline int whorl_next_bit(const uint64_t *mask, int bit) {
  for (int word = bit / 64; word < WHORL_MASK; word++) {
    uint64_t left = word == bit / 64 ? mask[word] & UINT64_MAX << bit % 64 : mask[word];
    if (left) return 64 * word + __builtin_ctzll(left);
  }
  return -1;
}

/* Adds what is in some masks and ahead of a process. */
static inline void whorl_take_in(const whorl_closing *g, int pid, const uint64_t *mask,
                                 uint64_t *found) {
  const uint64_t *ahead = whorl_ahead[g->in->kinds[pid]];
  for (int word = 0; word < WHORL_MASK; word++) found[word] |= mask[word] & ahead[word];
}

/* Adds what depends on a query's footprint, by a table, of all processes but `but`. */
static inline void whorl_add_dependent(const whorl_closing *g,
                                       const whorl_bitset table[][WHORL_CLASSES_MOST],
                                       uint32_t query, int but, whorl_members found) {
  if (query == 0) return;
  for (int pid = 0; pid < g->in->count; pid++)
    if (pid != but)
      whorl_take_in(g, pid, table[query][whorl_class_of[g->in->kinds[pid]]], found[pid]);
}

static inline void whorl_clear(const whorl_closing *g, whorl_members found) {
  memset(found, 0, (size_t)g->in->count * sizeof(whorl_bitset));
}

static inline void whorl_add_members(whorl_closing *g, whorl_members more) {
  for (int pid = 0; pid < g->in->count; pid++) {
    bool moves = false;
    for (int word = 0; word < WHORL_MASK; word++) {
      uint64_t new_ = more[pid][word] & ~g->members[pid][word];
      g->members[pid][word] |= new_;
      g->waiting[pid][word] |= new_ & ~g->enabled[pid][word];
      moves |= (new_ & g->enabled[pid][word]) != 0;
    }
    if (moves && !whorl_has_pid(g->moving, pid)) {
      g->moving = whorl_with(g->moving, whorl_pid(pid));
      g->pending = whorl_with(g->pending, whorl_pid(pid));
      g->steps += g->in->steps[pid];
    }
  }
}

/* What the executable members of a process need: all its siblings, and what does not commute. */
static void whorl_close_moving(whorl_context *c, const whorl_state *s, whorl_closing *g, int pid) {
  whorl_members found;
  whorl_clear(g, found);
  whorl_take_in(g, pid, whorl_here[g->in->kinds[pid]], found[pid]);
  const uint64_t *enabled = g->enabled[pid];
  for (int bit = whorl_next_bit(enabled, 0); bit >= 0; bit = whorl_next_bit(enabled, bit + 1)) {
    uint32_t member = whorl_member(g, pid, bit), query = whorl_touching[member];
    whorl_add_dependent(g, whorl_same, query, pid, found);
    if (!whorl_stays(c, s, pid, whorl_member_index[member], true))
      whorl_add_dependent(g, whorl_facing, query, pid, found);
  }
  whorl_add_members(g, found);
}

/* What may come before a handshake for which a process is waiting: somebody comes to where the other
 * half of it is; or, where somebody is there and they do not match, moves on or is given other values. */
static void whorl_before_handshake(const whorl_closing *g, int pid, int bit, whorl_members found) {
  whorl_members others;
  uint32_t query = whorl_touching[whorl_member(g, pid, bit)];
  whorl_clear(g, others);
  whorl_add_dependent(g, whorl_same, query, pid, others);
  whorl_add_dependent(g, whorl_facing, query, pid, others);
  for (int who = 0; who < g->in->count; who++) {
    whorl_take_in(g, who, others[who], found[who]);
    for (int at = whorl_next_bit(others[who], 0); at >= 0;
         at = whorl_next_bit(others[who], at + 1)) {
      uint32_t member = whorl_member(g, who, at);
      if (!whorl_has_bit(whorl_here[g->in->kinds[who]], at)) {
        whorl_take_in(g, who, whorl_arrivals[member], found[who]);
        continue;
      }
      whorl_take_in(g, who, whorl_here[g->in->kinds[who]], found[who]);
      whorl_add_dependent(g, whorl_same, whorl_touching[member], WHORL_NOBODY, found);
      whorl_add_dependent(g, whorl_facing, whorl_touching[member], WHORL_NOBODY, found);
    }
  }
  found[pid][bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static void whorl_gather(const whorl_closing *g, int pid, int bit, const whorl_choice *choice,
                         whorl_members found) {
  whorl_clear(g, found);
  whorl_add_dependent(g, whorl_same, choice->same, WHORL_NOBODY, found);
  whorl_add_dependent(g, whorl_facing, choice->facing, WHORL_NOBODY, found);
  whorl_add_dependent(g, whorl_same, choice->others_same, pid, found);
  whorl_add_dependent(g, whorl_facing, choice->others_facing, pid, found);
  if (!choice->again) return;
  whorl_bitset again;
  const uint64_t *returning = whorl_again[whorl_member(g, pid, bit)];
  const uint64_t *here = whorl_here[g->in->kinds[pid]];
  for (int word = 0; word < WHORL_MASK; word++) again[word] = returning[word] & here[word];
  again[bit / 64] &= ~(UINT64_C(1) << bit % 64);
  whorl_take_in(g, pid, again, found[pid]);
}

/* What it costs to add some members: processes that are refused, steps, anything at all. */
static uint64_t whorl_cost(const whorl_closing *g, whorl_members more) {
  uint64_t any = 0, refused = 0, steps = 0;
  for (int pid = 0; pid < g->in->count; pid++) {
    uint64_t moves = 0;
    for (int word = 0; word < WHORL_MASK; word++) {
      uint64_t new_ = more[pid][word] & ~g->members[pid][word];
      any |= new_;
      moves |= new_ & g->enabled[pid][word];
    }
    if (moves == 0) continue;
    refused |= whorl_has_pid(g->refused, pid);
    steps += g->in->steps[pid];
  }
  return refused << 40 | steps << 1 | (any != 0);
}

/* Adds the cheapest of the sets of which a member that is not executable needs one. */
static void whorl_enable(whorl_context *c, const whorl_state *s, whorl_closing *g, int pid,
                         int bit) {
  whorl_members found[2];
  uint32_t member = whorl_member(g, pid, bit), best = 0;
  uint64_t least = UINT64_MAX;
  bool here = whorl_has_bit(whorl_here[g->in->kinds[pid]], bit);
  whorl_choice choices[WHORL_MOST_CHOICES + 1];
  int count = whorl_handshakes[member] ? 0 : whorl_choices(c, s, pid, member, bit, here, choices);
  for (int i = 0; i <= count && least > 0; i++) {
    whorl_bitset *next = found[1 - best];
    if (i < count) {
      whorl_gather(g, pid, bit, &choices[i], next);
    } else if (!here) {
      whorl_clear(g, next);
      whorl_take_in(g, pid, whorl_arrivals[member], next[pid]);
    } else if (whorl_handshakes[member]) {
      whorl_choice returns = {0, 0, 0, 0, true};
      whorl_gather(g, pid, bit, &returns, next);
      whorl_before_handshake(g, pid, bit, next);
    } else {
      uint16_t query = whorl_waiting[member];
      uint16_t facing = whorl_stays(c, s, pid, whorl_member_index[member], false) ? 0 : query;
      whorl_choice any = {0, 0, query, facing, true};
      whorl_gather(g, pid, bit, &any, next);
    }
    uint64_t cost = whorl_cost(g, next);
    if (cost >= least) continue;
    least = cost;
    best = 1 - best;
  }
  whorl_add_members(g, found[best]);
}

static inline void whorl_can_take(whorl_closing *g, int pid, int32_t transition) {
  int bit = whorl_bits[g->in->kinds[pid]][whorl_transition_index[transition]];
  g->enabled[pid][bit / 64] |= UINT64_C(1) << bit % 64;
}

/* What all processes can do now, as members. */
static void whorl_closing_init(const whorl_context *c, const whorl_situation *in,
                               whorl_pids excluded, whorl_closing *g) {
  g->in = in;
  g->refused = excluded;
  whorl_clear(g, g->enabled);
  for (uint32_t i = 0; i < c->count; i++) {
    const whorl_step *step = &c->steps[i];
    whorl_can_take(g, step->pid, step->transition);
    if (step->partner == WHORL_NOBODY) continue;
    whorl_can_take(g, step->partner, step->partner_transition);
    whorl_pids both = whorl_with(whorl_pid(step->pid), whorl_pid(step->partner));
    if (whorl_some(whorl_common(excluded, both))) g->refused = whorl_with(g->refused, both);
  }
}

/* The processes that can move in a stubborn set of one of them. None, if one is among them that is
 * refused, or if they begin `most` steps or more. */
static whorl_pids whorl_stubborn(whorl_context *c, const whorl_state *s, whorl_closing *g, int pid,
                                 uint32_t most) {
  g->moving = g->pending = whorl_pid(pid);
  g->steps = g->in->steps[pid];
  whorl_clear(g, g->members);
  whorl_clear(g, g->waiting);
  memcpy(g->members[pid], g->enabled[pid], sizeof(whorl_bitset));
  for (int from = 0;;) {
    if (whorl_some(whorl_common(g->moving, g->refused)) || g->steps >= most) return whorl_nobody();
    if (whorl_some(g->pending)) {
      int mover = whorl_least_pid(g->pending);
      g->pending = whorl_without(g->pending, whorl_pid(mover));
      whorl_close_moving(c, s, g, mover);
      from = 0;
      continue;
    }
    int bit = -1;
    while (from < g->in->count && (bit = whorl_next_bit(g->waiting[from], 0)) < 0) from++;
    if (from == g->in->count) {
      assert(g->steps == whorl_begun(g->in, g->moving) && g->steps > 0);
      return g->moving;
    }
    g->waiting[from][bit / 64] &= ~(UINT64_C(1) << bit % 64);
    whorl_enable(c, s, g, from, bit);
    from = 0;
  }
}

#endif
