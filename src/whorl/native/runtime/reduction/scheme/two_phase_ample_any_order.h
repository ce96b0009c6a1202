/* `two-phase-ample` for safety, where the order of the search must not matter: as for formulas, without
 * a proviso. */
#ifndef WHORL_SCHEME_TWO_PHASE_AMPLE_ANY_ORDER_H
#define WHORL_SCHEME_TWO_PHASE_AMPLE_ANY_ORDER_H

#define WHORL_PROVISO 0
#include "reduction/scheme/two_phase_ample.h"

#endif
