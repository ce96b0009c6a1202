/*
 * response: clients ask, a server answers. Whoever asks is answered in the end.
 *
 * `answered` has the shape of most properties that people want: whenever this, sooner or later that.
 * It needs --fair, which counts only runs in which no process waits for ever that could always move:
 * without it the other client and the server may do all the steps.
 *
 * Expect: violated (answered)
 * Expect with --fair: holds
 */

#define CLIENTS 2

chan requests = [CLIENTS] of { byte };
chan answers[CLIENTS] = [1] of { bit };
bool waits[CLIENTS];

proctype client(byte me) {
    do
    :: atomic { requests!me; waits[me] = true };
       answers[me]?_;
       waits[me] = false
    od
}

proctype server() {
    byte who;

end:                                            /* to wait here for ever is no error */
    do
    :: requests?who -> answers[who]!1
    od
}

init {
    atomic {                                    /* all begin together */
        run server();
        run client(0);
        run client(1)
    }
}

ltl answered { [] (waits[0] -> <> !waits[0]) }  /* expect: holds if fair */
