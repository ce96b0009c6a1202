/*
 * Lamport's bakery algorithm with tickets up to a limit.
 *
 * Who wants to enter draws a ticket one higher than any in use, and then waits for everybody with a
 * lower ticket; of two equal tickets, the lower process number goes first. Real tickets grow
 * without bound. Here a process that would draw a ticket above LIMIT waits until the bakery has
 * calmed down.
 *
 * What to notice: drawing a ticket is not atomic. Two processes can read the same tickets and draw
 * the same number, which is why `drawing` and the comparison of process numbers are needed. Remove
 * the line that waits for `drawing` and look at the counterexample.
 *
 * Who has a ticket should get in. With a limit that is not so, not even with --fair: the other one
 * draws tickets that are too high again and again, and whoever waits for it to be done with drawing
 * may look at the wrong moment each time.
 *
 * Expect: violated (served)
 * Try: whorl check -DLIMIT=4 examples/bakery.pml
 */

#ifndef N
#define N 2
#endif
#ifndef LIMIT
#define LIMIT 3
#endif

byte ticket[N]; /* 0: does not want to enter */
bool drawing[N];
byte inside;

inline draw_ticket() {
    highest = 0;
    for (k : 0 .. N - 1) {
        if
        :: ticket[k] > highest -> highest = ticket[k]
        :: else
        fi
    }
    k = 0;
    highest = highest + 1
}

inline wait_for(other) {
    !drawing[other];
    ticket[other] == 0 || ticket[other] > ticket[_pid] ||
        (ticket[other] == ticket[_pid] && other >= _pid)
}

active [N] proctype customer() {
    byte highest, k;

again:
    drawing[_pid] = true;
    draw_ticket();
    if
    ::  highest > LIMIT ->
        drawing[_pid] = false;
        highest = 0;
        goto again
    ::  else ->
        ticket[_pid] = highest;
        highest = 0
    fi;
    drawing[_pid] = false;

    for (k : 0 .. N - 1) {
        wait_for(k)
    }
    k = 0;

    inside++;
    assert(inside == 1);
    inside--;

    ticket[_pid] = 0;
    goto again
}

ltl exclusion { [] (inside <= 1) } /* expect: holds */
ltl served { [] (ticket[0] > 0 -> <> (ticket[0] == 0)) } /* expect: violated */
