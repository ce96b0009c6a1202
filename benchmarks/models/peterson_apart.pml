/* Peterson's mutual exclusion for N processes, as in peterson.pml, but a process that waits reads
 * the levels of the others one after the other, each in a test of its own; and it has a section in
 * which it does not compete.
 *
 * Shape: shared variables only, many narrow steps.
 * Sizes: -DN=2 to -DN=5.
 */

#ifndef N
#define N 3
#endif

byte level[N]; /* how high each process is; 0: it does not compete */
byte last[N];  /* who arrived last on each level */
byte inside;

#define lower(k) (last[l] != _pid || level[(_pid + k) % N] < l)

active [N] proctype user()
{
    byte l;
    do
    :: skip; /* does something else */
        l = 1;
        do
        :: l < N ->
            level[_pid] = l;
            last[l] = _pid;
wait1:      lower(1);
#if N > 2
wait2:      lower(2);
#endif
#if N > 3
wait3:      lower(3);
#endif
#if N > 4
wait4:      lower(4);
#endif
            l++
        :: else -> break
        od;
        inside++;
        assert(inside == 1);
        inside--;
        level[_pid] = 0
    od
}
