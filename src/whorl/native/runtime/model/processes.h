/* Access to the processes of a state: how many run, and of each its type, location and variables.
 *
 * B are the bytes of a state. The record of a process begins with its location, as a number of its
 * own (0: there is no such process). The model provides (native/code/tables.py):
 *
 *   WHORL_PROCESSES, WHORL_CHANNELS   for how many a state has room
 *   WHORL_LOCATION_BYTES              1 or 2
 *   WHORL_LARGEST_RECORD              how many bytes a record can have
 *   WHORL_RUNNING_AT                  the byte that counts processes, where they start or end
 *   WHORL_TYPE_AT                     the byte of a record that has the type, where it varies
 *   WHORL_MADE_AT                     the byte that counts channels, where processes make some
 *   whorl_process_bases, whorl_process_sizes
 *                                     the first byte of each record, and how many bytes it has
 *   whorl_active_types                by pid, the types of the processes that run at the start
 *   whorl_location_tables             by type, the location that each number stands for
 *   whorl_channels_of                 by type, how many channels a process makes
 */
#ifndef WHORL_PROCESSES_H
#define WHORL_PROCESSES_H

#include "model/prelude.h"

static inline int whorl_running(const uint8_t *B) {
#ifdef WHORL_RUNNING_AT
  return B[WHORL_RUNNING_AT];
#else
  (void)B;
  return WHORL_PROCESSES;
#endif
}

static inline int whorl_type(const uint8_t *B, int pid) {
#ifdef WHORL_TYPE_AT
  return B[whorl_process_bases[pid] + WHORL_TYPE_AT];
#else
  (void)B;
  return whorl_active_types[pid];
#endif
}

/* The number of the location in the record at P, and a step to another one. */
static inline int whorl_at(const uint8_t *P) {
  return WHORL_LOCATION_BYTES == 1 ? *P : whorl_u16(P);
}

static inline void whorl_go(uint8_t *P, int number) {
  if (WHORL_LOCATION_BYTES == 1)
    *P = (uint8_t)number;
  else
    whorl_set_u16(P, (uint16_t)number);
}

static inline bool whorl_exists(const uint8_t *B, int pid) {
  return pid >= 0 && pid < whorl_running(B) && whorl_at(B + whorl_process_bases[pid]) != 0;
}

/* The location of a process, as in the program; 0 if there is no such process. */
static inline int whorl_location(const uint8_t *B, int pid) {
  if (!whorl_exists(B, pid)) return 0;
  return whorl_location_tables[whorl_type(B, pid)][whorl_at(B + whorl_process_bases[pid])];
}

/* The process that is the first of its type, or -1. */
static inline int whorl_only(const uint8_t *B, int type) {
  for (int pid = 0; pid < whorl_running(B); pid++)
    if (whorl_exists(B, pid) && whorl_type(B, pid) == type) return pid;
  return -1;
}

/* The record of a process whose variables another one reads. Of none all variables are 0; a process
 * of another type is a fault. */
static const uint8_t whorl_nowhere[WHORL_LARGEST_RECORD] = {0};

static inline const uint8_t *whorl_remote(whorl_context *c, const uint8_t *B, int pid, int type,
                                          int32_t site) {
  if (!whorl_exists(B, pid)) return whorl_nowhere;
  if (whorl_type(B, pid) != type) {
    whorl_fault(c, site);
    return whorl_nowhere;
  }
  return B + whorl_process_bases[pid];
}

/* Ends the process that started last, and takes away the channels that it made. */
static inline void whorl_end(uint8_t *B, int pid) {
  assert(pid == whorl_running(B) - 1 || !whorl_exists(B, pid + 1));
#ifdef WHORL_MADE_AT
  const int type = whorl_type(B, pid);
#endif
  memset(B + whorl_process_bases[pid], 0, whorl_process_sizes[pid]);
#ifdef WHORL_RUNNING_AT
  B[WHORL_RUNNING_AT]--;
#endif
#ifdef WHORL_MADE_AT
  for (int n = whorl_channels_of[type]; n > 0; n--) {
    int last = --B[WHORL_MADE_AT];
    memset(B + whorl_channel_bases[last], 0, whorl_channel_sizes[last]);
  }
#endif
}

#endif
