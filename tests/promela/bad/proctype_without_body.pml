proctype P(byte n);
proctype P(byte n) {
    skip
}
init {
    run P(1)
}
