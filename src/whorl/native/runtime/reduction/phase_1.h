/* Two phase (Nalumasu and Gopalakrishnan, Figures 5 and 8): phase 1, a function of the program state.
 *
 * With selective caching, whorl_phase_1: one process after the other runs by itself as far as it goes,
 * or to the least state of the loop that it makes; until none goes anywhere, or they go round
 * together: then phase 1 ends in the least state of that loop. What is least does not matter, as long
 * as it is the same whatever the way into the loop: here memcmp decides.
 *
 * With all states stored, whorl_keep_phase_1, as in reduction/two_phase.py:
 *
 *   following(q)   the step of phase 1: of the first process that has a run by itself and is not at
 *                  rest, that is in the least state of a loop that it makes by itself
 *
 * Phase 1 ends where there is no such step, or in the least state of a loop of them.
 *
 * A loop is found by looking at those states of a walk alone that were entered by a step down: every
 * loop has one (section 5.1 of the paper, "s < olds"). Of these one at a time is remembered (Brent,
 * "An improved Monte Carlo factorization algorithm", 1980).
 *
 * A process that counts by itself may make a loop too long to be walked. After WHORL_LONGEST_WALK
 * runs phase 1 ends where it is. That is as sound: a state in which phase 1 ends is fully expanded, so
 * all that matters is that it does end, and in the same state if it is asked again.
 */
#ifndef WHORL_PHASE_1_H
#define WHORL_PHASE_1_H

#include "reduction/alone.h"

#ifndef WHORL_LONGEST_WALK
#define WHORL_LONGEST_WALK (1 << 12)
#endif

static inline int whorl_compare(const whorl_state *a, const whorl_state *b) {
#ifdef WHORL_DEVICE
  return whorl_compare_bytes(a->words, b->words, WHORL_MATCHED);
#else
  return memcmp(a, b, 8 * WHORL_MATCHED);
#endif
}

/* What is remembered of a walk: a state, and how many more may come before it is replaced. */
typedef struct {
  whorl_state state;
  uint64_t left, most; /* `most` is 0 before the first one */
} whorl_walk;

/* Whether the step of a walk from `before` to `s` leads to the state that is remembered. */
static inline bool whorl_closes(whorl_walk *w, const whorl_state *before, const whorl_state *s) {
  if (whorl_compare(s, before) > 0) return false;
  if (w->most && whorl_compare(s, &w->state) == 0) return true;
  if (w->left-- == 0) {
    w->state = *s;
    w->most = w->most ? 2 * w->most : 1;
    w->left = w->most - 1;
  }
  return false;
}

static int32_t whorl_run_of(whorl_context *c, const whorl_state *s, int pid) {
  whorl_kind_number kinds[WHORL_PROCESSES];
  int count = whorl_kinds(whorl_bytes(s), kinds);
  return whorl_only_run(c, s, pid, kinds, count);
}

static int32_t whorl_following(whorl_context *c, const whorl_state *s, uint32_t *left);

/* Whether `s` is the least state of a loop: of the steps of one process, or of phase 1, where `pid`
 * is WHORL_NOBODY. Yes, too, if no more runs are `left` to find out.
 *
 * Phase 1 asks it of processes in turn. On a GPU nothing may call itself: there it is a function for each. */
#ifdef WHORL_DEVICE
#define WHORL_LEAST static inline __attribute__((always_inline)) bool whorl_is_least_of
#else
#define WHORL_LEAST static bool whorl_is_least
#endif
WHORL_LEAST(whorl_context *c, const whorl_state *s, int pid, uint32_t *left) {
  uint32_t before = c->count;
  whorl_state at = *s, next;
  whorl_walk walk;
  walk.left = walk.most = 0;
  while (*left > 0) {
    --*left;
    int32_t last = pid == WHORL_NOBODY ? whorl_following(c, &at, left) : whorl_run_of(c, &at, pid);
    if (last < 0) return *left == 0;
    next = c->states[last];
    c->count = before;
    int order = whorl_compare(&next, s);
    if (order == 0) return true;
    if (order < 0 || whorl_closes(&walk, &at, &next)) return false; /* a loop without `s` */
    at = next;
  }
  return true;
}

