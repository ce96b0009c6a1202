/*
 * A lock that is taken by testing and setting a variable in one step, and starvation.
 *
 * Nothing could be simpler, and mutual exclusion is certain. But whoever wants the lock has to find
 * it free, and it may be taken again whenever one looks.
 *
 * What to notice: somebody gets in again and again, in every run, because the others can do nothing
 * but wait. That the first process gets in is another matter, and --fair does not help: weak
 * fairness is for a process that could *always* move, and the lock is free only now and then.
 * Compare with ticket_lock.pml.
 *
 * Expect: violated (first_enters)
 * Try: whorl check --fair examples/spin_lock.pml
 */

#ifndef N
#define N 3
#endif

bool locked;
byte inside;

active [N] proctype worker() {
    do
    ::  atomic { !locked -> locked = true };
        inside++;
critical:
        inside--;
        locked = false
    od
}

ltl exclusion { [] (inside <= 1) } /* expect: holds */
ltl somebody_enters { []<> (inside == 1) } /* expect: holds */
ltl given_back { [] (worker[0]@critical -> <> !locked) } /* expect: holds */
ltl first_enters { []<> worker[0]@critical } /* expect: violated */
