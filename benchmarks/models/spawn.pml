/* A server that starts a process for each request; the worker answers on the client's own channel and
 * ends. No more than K workers live at a time, and clients count what they got, modulo R.
 *
 * Shape: processes that come and go (`run`), channels passed as parameters.
 * Sizes: -DC=3 (clients), -DK=2 (workers), -DR=3.
 */

#ifndef C
#define C 2
#endif
#ifndef K
#define K 2
#endif
#ifndef R
#define R 3
#endif

chan request = [C] of { chan, byte };

proctype worker(chan back; byte number)
{
    byte step;
    do
    :: step < number + 1 -> step++ /* some work */
    :: else -> break
    od;
    back ! (number + 1) % R
}

active proctype server()
{
    chan back;
    byte number;
end:
    do
    :: _nr_pr <= C + K -> /* a process can end only after those started after it */
        if
        :: request ? back, number
        fi;
        atomic { run worker(back, number); number = 0 }
    od
}

active [C] proctype client()
{
    chan mine = [1] of { byte };
    byte number, got;
end:
    do
    :: request ! mine, number;
        mine ? got;
        assert(got == (number + 1) % R);
        number = got;
        got = 0
    od
}
