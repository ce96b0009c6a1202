/*
 * The alternating bit protocol: messages arrive in order, once each, over channels that lose some.
 *
 * Every message carries a bit. The receiver answers each message with its bit; the sender goes on
 * to the next message, with the other bit, only when the answer has the bit it sent. Until then it
 * may lose patience at any time, and send again.
 *
 * What to notice: the loss is a process of its own, which may take any message off either channel.
 * An impatient sender needs no clock: sending again is simply one of the things that it can do
 * next. Data is counted modulo M, enough to tell a message from its neighbours.
 *
 * Of a channel that loses everything nothing can be hoped, and --fair is no help: the loss is as
 * entitled to its steps as the others. So the last formula says what it takes to get on: that again
 * and again something gets through, in both directions.
 *
 * Expect: violated (goes_on)
 * Expect with --non-progress: violated
 * Try: whorl check -DM=8 --claim goes_on_if_something_arrives examples/alternating_bit.pml
 */

#ifndef M
#define M 4
#endif

chan to_receiver = [2] of { byte, bit };
chan to_sender = [2] of { bit };

active proctype sender() {
    byte data;
    bit parity, answer;

    do
    ::  to_receiver!data, parity;
        do
        ::  to_sender?answer ->
heard:      if
            :: answer == parity -> break
            :: else /* an old answer: keep waiting */
            fi
        ::  to_receiver!data, parity /* out of patience */
        od;
        data = (data + 1) % M;
        parity = 1 - parity
    od
}

active proctype receiver() {
    byte data, expected;
    bit parity, expected_parity;

    do
    ::  to_receiver?data, parity;
heard:  if
        ::  parity == expected_parity ->
            assert(data == expected);
progress:   expected = (expected + 1) % M;
            expected_parity = 1 - expected_parity
        ::  else /* sent twice: answer again, deliver nothing */
        fi;
        to_sender!parity
    od
}

active proctype loss() {
    do
    :: to_receiver?_, _
    :: to_sender?_
    od
}

#define something_arrives ([]<> receiver@heard && []<> sender@heard)

ltl in_step { /* expect: holds */
    [] (receiver:expected == sender:data || receiver:expected == (sender:data + 1) % M)
}
ltl goes_on { []<> (sender:data == 1) } /* expect: violated */
ltl goes_on_if_something_arrives { something_arrives -> []<> (sender:data == 1) } /* expect: holds */
