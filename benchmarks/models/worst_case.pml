/* W5 of [NG98], Table 1: N processes that share nothing; each goes to one of two places, for good.
 *
 * No process is ever deterministic, so phase 1 of Two phase does nothing and all 3^N states are
 * expanded. The proviso of the stack never fails: one process after the other moves, which makes
 * 2^(N+1) - 1 states.
 *
 * Sizes: -DN=5. -DBROKEN: one of the two places is not a valid end.
 */

#ifndef N
#define N 5
#endif

active [N] proctype traveller()
{
    if
    :: skip; goto end_left
    :: skip; goto right
    fi;
end_left:
    false;
right:
#ifndef BROKEN
end_right:
#endif
    false
}
