/*
 * Leader election in a one-way ring, by Chang and Roberts.
 *
 * Every node has a name of its own and hears only its left neighbour. It sends its name to the
 * right, passes on the names that are higher than its own, and swallows those that are lower. The
 * name that comes all the way round is the highest, and its node sends a second message round to
 * say so.
 *
 * What to notice: `select` lets the checker try every place where the highest name can be. Messages
 * are written as `kind(name)`, which means the same as `kind, name`. The assertions say that no
 * wrong leader is elected; that one is elected at all takes the formula.
 *
 * Expect: holds
 * Try: whorl check -DN=4 examples/leader_election.pml
 */

#ifndef N
#define N 3
#endif

mtype = { candidate, leader };

chan link[N] = [N] of { mtype, byte }; /* link[i] leads to node i */
byte leaders;

proctype node(byte place; byte name) {
    byte other;
    byte next = (place + 1) % N;

    link[next]!candidate(name);
    do
    ::  link[place]?candidate(other) ->
        if
        ::  other > name ->
            link[next]!candidate(other)
        ::  other < name /* swallowed */
        ::  other == name ->
            leaders++;
            assert(leaders == 1 && name == N);
            link[next]!leader(name)
        fi
    ::  link[place]?leader(other) ->
        assert(other == N);
        if
        :: other != name -> link[next]!leader(other)
        :: else
        fi;
        break
    od;
    assert(empty(link[place]))
}

init {
    byte place, shift;

    select (shift : 0 .. N - 1);
    atomic {
        for (place : 0 .. N - 1) {
            run node(place, (place + shift) % N + 1)
        }
    }
}

ltl elected { <>[] (leaders == 1) } /* expect: holds */
ltl not_before { (leaders == 0) W (leaders == 1) } /* expect: holds */
