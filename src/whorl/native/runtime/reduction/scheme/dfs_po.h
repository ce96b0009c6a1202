/* `dfs_po`, as in reduction/dfs_po.py (Nalumasu and Gopalakrishnan, Figure 3): v1 with the candidates of
 * that figure, one process at a time. */
#ifndef WHORL_SCHEME_DFS_PO_H
#define WHORL_SCHEME_DFS_PO_H

#include "reduction/scheme/stack.h"

#define WHORL_ALL_TARGETS 1

#endif
