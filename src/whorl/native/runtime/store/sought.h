/* What a search of the product asks the states for, and how long a row of colours is (states.h,
 * shared_states.h). */
#ifndef WHORL_SOUGHT_H
#define WHORL_SOUGHT_H

#include "store/visited.h"

#define WHORL_COLOUR_BITS (WHORL_NODE_PLACES * WHORL_FIELD_BITS)
#define WHORL_COLOUR_WORDS ((WHORL_COLOUR_BITS + 31) / 32)
#define WHORL_SELECTION_BYTES (WHORL_NODE_PLACES * WHORL_SELECTIONS)
#define WHORL_ROW_BITS \
  (WHORL_SELECTIONS ? 32 * WHORL_COLOUR_WORDS + 8 * WHORL_SELECTION_BYTES : WHORL_COLOUR_BITS)
#define WHORL_ROW_WORDS ((WHORL_ROW_BITS + 31) / 32)

/* A state that has been fetched; with the tree, its references too. */
typedef struct {
  const whorl_state *state;
  whorl_state room;
  whorl_folded folded;
} whorl_fetched;

/* A state to find or to add. */
typedef struct {
  const whorl_state *state;
  uint64_t pair; /* with the tree, its root */
  uint64_t hash;
  uint64_t slot;
  uint32_t ref;
  uint32_t shift; /* of the claim's states that it is met with (product.h) */
} whorl_sought;

#endif
