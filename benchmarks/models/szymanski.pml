/* Szymanski's mutual exclusion ("A simple solution to Lamport's concurrent programming problem with
 * linear wait", 1988), for N processes. A process waits outside a room, enters it together with all
 * that came at the same time, and the door closes behind them. Each counts its visits, modulo R.
 *
 * Shape: shared variables only, many short steps, loops over an array.
 * Sizes: -DN=3 and up, -DR=1 and up.
 */

#ifndef N
#define N 3
#endif
#ifndef R
#define R 1
#endif

byte flag[N]; /* 0 away, 1 wants in, 2 waits for others, 3 in the doorway, 4 the door is closed */
byte critical;

active [N] proctype process()
{
    byte j, visits;
    bool open, waiting;

away:
    flag[_pid] = 1;
    j = 0; /* until the door is open: flag[j] < 3 for all j */
    do
    :: j < N -> flag[j] < 3; j++
    :: else -> break
    od;

    flag[_pid] = 3;
    j = 0;
    waiting = false; /* is there anyone who waits outside? */
    do
    :: j < N -> waiting = (waiting || flag[j] == 1); j++
    :: else -> break
    od;

    if
    :: waiting ->
        flag[_pid] = 2;
        open = false; /* until someone has closed the door */
        do
        :: !open ->
            j = 0;
            do
            :: j < N && !open -> open = (flag[j] == 4); j++
            :: else -> break
            od
        :: else -> break
        od
    :: else
    fi;

    flag[_pid] = 4;
    j = 0; /* those with smaller numbers go first */
    do
    :: j < _pid -> flag[j] < 2; j++
    :: else -> break
    od;

    critical++;
    assert(critical == 1);
    critical--;
    visits = (visits + 1) % R;

    j = _pid + 1; /* until those with greater numbers know that the door is closed */
    do
    :: j < N -> (flag[j] < 2 || flag[j] > 3); j++
    :: else -> break
    od;
    flag[_pid] = 0;
    goto away
}
