/* The search for a run that the claim accepts, with the algorithm that was asked for. */
#ifndef WHORL_EMPTINESS_H
#define WHORL_EMPTINESS_H

#include "search/product.h"

#if WHORL_ALGORITHM == WHORL_SCC
#include "search/scc.h"
#elif WHORL_ALGORITHM == WHORL_CNDFS
#include "search/cndfs.h"
#elif WHORL_ALGORITHM == WHORL_TWO_PHASE
#include "search/two_phase.h"
#elif WHORL_ALGORITHM == WHORL_SLEEP_SETS
#include "search/sleep.h"
#elif WHORL_ALGORITHM == WHORL_OWCTY
#include "search/owcty.h"
#else
#include "search/nested.h"
#endif

static void whorl_emptiness_run(whorl_search *search) {
  static whorl_product product; /* zeroed */
  whorl_product *p = &product;
#if WHORL_THREADS
  whorl_crew_begin(search);
#endif
  whorl_product_start(p, search);
  if (search->stopped) return;
#if WHORL_ALGORITHM == WHORL_SCC
  whorl_components_search(p);
#elif WHORL_ALGORITHM == WHORL_CNDFS
  whorl_cndfs_search(p);
#elif WHORL_ALGORITHM == WHORL_TWO_PHASE
  whorl_two_phase_search(p);
#elif WHORL_ALGORITHM == WHORL_SLEEP_SETS
  whorl_sleep_search(p);
#elif WHORL_ALGORITHM == WHORL_OWCTY
  whorl_elimination_search(p);
#else
  whorl_nested_search(p);
#endif
  search->store_bytes = whorl_states_bytes(&p->states, WHORL_KIND);
}

#endif