#ifdef WHORL_DEVICE
static bool whorl_is_least(whorl_context *c, const whorl_state *s, int pid, uint32_t *left) {
  WHORL_KNOWN(pid != WHORL_NOBODY);
  return whorl_is_least_of(c, s, pid, left);
}

static bool whorl_is_least_of_all(whorl_context *c, const whorl_state *s, uint32_t *left) {
  return whorl_is_least_of(c, s, WHORL_NOBODY, left);
}
#else
#define whorl_is_least_of_all(c, s, left) whorl_is_least(c, s, WHORL_NOBODY, left)
#endif

/* The step of phase 1 from `s`: its run is appended to the context. Returns the last step of it, or
 * -1. */
static int32_t whorl_following(whorl_context *c, const whorl_state *s, uint32_t *left) {
  whorl_kind_number kinds[WHORL_PROCESSES];
  int count = whorl_kinds(whorl_bytes(s), kinds);
  uint32_t before = c->count;
  whorl_state at = *s; /* the buffer may move */
  for (int pid = 0; pid < count; pid++) {
    int32_t last = whorl_only_run(c, &at, pid, kinds, count);
    if (last < 0) continue;
    if (whorl_compare(&c->states[last], &at) < 0 || !whorl_is_least(c, &at, pid, left)) return last;
    c->count = before;
  }
  return -1;
}

/* --- selective caching ------------------------------------------------------------------------ */

/* A walk began at steps[start], went on from steps[first], and went round at steps[at]: cuts it where
 * it came to the least state of the loop for the first time. Returns that step. */
static uint32_t whorl_cut_loop(whorl_context *c, uint32_t start, uint32_t first, uint32_t at) {
  uint32_t least = at, end = start;
  for (uint32_t i = at; i-- > first;)
    if (c->steps[i].holder == WHORL_NOBODY) {
      if (whorl_compare(&c->states[i], &c->states[at]) == 0) break;
      if (whorl_compare(&c->states[i], &c->states[least]) < 0) least = i;
    }
  while (c->steps[end].holder != WHORL_NOBODY ||
         whorl_compare(&c->states[end], &c->states[least]) != 0)
    end = end == start ? first : end + 1;
  assert(end <= at);
  c->steps[end].passed = 0;
  c->count = end == start ? first : end + 1;
  return end;
}

/* Lets a process run by itself from the end of the run steps[start]: as far as it goes, or to the
 * least state of a loop. Returns where it ends. Only its own kind changes on the way, unless
 * processes come or go. */
static uint32_t whorl_run_alone(whorl_context *c, uint32_t start, int pid, whorl_kind_number *kinds,
                                int count, uint32_t *left) {
  uint32_t first = c->count, at = start;
  whorl_walk walk;
  walk.left = walk.most = 0;
  while (*left > 0) {
    uint32_t before = c->count;
    int32_t last = whorl_only_run(c, &c->states[at], pid, kinds, count);
    if (last < 0) break;
    --*left;
    c->steps[before].from = (int32_t)at;
    c->steps[at].passed = 1;
    if (whorl_compare(&c->states[last], &c->states[start]) == 0 ||
        whorl_closes(&walk, &c->states[at], &c->states[last]))
      return whorl_cut_loop(c, start, first, (uint32_t)last);
    at = (uint32_t)last;
    const uint8_t *B = whorl_bytes(&c->states[at]);
    if (whorl_running(B) != count) break;
    kinds[pid] = (whorl_kind_number)whorl_kind_of(B, pid);
  }
  return at;
}

/* Walks as phase 1 does from the end of the run steps[start]. Returns where that ends, and in `*spare`
 * how many more runs it might have taken. */
