/* All kernels of a model with a claim: what such a text includes last.
 *
 * None of them is a kernel of a search for violations of safety, nor has such a module one of these: a host
 * that takes one for the other does not find what it is to launch. */
#ifndef WHORL_GPU_CLAIMS_H
#define WHORL_GPU_CLAIMS_H

#ifndef WHORL_TELLS
#define WHORL_TELLS 0
#endif
#define WHORL_PLACED 1

#include "gpu/elimination.h"

#endif
