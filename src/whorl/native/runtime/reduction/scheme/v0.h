/* `v0`, as in reduction/v0.py (Siegel, section 3): an ample set of (q, s'), for each move of the claim. */
#ifndef WHORL_SCHEME_V0_H
#define WHORL_SCHEME_V0_H

#include "reduction/scheme/stack.h"

#define WHORL_ALL_TARGETS 0

#endif
