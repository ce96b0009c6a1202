/* P producers and C consumers around a ring buffer of S places, with counting semaphores and a lock
 * that are taken in atomic steps. What a consumer takes out has to be what was put there.
 *
 * Shape: atomic sequences, shared arrays.
 * Sizes: -DP=2, -DC=2, -DS=3, -DV=3 (values).
 */

#ifndef P
#define P 2
#endif
#ifndef C
#define C 2
#endif
#ifndef S
#define S 3
#endif
#ifndef V
#define V 3
#endif

#define wait(semaphore) atomic { semaphore > 0 -> semaphore-- }
#define signal(semaphore) semaphore++

byte buffer[S];
byte first, last;
byte places = S, items = 0, lock = 1;

active [P] proctype producer()
{
    byte value = 1 + _pid % V;
    do
    :: wait(places);
        wait(lock);
        assert(buffer[last] == 0);
        buffer[last] = value;
        last = (last + 1) % S;
        signal(lock);
        signal(items);
        value = 1 + value % V
    od
}

active [C] proctype consumer()
{
    byte value;
    do
    :: wait(items);
        wait(lock);
        value = buffer[first];
        assert(value != 0);
        buffer[first] = 0;
        first = (first + 1) % S;
        signal(lock);
        signal(places)
    od
}
