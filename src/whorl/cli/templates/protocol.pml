/*
 * protocol: a sender and a receiver, and a channel that loses messages.
 *
 * The sender repeats a message until it is acknowledged; a bit tells a new message from one that was
 * sent again. The receiver asserts that messages arrive in order, each of them once. Messages
 * are counted modulo 4 to keep the number of states small.
 *
 * That everything arrives takes a channel that does not lose everything, which no run promises:
 * `arrives` is violated. Look at the run: whorl check --claim arrives
 *
 * Expect: violated (arrives)
 * Expect with --safety: holds
 */

#define COUNT 4

mtype = { data, ack };

chan forth = [1] of { mtype, bit, byte };       /* a queue of one message; [0]: a handshake */
chan back = [1] of { mtype, bit };

active proctype sender() {
    byte number;
    bit flag;

    do
    :: forth!data(flag, number)                 /* send, or send again */
    :: back?ack(eval(flag)) ->                  /* eval: receive this value alone */
        flag = 1 - flag;
        number = (number + 1) % COUNT
    :: back?ack(eval(1 - flag))                 /* of a message that was sent twice */
    od
}

active proctype receiver() {
    byte number, expected;
    bit flag, next;

    do
    :: forth?data(flag, number) ->
        if
        :: flag == next ->
arrived:    assert(number == expected);
            expected = (expected + 1) % COUNT;
            next = 1 - next
        :: else
        fi;
        back!ack(flag)
    od
}

active proctype thief() {                       /* takes messages away, as a bad line does */
    do
    :: forth?data(_, _)
    :: back?ack(_)
    od
}

ltl arrives { [] <> receiver@arrived }          /* expect: violated */
