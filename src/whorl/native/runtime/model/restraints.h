/* Which processes may run: provided clauses and priorities; and what enabled() asks.
 *
 * The model provides (native/code/generate.py):
 *
 *   WHORL_RESTRAINED           some processes may have to wait although they have a step
 *   WHORL_PRIORITY_AT          the byte of a record that has the priority, where there are any
 *   WHORL_ASKS_ENABLED         some expression asks whether a process is enabled
 *   whorl_provided(c, B, pid)  whether a process's provided clause holds
 *   whorl_enabled(c, B, pid)   whether it has a step, provided clauses and priorities aside
 */
#ifndef WHORL_RESTRAINTS_H
#define WHORL_RESTRAINTS_H

#include "model/processes.h"

static bool whorl_provided(whorl_context *c, const uint8_t *B, int pid);
static bool whorl_enabled(whorl_context *c, const uint8_t *B, int pid);

#ifdef WHORL_PRIORITY_AT
static inline int32_t whorl_priority(const uint8_t *B, int pid) {
  if (!whorl_exists(B, pid)) return 0;
  return B[whorl_process_bases[pid] + WHORL_PRIORITY_AT];
}

static inline void whorl_set_priority(whorl_context *c, uint8_t *B, int32_t pid, int32_t priority,
                                      int32_t site) {
  if (!whorl_exists(B, pid)) return;
  if (priority < 1 || priority > 255) {
    whorl_fault(c, site);
    return;
  }
  B[whorl_process_bases[pid] + WHORL_PRIORITY_AT] = (uint8_t)priority;
}

/* Whether a process of a higher priority has a step. One that faults is a step. */
static inline bool whorl_outranked(whorl_context *c, const uint8_t *B, int pid) {
  for (int other = 0; other < whorl_running(B); other++) {
    if (other == pid || whorl_priority(B, other) <= whorl_priority(B, pid)) continue;
    bool moves = whorl_provided(c, B, other) && whorl_enabled(c, B, other);
    if (c->fault != WHORL_NO_SITE) {
      c->fault = WHORL_NO_SITE;
      moves = true;
    }
    if (moves) return true;
  }
  return false;
}
#endif

#ifdef WHORL_RESTRAINED
/* No, and a fault, where the process's own clause has no value. */
static bool whorl_may_run(whorl_context *c, const uint8_t *B, int pid) {
  bool provided = whorl_provided(c, B, pid);
  if (!provided || c->fault != WHORL_NO_SITE) return false;
#ifdef WHORL_PRIORITY_AT
  return !whorl_outranked(c, B, pid);
#else
  return true;
#endif
}
#endif

#ifdef WHORL_ASKS_ENABLED
/* enabled(pid), asked by process `self`, which must not ask about itself. */
static inline int32_t whorl_ask_enabled(whorl_context *c, const uint8_t *B, int self, int pid,
                                        int32_t site) {
  if (!whorl_exists(B, pid)) return 0;
  if (self == pid || c->asking) {
    whorl_fault(c, site);
    return 0;
  }
  c->asking = true;
  bool found = whorl_enabled(c, B, pid);
  c->asking = false;
  return found;
}
#endif

#endif
