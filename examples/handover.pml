/*
 * Two workers and one tool, which they hand to each other.
 *
 * A worker who has the tool works for some time, as long as it likes, and then hands it over.
 *
 * What to notice: the first worker may like to go on working for ever, and then the second one does
 * not get the tool. No fairness between processes rules that out, because the choice is made within
 * one process. But the assumption can be written down, in front of an arrow: if the first one
 * rests again and again while it has the tool, then the second one gets it again and again.
 *
 * Expect: violated (gets_the_tool)
 * Try: whorl check --fair examples/handover.pml
 */

byte holder;
bool works[2];

active [2] proctype worker() {
    do
    ::  holder == _pid ->
        do
        ::  works[_pid] = true;
            works[_pid] = false
        ::  break
        od;
rests:  holder = 1 - _pid
    od
}

ltl one_at_a_time { [] !(works[0] && works[1]) } /* expect: holds */
ltl gets_the_tool { []<> (holder == 1) } /* expect: violated */
ltl gets_the_tool_if_the_other_stops { /* expect: holds */
    []<> (worker[0]@rests || holder == 1) -> []<> (holder == 1)
}
