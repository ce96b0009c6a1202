/*
 * A client that asks again when no answer comes, with a label for what should not go on for ever.
 *
 * The server takes requests and answers. The client asks, and if it is tired of waiting it asks
 * again, in case the request got lost.
 *
 * What to notice: a label that starts with `accept` needs no formula. A run that is at it again and
 * again is a violation. Here: a client that asks again for ever. Without --fair the server may never
 * come to move. With --fair there is no such run, but only because the client may not ask again when
 * the answer is there: remove `empty(answers)` and see.
 *
 * Expect: violated (acceptance)
 * Expect with --acceptance: holds if fair
 * Try: whorl check --fair examples/retry.pml
 */

chan requests = [1] of { bit };
chan answers = [1] of { bit };

active proctype client() {
    requests!1;
    do
    ::  answers?_ -> break
    ::  empty(answers) ->
accept_retry:
        if
        :: requests!1
        :: full(requests) /* it is still there */
        fi
    od
}

active proctype server() {
end:
    do
    ::  requests?_;
        if
        :: answers!1
        :: full(answers) /* it was asked twice */
        fi
    od
}
