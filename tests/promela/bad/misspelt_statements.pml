byte x;
active proctype P() {
    atomc {
        x = 1;
        asert(x == 1)
    };
    prntf("%d", x);
    gotoo done;
done:
    skip
}
