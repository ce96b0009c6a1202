/* N dining philosophers who get their forks by rendezvous, and talk to a butler who lets no more than
 * N - 1 sit down. Each counts its meals, modulo M.
 *
 * Shape: rendezvous channels, many processes with few local states.
 * Sizes: -DN=5 and up, -DM=1 and up.
 */

#ifndef N
#define N 4
#endif
#ifndef M
#define M 1
#endif

mtype = { take, put, enter, leave };

chan fork[N] = [0] of { mtype };
chan butler = [0] of { mtype };

active proctype Butler()
{
    byte seated;
end:
    do
    :: seated < N - 1 -> 
        if
        :: butler ? enter -> seated++
        :: butler ? leave -> seated--
        fi
    :: seated == N - 1 -> butler ? leave; seated--
    od
}

proctype Fork(byte me)
{
end:
    do
    :: fork[me] ? take; fork[me] ? put
    od
}

proctype Philosopher(byte me)
{
    byte meals;
end:
    do
    :: butler ! enter;
        fork[me] ! take;
        fork[(me + 1) % N] ! take;
        meals = (meals + 1) % M;
        fork[me] ! put;
        fork[(me + 1) % N] ! put;
        butler ! leave
    od
}

init {
    byte i;
    atomic {
        i = 0;
        do
        :: i < N -> run Fork(i); run Philosopher(i); i++
        :: else -> break
        od
    }
}
