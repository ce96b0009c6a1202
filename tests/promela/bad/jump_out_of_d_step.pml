byte x;
active proctype P() {
    d_step {
        x = 1;
        goto done
    };
    x = 2;
done:
    skip
}
