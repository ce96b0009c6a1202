/*
 * The wolf, the goat and the cabbage: a puzzle that the checker solves.
 *
 * A farmer has to bring all three across a river in a boat that takes one of them at a time. Left
 * without the farmer, the wolf eats the goat, and the goat eats the cabbage.
 *
 * What to notice: the assertion claims that the puzzle has no solution, so the counterexample is
 * the solution. A crossing after which something gets eaten ends the story, and is not an error.
 * The formula says the same: nothing is eaten until the puzzle is solved, which should be impossible.
 *
 * Expect: violated (assertion, unsolvable)
 * Try: whorl check examples/river_crossing.pml
 */

/* Which bank each is on: 0 at the start, 1 at the end. */
bit farmer, wolf, goat, cabbage;

#define solved (farmer == 1 && wolf == 1 && goat == 1 && cabbage == 1)
#define eaten (goat != farmer && (goat == wolf || goat == cabbage))

inline cross(passenger) {
    d_step {
        passenger == farmer;
        farmer = 1 - farmer;
        passenger = farmer
    }
}

active proctype puzzle() {
    do
    ::  if
        :: farmer = 1 - farmer /* alone */
        :: cross(wolf)
        :: cross(goat)
        :: cross(cabbage)
        fi;
        if
        :: eaten -> break
        :: else -> assert(!solved)
        fi
    od
}

ltl unsolvable { !(!eaten U solved) } /* expect: violated */
