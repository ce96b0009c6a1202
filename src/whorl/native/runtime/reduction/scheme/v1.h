/* `v1`, as in reduction/v1.py (Siegel, section 6): an ample set of (q, s), for all moves of the claim. */
#ifndef WHORL_SCHEME_V1_H
#define WHORL_SCHEME_V1_H

#include "reduction/scheme/stack.h"

#define WHORL_ALL_TARGETS 1

#endif