static uint32_t whorl_walk_phase_1(whorl_context *c, uint32_t start, bool everyone,
                                   uint32_t *spare) {
  uint32_t first = c->count, at = start, left = WHORL_LONGEST_WALK;
  whorl_pids asked =
      everyone || c->steps[at].from >= 0 ? whorl_everyone() : whorl_newly_deterministic(c, at);
  whorl_walk walk;
  walk.left = walk.most = 0;
  whorl_kind_number kinds[WHORL_PROCESSES];
  int count = whorl_kinds(whorl_bytes(&c->states[at]), kinds);
  while (left > 0) {
    asked = whorl_common(asked, whorl_pids_below(count));
    if (!whorl_some(asked)) break;
    int pid = whorl_least_pid(asked);
    uint32_t before = c->count, end = whorl_run_alone(c, at, pid, kinds, count, &left);
    asked = whorl_without(asked, whorl_pid(pid));
    if (end == at) continue;
    for (uint32_t i = before; i < c->count; i++)
      asked = whorl_with(asked, whorl_without(whorl_newly_deterministic(c, i), whorl_pid(pid)));
    /* Where processes came or went it has only paused. */
    if (whorl_running(whorl_bytes(&c->states[end])) != count)
      asked = whorl_with(asked, whorl_pid(pid));
    count = whorl_kinds(whorl_bytes(&c->states[end]), kinds);
    if (whorl_compare(&c->states[end], &c->states[start]) == 0 ||
        whorl_closes(&walk, &c->states[at], &c->states[end])) {
      at = whorl_cut_loop(c, start, first, end);
      break;
    }
    at = end;
  }
  c->walked += WHORL_LONGEST_WALK - left;
  *spare = left;
  return at;
}

#ifndef NDEBUG
/* Whether phase 1, begun where it has ended at steps[at], ends there again, whoever is asked: it is a
 * function of the program state. Where a loop is too long to be walked the end depends on the stored
 * state before it, too; that is a program state as well, and not one of the claim. */
static bool whorl_phase_1_stays(whorl_context *c, uint32_t at) {
  uint32_t count = c->count, walked = c->walked, spare;
  bool sticky = c->sticky;
  uint32_t end = whorl_walk_phase_1(c, at, true, &spare);
  bool same = spare == 0 || whorl_compare(&c->states[end], &c->states[at]) == 0;
  c->steps[at].passed = 0;
  c->count = count;
  c->walked = walked;
  c->sticky = sticky;
  return same;
}
#endif

/* Phase 1 from the end of the run steps[start]. Unless `everyone` is to be asked, it had ended before
 * that run. */
static void whorl_phase_1(whorl_context *c, uint32_t start, bool everyone) {
  if (!WHORL_ANY_DETERMINISTIC) return;
  uint32_t spare, at = whorl_walk_phase_1(c, start, everyone, &spare);
  (void)at;
  assert(spare == 0 || whorl_phase_1_stays(c, at));
}

/* Whether phase 1 goes on from a state, the steps of which are in the context. */
static bool whorl_phase_1_continues(whorl_context *c, const whorl_state *s) {
  whorl_kind_number kinds[WHORL_PROCESSES];
  uint32_t left = WHORL_LONGEST_WALK, before = c->count;
  int count = WHORL_ANY_DETERMINISTIC ? whorl_kinds(whorl_bytes(s), kinds) : 0;
  bool goes_on = false;
  for (int pid = 0; pid < count && !goes_on; pid++) {
    bool moves = whorl_only_run(c, s, pid, kinds, count) >= 0;
    c->count = before;
    goes_on = moves && !whorl_is_least(c, s, pid, &left);
  }
  c->walked += WHORL_LONGEST_WALK - left;
  return goes_on;
}

/* Of the steps of a state, all of which are in the context, keeps that of phase 1, unless phase 1
 * ends here. */
static void whorl_keep_phase_1(whorl_context *c, const whorl_state *s) {
  uint32_t count = c->count, left = WHORL_LONGEST_WALK;
  if (!WHORL_ANY_DETERMINISTIC || count < 2 || whorl_following(c, s, &left) < 0) return;
  int pid = c->steps[count].pid;
  c->count = count;
  if (!whorl_is_least_of_all(c, s, &left)) whorl_keep(c, whorl_pid(pid));
  c->walked += WHORL_LONGEST_WALK - left;
}

#endif
