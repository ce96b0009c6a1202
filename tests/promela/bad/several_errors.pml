byte count;
mtype = { ping, pong };
chan c = [1] of { mtype };

proctype P(byte n) {
    cnt = n;
    if
    :: count == 1 -> goto dne
    :: else
    fi
done:
    c!pnig
}

proctype Q() {
    byte x = ;
    x = 3;
    c?x y
}

init {
    run P(1, 2);
    run R()
}
