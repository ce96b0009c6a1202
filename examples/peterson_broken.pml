/*
 * Peterson's algorithm with its first two assignments in the wrong order.
 *
 * Giving the turn away before saying that one wants to enter looks harmless, and most runs of this
 * program never show the difference. It is the order that a compiler or a processor may well choose
 * when it believes that two writes to different variables can be swapped.
 *
 * What to notice: in the counterexample one process stops between the two assignments, the other
 * finds that nobody wants to enter, and then the first finds that it is its turn.
 *
 * Expect: violated (assertion)
 * Try: whorl check examples/peterson_broken.pml
 */

bool wants[2];
byte turn;
byte inside; /* how many processes are in the critical section */

active [2] proctype contender() {
    byte other = 1 - _pid;

    do
    ::  turn = other;
        wants[_pid] = true;
        !wants[other] || turn == _pid;

        inside++;
        assert(inside == 1);
        inside--;

        wants[_pid] = false
    od
}
