/* B5 of [NG98], Table 1: the system of Figure 4(a) with N processes. They share nothing; each goes
 * to one of two places and comes back, again and again.
 *
 * The proviso of the stack expands every state: each step home closes a loop. Phase 1 of Two phase
 * brings each process home before the next one leaves.
 *
 * Sizes: -DN=5. -DBROKEN: a process that comes home from one of them does not note it.
 */

#ifndef N
#define N 5
#endif

mtype = { home, left, right };

active [N] proctype traveller()
{
    mtype at = home;
s0: if
    :: atomic { assert(at == home); at = left }; goto s1
    :: atomic { assert(at == home); at = right }; goto s2
    fi;
s1: atomic {
        assert(at == left);
#ifndef BROKEN
        at = home
#endif
    };
    goto s0;
s2: atomic { assert(at == right); at = home }; goto s0
}
