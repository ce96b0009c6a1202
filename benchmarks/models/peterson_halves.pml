/* Peterson's mutual exclusion for N processes, as in peterson.pml, but a process that waits reads
 * the levels of the others in two tests: those of the first half of them, then those of the rest.
 *
 * Shape: shared variables only, narrower steps.
 * Sizes: -DN=3 to -DN=5.
 */

#ifndef N
#define N 3
#endif

byte level[N]; /* how high each process is; 0: it does not compete */
byte last[N];  /* who arrived last on each level */
byte inside;

#define lower(k, l) (level[(_pid + k) % N] < l)
#if N == 3
#define first(l) lower(1, l)
#define rest(l) lower(2, l)
#elif N == 4
#define first(l) (lower(1, l) && lower(2, l))
#define rest(l) lower(3, l)
#else
#define first(l) (lower(1, l) && lower(2, l))
#define rest(l) (lower(3, l) && lower(4, l))
#endif

active [N] proctype user()
{
    byte l;
    do
    :: l = 1;
        do
        :: l < N ->
            level[_pid] = l;
            last[l] = _pid;
wait1:      (last[l] != _pid || first(l));
wait2:      (last[l] != _pid || rest(l));
            l++
        :: else -> break
        od;
        inside++;
        assert(inside == 1);
        inside--;
        level[_pid] = 0
    od
}
