/* As graph.c, as the library of a worker (cluster/claims.h). */
#define WHORL_PARTITION 1
#define WHORL_ONLY WHORL_EXACT
#define WHORL_ALGORITHM WHORL_OWCTY
#include "graph.c"
