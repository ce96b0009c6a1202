/* All kernels of a model: what a generated text includes last, in place of a verifier.
 *
 * There are two modules of them: that of the search and, with WHORL_TELLS, that of what tells a
 * counterexample, which is compiled only where there is one. */
#ifndef WHORL_KERNELS_H
#define WHORL_KERNELS_H

#ifndef WHORL_TELLS
#define WHORL_TELLS 0
#endif

#include "gpu/whole.h"
#if !WHORL_TELLS
#include "gpu/by_process.h"

/* Stores the initial state. A fault in it is a failure, and then there is nothing to search. */
WHORL_KERNEL whorl_gpu_begin(const whorl_world *w) {
  whorl_state s, states[1];
  whorl_step steps[1];
  whorl_further further[WHORL_PROCESS_FURTHER];
  whorl_context c;
  whorl_spare spare = {0, false};
  if (whorl_thread() > 0) return;
  memset(&s, 0, sizeof s);
  whorl_context_place(&c, states, steps, 0, further, WHORL_PROCESS_FURTHER, w->memo);
  whorl_initial(&c, &s);
  if (c.fault != WHORL_NO_SITE)
    whorl_fails(w, c.fault);
  else
    whorl_insert(w, &s, 0, &spare);
}
#endif

#endif
