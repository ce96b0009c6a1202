/* What a worker's library is told, and what it tells (native/cluster/library.py). */
#ifndef WHORL_INTERFACE_H
#define WHORL_INTERFACE_H

#include <stdint.h>

typedef struct {
  uint64_t memory; /* bytes */
  uint64_t max_depth;
  double seconds;
  uint32_t number, count; /* of this worker, and of all */
  uint8_t assertions, end_states;
  uint8_t exhaust; /* whether to go on with what is found here */
} whorl_part_options;

typedef struct {
  uint64_t states, transitions;
  uint64_t logged, cursor; /* of the log: all, and what has been expanded */
  uint64_t sent, spared, received;
  uint64_t memory, store; /* bytes: all, and of the states */
  uint32_t supersteps;
  uint32_t stopped, refused; /* whorl_stop, whorl_refusal */
  uint8_t truncated, endless;
} whorl_part_figures_t;

typedef struct {
  uint64_t place; /* of its state in the log */
  int32_t site;   /* -1: an invalid end state */
  int32_t step;
  uint32_t order;
} whorl_part_failure_t;

#endif
