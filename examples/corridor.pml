/*
 * Two polite people meet in a corridor: a livelock.
 *
 * Whoever finds the other one on the same side steps to the other side, to let the other pass. If
 * both do so at the same time they are face to face again.
 *
 * What to notice: something happens all the time, so there is no deadlock, and no assertion fails.
 * The label `progress` marks what we want to see, and --non-progress looks for a run that, from some
 * point on, never comes to such a label. The formula says as much about one of the two. --fair does
 * not help: both of them move, for ever.
 *
 * Expect: violated (passes)
 * Expect with --non-progress: violated
 * Try: whorl check --non-progress --fair examples/corridor.pml
 */

bit side[2];
byte passed;

active [2] proctype person() {
    bit other;

    do
    ::  other = side[1 - _pid];
        if
        ::  other == side[_pid] && passed == 0 -> side[_pid] = 1 - side[_pid]
        ::  else -> break
        fi
    od;
progress:
    passed++
}

ltl passes { <> (passed > 0) } /* expect: violated */
ltl one_passes_both_pass { [] (passed == 1 -> <> (passed == 2)) } /* expect: holds */
