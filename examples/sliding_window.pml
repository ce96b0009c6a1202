/*
 * A sliding window protocol with selective repeat, over channels that lose messages.
 *
 * The sender may have WINDOW messages under way that are not acknowledged, and send any of them
 * again at any time. The receiver takes what is in its own window, in any order, and delivers
 * what is next. It acknowledges each frame with the number of the message that it expects, which
 * says that all before it have arrived. On the wire is the number of a message modulo NUMBERS.
 *
 * What to notice: after the receiver's window has moved on, frames that are sent again because an
 * acknowledgement was lost must not have numbers of the new window. The windows of both sides
 * together must not be larger than NUMBERS: with 4 numbers, WINDOW may be 2. With 3, as here, an
 * old frame is taken for a new one. A receiver that keeps nothing for later (-DKEEPS=1, which is
 * "go back n") has a window of 1, so that WINDOW may be 3.
 *
 * Data is counted modulo 2 * NUMBERS, enough to tell a message from one that has the same number.
 *
 * Expect: violated (assertion)
 * Expect with -DWINDOW=2: holds
 * Expect with -DWINDOW=2 -DSLOTS=3: holds
 * Expect with -DWINDOW=3 -DKEEPS=1: holds
 * Expect with -DWINDOW=4 -DKEEPS=1: violated (assertion)
 * Try: whorl check -DWINDOW=2 examples/sliding_window.pml
 */

#ifndef NUMBERS
#define NUMBERS 4
#endif
#ifndef WINDOW
#define WINDOW 3
#endif
#ifndef KEEPS
#define KEEPS WINDOW
#endif
#ifndef SLOTS
#define SLOTS 1 /* of each channel */
#endif
#define MESSAGES (2 * NUMBERS)
#define NOTHING MESSAGES

chan frames = [SLOTS] of { byte, byte }; /* number, data */
chan acks = [SLOTS] of { byte }; /* the number that is expected */

active proctype sender() {
    byte first; /* the oldest message that is not acknowledged */
    byte used; /* how many are under way */
    byte k, number;

    do
    ::  atomic {
            used < WINDOW && nfull(frames) ->
            frames!(first + used) % NUMBERS, (first + used) % MESSAGES;
            used++
        }
    ::  atomic { /* out of patience with one of them */
            used > 0 && nfull(frames) ->
            select (k : 0 .. used - 1);
            frames!(first + k) % NUMBERS, (first + k) % MESSAGES;
            k = 0
        }
    ::  atomic {
            acks?number ->
            k = (number + NUMBERS - first % NUMBERS) % NUMBERS;
            if
            :: k <= used -> first = (first + k) % MESSAGES; used = used - k
            :: else
            fi;
            k = 0;
            number = 0
        }
    od
}

active proctype receiver() {
    byte expected; /* the message to be delivered next */
    byte kept[NUMBERS] = NOTHING; /* what came before its turn, by number */
    byte number, data;

    do
    ::  atomic {
            frames?number, data ->
            if
            :: (number + NUMBERS - expected % NUMBERS) % NUMBERS < KEEPS -> kept[number] = data
            :: else /* from before the window: acknowledged again */
            fi;
            do
            ::  kept[expected % NUMBERS] != NOTHING ->
                assert(kept[expected % NUMBERS] == expected);
                kept[expected % NUMBERS] = NOTHING;
                expected = (expected + 1) % MESSAGES
            ::  else -> break
            od;
            number = 0;
            data = 0;
            acks!expected % NUMBERS
        }
    od
}

active proctype loss() {
    do
    :: frames?_, _
    :: acks?_
    od
}
