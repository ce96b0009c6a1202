/*
 * Producers and consumers that share a ring buffer, kept in step by three semaphores.
 *
 * `free` counts the empty slots, `used` the full ones, and `mutex` guards the buffer's two indices.
 * Every item carries its producer and a serial number, so that a consumer can check that the items
 * of one producer leave the buffer in the order in which they came.
 *
 * What to notice: the order of the two `down`s matters. Take `mutex` before `free` in the producer
 * and there is a deadlock as soon as the buffer is full. The consumers wait for more items for
 * ever, and say with an `end` label that this is meant. A run that stops there stays as it is for
 * ever, so that "in the end" has a meaning for it.
 *
 * Expect: holds
 * Try: whorl check -DSIZE=3 -DITEMS=3 examples/bounded_buffer.pml
 */

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef SIZE
#define SIZE 2
#endif
#ifndef ITEMS
#define ITEMS 2 /* of each producer */
#endif

typedef Item {
    byte origin;
    byte serial
};

Item buffer[SIZE];
byte first, next;

byte free = SIZE;
byte used = 0;
byte mutex = 1;

byte seen[PRODUCERS]; /* the last serial number taken from each producer */

inline down(semaphore) {
    atomic {
        semaphore > 0 -> semaphore--
    }
}

inline up(semaphore) {
    semaphore++
}

active [PRODUCERS] proctype producer() {
    byte serial;

    for (serial : 1 .. ITEMS) {
        down(free);
        down(mutex);
        d_step {
            buffer[next].origin = _pid;
            buffer[next].serial = serial;
            next = (next + 1) % SIZE
        }
        up(mutex);
        up(used)
    }
}

active [CONSUMERS] proctype consumer() {
    Item item;

end:
    do
    ::  down(used);
        down(mutex);
        d_step {
            item.origin = buffer[first].origin;
            item.serial = buffer[first].serial;
            first = (first + 1) % SIZE
        }
        assert(item.serial == seen[item.origin] + 1);
        d_step {
            seen[item.origin] = item.serial;
            item.origin = 0;
            item.serial = 0
        }
        up(mutex);
        up(free)
    od
}

ltl within_bounds { [] (used <= SIZE && free <= SIZE && mutex <= 1) } /* expect: holds */
ltl all_is_consumed { <>[] (seen[0] == ITEMS && seen[PRODUCERS - 1] == ITEMS) } /* expect: holds */
