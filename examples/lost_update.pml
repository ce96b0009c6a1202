/*
 * Two processes increment a counter, and one of the increments is lost.
 *
 * An increment is a load, an addition in a register, and a store. When both processes load before
 * either stores, the second store overwrites the first.
 *
 * What to notice: `_nr_pr` is the number of processes alive, so `_nr_pr == 1` waits until the two
 * increments are done. Write `counter++` in place of the two statements, or put them in an `atomic`
 * block, and the assertion holds.
 *
 * Expect: violated (assertion)
 * Try: whorl check examples/lost_update.pml
 */

#ifndef N
#define N 2
#endif

byte counter;

proctype increment() {
    byte loaded;

    loaded = counter;
    counter = loaded + 1
}

init {
    byte i;

    atomic {
        for (i : 1 .. N) {
            run increment()
        }
    }
    _nr_pr == 1;
    assert(counter == N)
}
