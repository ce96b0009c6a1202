/*
 * mutex: N processes and a section in which only one may be at a time.
 *
 * Put your algorithm into `enter` and `leave`. The assertion fails where two are inside, and a state in
 * which nobody can move is found without being asked for. `inside` is not part of the algorithm: it
 * counts for the assertion and the formula.
 *
 * Expect: holds
 * Expect with -DN=4: holds
 */

#ifndef N
#define N 2                     /* `whorl check -DN=4` takes another number */
#endif

bool locked;
byte inside;

inline enter() {
    atomic {                    /* what is within happens in one step */
        !locked ->              /* a condition is a statement: it waits until it is true */
        locked = true
    }
}

inline leave() {
    locked = false
}

active [N] proctype worker() {
    do
    :: enter();
       inside++;
       assert(inside == 1);
       inside--;
       leave()
    od
}

ltl exclusion { [] (inside <= 1) }              /* expect: holds */
ltl used { [] <> (inside == 1) }                /* expect: holds */
