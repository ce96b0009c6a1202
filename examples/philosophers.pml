/*
 * The dining philosophers, who deadlock.
 *
 * Each philosopher takes the fork on the left, then the one on the right, eats, and puts both down.
 * When all have taken their left fork, all wait for ever.
 *
 * What to notice: no assertion is needed. A state in which nothing can happen, and in which some
 * process is neither at its end nor at a label that starts with `end`, is an error by itself. A
 * fork is a channel that holds one message while the fork lies on the table.
 *
 * Expect: violated (invalid end state)
 * Try: whorl check -DN=6 examples/philosophers.pml
 */

#ifndef N
#define N 4
#endif

chan fork[N] = [1] of { bit };

inline put_down(f) {
    fork[f]!1
}

inline pick_up(f) {
    fork[f]?_
}

proctype philosopher(byte left; byte right) {
    do
    ::  pick_up(left);
        pick_up(right);
        put_down(right);
        put_down(left)
    od
}

init {
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            put_down(i);
            run philosopher(i, (i + 1) % N)
        }
    }
}
