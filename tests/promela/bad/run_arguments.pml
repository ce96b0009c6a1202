proctype P(byte a; bool b) {
    skip
}
proctype Q() {
    skip
}
init {
    run P(1);
    run P(1, true, 3);
    run Q(1)
}
