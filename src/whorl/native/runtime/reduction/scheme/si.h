/* `si`, as in reduction/si.py (Siegel, Theorem 1): v1, where the claim is in SI normal form. */
#ifndef WHORL_SCHEME_SI_H
#define WHORL_SCHEME_SI_H

#include "reduction/scheme/stack.h"

#define WHORL_ALL_TARGETS 1

#endif
