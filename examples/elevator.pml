/*
 * A lift that sweeps up and down and stops where it was called.
 *
 * It goes on in its direction while there is a call further on, and turns round otherwise. People
 * call it at any time to any floor.
 *
 * What to notice: why does nobody wait for ever? After it has stopped somewhere the lift goes on,
 * even if the same floor calls again at once. Let it look at `called[floor]` first after every stop,
 * and the people at the top wait for ever: look at the cycle. --fair is needed in any case, for
 * otherwise a run may consist of calls alone.
 *
 * Expect: violated (answered)
 * Try: whorl check --fair examples/elevator.pml
 */

#ifndef TOP
#define TOP 2
#endif

bool called[TOP + 1];
byte floor;
bool up = true;
bool open;

inline look_further() {
    d_step {
        further = false;
        k = (up -> floor + 1 : 0);
        do
        :: k <= (up -> TOP : floor - 1) && floor + up > 0 ->
            further = further || called[k];
            k++
        :: else -> break
        od;
        k = 0
    }
}

active proctype lift() {
    bool further;
    byte k;

    do
    ::  if
        ::  called[floor] ->
            open = true;
            called[floor] = false;
            open = false
        ::  else
        fi;
        look_further();
        if
        :: further && up -> floor++
        :: further && !up -> floor--
        :: else -> up = !up
        fi;
        further = false
    od
}

active proctype people() {
    byte f;

    do
    ::  select (f : 0 .. TOP);
        called[f] = true;
        f = 0
    od
}

ltl stays_in_the_shaft { [] (floor <= TOP) } /* expect: holds */
ltl still_while_open { [] ((open && floor == 1) -> ((floor == 1) W !open)) } /* expect: holds */
ltl answered { [] (called[TOP] -> <> (open && floor == TOP)) } /* expect: holds if fair */
