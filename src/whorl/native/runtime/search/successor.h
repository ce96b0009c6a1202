/* A state that a run ends in, on its way to the store. */
#ifndef WHORL_SUCCESSOR_H
#define WHORL_SUCCESSOR_H

#include "model/context.h"

typedef struct {
  const whorl_state *state;
  uint64_t key;
  uint64_t slot;
  uint64_t pair;    /* with the tree: its root */
  uint32_t folding; /* and its number */
} whorl_successor;

#endif
