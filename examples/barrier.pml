/*
 * A barrier that can be used again: nobody starts a round before everybody has finished the last
 * one.
 *
 * The last process to arrive turns `sense` over, and that is what the others wait for. Each process
 * remembers the value that it waits for, so that a fast process that is already at the next barrier
 * cannot be mistaken for a slow one at this one.
 *
 * What to notice: an array that nobody but the assertion reads, `round`, makes "no more than one
 * round apart" easy to say. Rounds are counted modulo 4, so that the model stays finite. Nobody can
 * go round for long without the others, so everybody gets on without any assumption of fairness.
 *
 * Expect: holds
 * Expect with --non-progress: holds
 * Try: whorl check -DN=4 examples/barrier.pml
 */

#ifndef N
#define N 3
#endif

byte arrived;
bit sense;
byte round[N];

inline check_rounds() {
    d_step {
        for (k : 0 .. N - 1) {
            assert(round[k] == round[_pid] || round[k] == (round[_pid] + 1) % 4 ||
                   round[_pid] == (round[k] + 1) % 4)
        }
        k = 0
    }
}

active [N] proctype worker() {
    bit my_sense;
    byte k;

    do
    ::
progress:
        round[_pid] = (round[_pid] + 1) % 4;
        check_rounds();

        my_sense = 1 - my_sense;
        if
        ::  atomic {
                arrived == N - 1 ->
                arrived = 0;
                sense = my_sense
            }
        ::  atomic {
                else ->
                arrived++
            };
            sense == my_sense
        fi
    od
}

ltl everybody_gets_on { []<> (round[0] == 1) && []<> (round[N - 1] == 1) } /* expect: holds */
ltl the_barrier_opens { [] (arrived > 0 -> <> (arrived == 0)) } /* expect: holds */
