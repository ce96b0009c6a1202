/*
 * Readers and writers with semaphores, by Courtois, Heymans and Parnas.
 *
 * Many may read at a time, but who writes is alone. The first reader to come takes the room for all
 * of them, and the last to leave gives it back.
 *
 * What to notice: a semaphore is a byte. `down` waits and takes in one atomic step. The readers
 * hold `mutex` while they wait for the room; it is no deadlock, because a writer never asks for
 * `mutex`.
 *
 * Writers can starve: as long as one reader comes before the other leaves, the room is never free.
 * Look at the cycle that `writer_enters` gives with --fair.
 *
 * Expect: violated (writer_enters)
 * Try: whorl check -DREADERS=3 examples/readers_writer.pml
 */

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

byte mutex = 1; /* guards `present` */
byte room = 1;
byte present;

byte reading, writing; /* for the assertions only */

inline down(semaphore) {
    atomic {
        semaphore > 0 -> semaphore--
    }
}

inline up(semaphore) {
    semaphore++
}

active [READERS] proctype reader() {
    do
    ::  down(mutex);
        present++;
        if
        :: present == 1 -> down(room)
        :: else
        fi;
        up(mutex);

        reading++;
        assert(writing == 0);
        reading--;

        down(mutex);
        present--;
        if
        :: present == 0 -> up(room)
        :: else
        fi;
        up(mutex)
    od
}

active [WRITERS] proctype writer() {
    do
    ::  down(room);

        writing++;
        assert(writing == 1 && reading == 0);
        writing--;

        up(room)
    od
}

ltl exclusion { [] (writing == 0 || (reading == 0 && writing == 1)) } /* expect: holds */
ltl room_is_used { []<> (reading > 0 || writing > 0) } /* expect: holds */
ltl writer_leaves { [] (writing > 0 -> <> (writing == 0)) } /* expect: holds */
ltl writer_enters { []<> (writing > 0) } /* expect: violated */
