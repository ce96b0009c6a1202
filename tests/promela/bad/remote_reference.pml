active proctype P() {
here:
    skip
}
active proctype Q() {
    P[0]@;
    P[0] == 1;
    P = 3;
    Q@nowhere
}
