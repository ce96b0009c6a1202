/* Peterson's mutual exclusion for N processes ("Myths about the mutual exclusion problem", 1981):
 * a process goes up N - 1 levels, and on each the last to arrive waits until somebody else arrives
 * or nobody is as high. Siegel ("What's wrong with on-the-fly partial order reduction", section 8)
 * checks with it that no process is starved: process 0 is blocked only finitely long.
 *
 * Shape: shared variables only, few and wide steps.
 * Sizes: -DN=2 to -DN=6.
 */

#ifndef N
#define N 3
#endif

byte level[N]; /* how high each process is; 0: it does not compete */
byte last[N];  /* who arrived last on each level */
byte inside;

#define higher(j, l) (j != _pid && level[j] >= l)
#if N == 2
#define somebody(l) (higher(0, l) || higher(1, l))
#elif N == 3
#define somebody(l) (higher(0, l) || higher(1, l) || higher(2, l))
#elif N == 4
#define somebody(l) (higher(0, l) || higher(1, l) || higher(2, l) || higher(3, l))
#elif N == 5
#define somebody(l) (higher(0, l) || higher(1, l) || higher(2, l) || higher(3, l) || higher(4, l))
#else
#define somebody(l) (higher(0, l) || higher(1, l) || higher(2, l) || higher(3, l) || higher(4, l) \
                     || higher(5, l))
#endif

active [N] proctype user()
{
    byte l = 1;
    do
    :: l < N ->
        level[_pid] = l;
        last[l] = _pid;
wait:   (last[l] != _pid || !somebody(l));
        l++
    :: else ->
        inside++;
        assert(inside == 1);
        inside--;
        level[_pid] = 0;
        l = 1
    od
}
