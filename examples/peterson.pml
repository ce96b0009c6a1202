/*
 * Peterson's algorithm: mutual exclusion for two processes with nothing but shared variables.
 *
 * A process first says that it wants to enter, and then gives the turn away. Of two processes that
 * both want to enter, the one that gave the turn away last is the one that waits.
 *
 * What to notice: `inside` is not part of the algorithm. It is there so that the property, never
 * two at a time, can be written as an assertion. Compare with peterson_broken.pml.
 *
 * Expect: holds
 * Try: whorl check examples/peterson.pml
 */

bool wants[2];
byte turn;
byte inside; /* how many processes are in the critical section */

active [2] proctype contender() {
    byte other = 1 - _pid;

    do
    ::  wants[_pid] = true;
        turn = other;
        !wants[other] || turn == _pid;

        inside++;
        assert(inside == 1);
        inside--;

        wants[_pid] = false
    od
}
