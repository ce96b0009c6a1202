/* Weak fairness: no process that can always move waits for ever.
 *
 * An edge of the product meets a set of conditions, its marks: bit 0 if it leaves an accepting
 * node, bit p + 1 if process p moves in it or cannot move where it begins. A fair accepting run is
 * one that meets each condition again and again: generalised Büchi acceptance, with marks on edges.
 * As in Spin a process can move if it can begin a step. One that waits to receive in a handshake
 * cannot; but a handshake that takes place is a move of both. A process that does not exist cannot
 * move, nor can anybody once the run has stopped.
 *
 * A search for components takes that as it is (scc.h). For a nested search it is made plain Büchi
 * acceptance by copies (Choueka, "Theories of automata on omega-tapes", 1974): copy i waits for
 * condition i, an edge moves on over all that it meets next, and the last copy, which is reached
 * once for each round, is accepting.
 */
#ifndef WHORL_FAIRNESS_H
#define WHORL_FAIRNESS_H

#include "model/context.h"

typedef uint64_t whorl_marks;

#define WHORL_MOST_FAIR 63 /* processes that have a mark */

static inline whorl_marks whorl_mark(int pid) {
  assert(pid >= 0 && pid < WHORL_MOST_FAIR);
  return UINT64_C(2) << pid;
}

/* The conditions of the processes that cannot move in the state expanded last. */
static inline whorl_marks whorl_blocked(const whorl_context *c) {
  whorl_marks able = 0;
  for (uint32_t i = 0; i < c->count && c->steps[i].from < 0; i++)
    able |= whorl_mark(c->steps[i].pid);
  return ~(able | 1);
}

/* The conditions of the processes that move in the run that ends with steps[last]. */
static inline whorl_marks whorl_moved(const whorl_context *c, int32_t last) {
  whorl_marks moved = 0;
  for (int32_t i = last; i >= 0; i = c->steps[i].from) {
    moved |= whorl_mark(c->steps[i].pid);
    if (c->steps[i].partner != WHORL_NOBODY) moved |= whorl_mark(c->steps[i].partner);
  }
  return moved;
}

/* The copy that an edge with these marks leads to. */
static inline uint32_t whorl_next_copy(uint32_t copy, whorl_marks marks, uint32_t copies) {
  uint32_t last = copies - 1;
  assert(copy < copies && copies <= WHORL_MOST_FAIR + 2);
  if (copy == last) copy = 0;
  while (copy < last && marks >> copy & 1) copy++;
  return copy;
}

#endif
