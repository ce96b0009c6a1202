/*
 * A lock with tickets: everybody gets in, in the order of the tickets.
 *
 * To draw a ticket is one step. After that a process waits until its number is served. Numbers are
 * counted modulo N, which is enough, because no more than N of them are in use.
 *
 * What to notice: when the number of a process comes up, all others soon wait for it. So
 * `first_enters`, which spin_lock.pml does not have, holds in every run, even in unfair ones; but a
 * process that is never given a turn to draw a ticket does not get in, and `first_draws` needs
 * --fair. `in_order` says more: the second process is overtaken by no one who draws later.
 *
 * Expect: violated (first_draws)
 * Try: whorl check --fair examples/ticket_lock.pml
 */

#ifndef N
#define N 3
#endif

byte next, serving;
byte inside;

active [N] proctype worker() {
    byte ticket;

    do
    ::  atomic { ticket = next; next = (next + 1) % N };
drawn:  serving == ticket;
critical:
        inside++;
        inside--;
        serving = (serving + 1) % N;
        ticket = 0
    od
}

#define waits(p) (worker[p]@drawn)
#define enters(p) (worker[p]@critical)

ltl exclusion { [] (inside <= 1) } /* expect: holds */
ltl first_enters { [] (waits(0) -> <> enters(0)) } /* expect: holds */
ltl first_draws { []<> waits(0) } /* expect: holds if fair */
ltl in_order { /* expect: holds */
    [] ((waits(1) && !waits(0) && !enters(0)) -> (!enters(0) W enters(1)))
}
