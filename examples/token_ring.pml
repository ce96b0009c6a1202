/*
 * Mutual exclusion by a token that goes round a ring.
 *
 * Who holds the token may enter the critical section, and passes the token on afterwards. There is
 * one token, so there is never more than one process inside.
 *
 * What to notice: the links are rendezvous channels (capacity 0). They hold nothing: a token is
 * passed in one step that the sender and the receiver take together. Give a second station a token
 * at the start and see what becomes of the assertion.
 *
 * The token comes round in every run, for nobody can do anything without it. But who has it may have
 * nothing to do each time, so `enters` fails, and no fairness between processes helps: the choice
 * is made within one process.
 *
 * Expect: violated (enters)
 * Expect with --non-progress: violated
 * Try: whorl check -DN=8 examples/token_ring.pml
 */

#ifndef N
#define N 4
#endif

mtype = { token };

chan link[N] = [0] of { mtype }; /* link[i] leads to station i */
byte inside;

proctype station(byte me; bool has_token) {
    do
    ::  has_token ->
has:    if
        ::  inside++;
progress:   assert(inside == 1);
            inside--
        ::  skip /* nothing to do this time */
        fi;
        has_token = false;
        link[(me + 1) % N]!token
    ::  else ->
        link[me]?token;
        has_token = true
    od
}

init {
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run station(i, i == 0)
        }
    }
}

ltl token_comes_round { []<> station[1]@has } /* expect: holds */
ltl one_token { [] !(station[1]@has && station[2]@has) } /* expect: holds */
ltl enters { []<> (inside == 1) } /* expect: violated */
