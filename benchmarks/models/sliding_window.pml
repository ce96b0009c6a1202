/* A sliding-window protocol, go back N, over channels that lose messages: sequence numbers modulo M,
 * a window of W. The receiver must see the values in order.
 *
 * Shape: buffered channels with several fields, nondeterministic loss, few processes.
 * Sizes: -DM=4, -DW=2, -DL=2 (capacity), -DV=4 (values).
 */

#ifndef M
#define M 4
#endif
#ifndef W
#define W 2
#endif
#ifndef L
#define L 2
#endif
#ifndef V
#define V 4
#endif

chan data = [L] of { byte, byte }; /* sequence number, value */
chan acks = [L] of { byte };

active proctype sender()
{
    byte window[M];
    byte base, next, count, value, number, i;

    do
    :: count < W && nfull(data) -> /* something new */
        window[next] = value;
        data ! next, value;
        value = (value + 1) % V;
        next = (next + 1) % M;
        count++
    :: acks ? number -> /* all before `number` have arrived, unless it is an old one */
        do
        :: (number + M - base) % M <= count && base != number ->
            window[base] = 0;
            base = (base + 1) % M;
            count--
        :: else -> break
        od
    :: count > 0 -> /* a timer: all over again */
        i = 0;
        do
        :: i < count ->
            data ! (base + i) % M, window[(base + i) % M];
            i++
        :: else -> break
        od;
        i = 0
    od
}

active proctype loss()
{
    do
    :: data ? _, _
    :: acks ? _
    od
}

active proctype receiver()
{
    byte expected, wanted, number, value;

    do
    :: data ? number, value ->
        if
        :: number == expected ->
            assert(value == wanted);
            wanted = (wanted + 1) % V;
            expected = (expected + 1) % M
        :: else
        fi;
        acks ! expected
    od
}
