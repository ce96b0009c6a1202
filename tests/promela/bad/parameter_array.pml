proctype P(byte a[3]; byte b = 1) {
    skip
}
init {
    run P(1, 2)
}
