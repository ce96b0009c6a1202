active proctype P() {
    byte here;
    skip
}
active proctype Q() {
    P:hre == 1;
    P[0]:here == 2;
    R:here == 1
}
