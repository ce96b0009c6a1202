/*
 * A directory that keeps N caches of one memory cell coherent, by the MSI protocol.
 *
 * A cache holds its copy as Modified (the only one, may be written), Shared (may be read) or not at
 * all: Invalid. It asks the directory for what it lacks. Before the directory grants a request it
 * probes the caches that stand in the way: for a reader, a Modified copy becomes Shared; for a
 * writer, every other copy is taken back.
 *
 * What to notice: grants and probes reach a cache through one channel, in the order in which the
 * directory sent them. With a channel for each, a cache could answer a probe for the copy that it
 * is just being granted, and keep that copy: try it. `latest` is what a reader should see; the
 * caches read it only to assert.
 *
 * A request for a copy is granted sooner or later if every process gets its turn: `granted` holds
 * with --fair. Without it, the first cache may read for ever while the second one waits.
 *
 * Expect: violated (granted)
 * Try: whorl check --fair examples/msi_cache.pml
 */

#ifndef N
#define N 2
#endif

mtype = { invalid, shared, modified, get_shared, get_modified, give_back, downgrade };

typedef Line {
    mtype state = invalid;
    bit value
};

Line line[N];
bit latest;

chan request = [N] of { mtype, byte };
chan to_cache[N] = [1] of { mtype, bit };
chan answer = [0] of { byte, bit };

/* Receives a message: a probe is answered, a grant changes the line. */
inline obey_directory() {
    to_cache[me]?message, value;
    if
    ::  message == give_back ->
        line[me].state = invalid;
        answer!me, line[me].value
    ::  message == downgrade ->
        line[me].state = shared;
        answer!me, line[me].value
    ::  else ->
        d_step {
            line[me].value = value;
            line[me].state = message
        }
    fi;
    value = 0
}

/* While a cache waits for its grant it must go on answering probes. */
inline ask_for(kind, wanted) {
    request!kind, me;
    do
    :: line[me].state == wanted -> break
    :: line[me].state != wanted -> obey_directory()
    od
}

inline assert_alone() {
    for (k : 0 .. N - 1) {
        assert(k == me || line[k].state == invalid)
    }
    k = 0
}

proctype cache(byte me) {
    mtype message = give_back;
    bit value;
    byte k;

    do
    ::  obey_directory()
    ::  line[me].state == invalid ->
        ask_for(get_shared, shared)
    ::  line[me].state != modified ->
        ask_for(get_modified, modified)
    ::  atomic {
            line[me].state != invalid ->
            assert(line[me].value == latest)
        }
    ::  atomic {
            line[me].state == modified ->
            assert_alone();
            latest = 1 - latest;
            line[me].value = latest
        }
    od
}

/* Takes the copy of `other` back, or the right to write it, and brings memory up to date. */
inline probe(other, how) {
    to_cache[other]!how, 0;
    answer?eval(other), memory
}

proctype directory() {
    mtype holds[N] = invalid;
    mtype kind = get_shared;
    byte who, k;
    bit memory;

    do
    ::  request?kind, who ->
        for (k : 0 .. N - 1) {
            if
            ::  k != who && kind == get_modified && holds[k] != invalid ->
                probe(k, give_back);
                holds[k] = invalid
            ::  k != who && kind == get_shared && holds[k] == modified ->
                probe(k, downgrade);
                holds[k] = shared
            ::  else
            fi
        }
        k = 0;
        if
        :: kind == get_modified -> holds[who] = modified
        :: kind == get_shared -> holds[who] = shared
        fi;
        to_cache[who]!holds[who], memory
    od
}

init {
    byte i;

    atomic {
        run directory();
        for (i : 0 .. N - 1) {
            run cache(i)
        }
    }
}

#define alone(k) (line[1 - k].state == invalid)

ltl single_writer { [] (line[0].state == modified -> alone(0)) } /* expect: holds */
ltl granted { [] (len(request) > 0 -> <> (len(request) == 0)) } /* expect: holds if fair */
