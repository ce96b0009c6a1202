/* Leader election in a ring of N nodes (Chang and Roberts, 1979), round after round: the leader of a
 * round sends a farewell round the ring, and then all start again with another order of priorities.
 *
 * Shape: buffered channels, arrays of channels.
 * Sizes: -DN=4 and up, -DL=2 (capacity of a channel).
 */

#ifndef N
#define N 4
#endif
#ifndef L
#define L 2
#endif

mtype = { candidate, elected };

chan link[N] = [L] of { mtype, byte };
byte leaders;

active [N] proctype node()
{
    byte number = (_pid * 3 + 1) % N;
    byte seen;
    bool running, done;

start:
    done = false;
    if
    :: running = true; link[(_pid + 1) % N] ! candidate(number)
    :: running = false
    fi;
end:
    do
    :: link[_pid] ? candidate(seen) ->
        if
        :: seen > number -> link[(_pid + 1) % N] ! candidate(seen); running = true
        :: seen < number && !running ->
            running = true;
            link[(_pid + 1) % N] ! candidate(number)
        :: seen < number && running
        :: seen == number ->
            leaders++;
            assert(leaders == 1);
            link[(_pid + 1) % N] ! elected(number)
        fi
    :: link[_pid] ? elected(seen) ->
        if
        :: seen == number -> leaders--
        :: else -> link[(_pid + 1) % N] ! elected(seen)
        fi;
        number = (number + 1) % N;
        goto start
    od
}
