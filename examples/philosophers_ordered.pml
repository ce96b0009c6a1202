/*
 * The dining philosophers, who take the forks in an order that all agree on.
 *
 * The forks are numbered, and everybody takes the lower of the two first. For all but the last
 * philosopher that is the left one, as in philosophers.pml; the last one is the exception that
 * breaks the circle.
 *
 * What to notice: the absence of deadlock is checked without a line of specification, and the
 * change from philosophers.pml is confined to `init`.
 *
 * Somebody eats again and again, in every run. That whoever eats stops eating needs --fair: a run
 * may forget a philosopher. That the first philosopher eats at all is not true even then: the fork
 * lies on the table now and then, but the neighbour may be quicker each time.
 *
 * Expect: violated (stops_eating, first_eats)
 * Try: whorl check -DN=6 examples/philosophers_ordered.pml
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

proctype philosopher(byte first; byte second) {
    do
    ::  pick_up(first);
        pick_up(second);
eats:   put_down(second);
        put_down(first)
    od
}

init {
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            put_down(i);
            if
            :: i < N - 1 -> run philosopher(i, i + 1)
            :: else -> run philosopher(0, i)
            fi
        }
    }
}

/* Process 0 is init, so the first philosopher is process 1. */
#define eating(p) (philosopher[p]@eats)

ltl neighbours { [] !(eating(1) && eating(2)) } /* expect: holds */
ltl somebody_eats { []<> (eating(1) || eating(2) || eating(3) || eating(4)) } /* expect: holds */
ltl stops_eating { [] (eating(1) -> <> !eating(1)) } /* expect: holds if fair */
ltl first_eats { []<> eating(1) } /* expect: violated */
