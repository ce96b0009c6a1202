proctype Sender(byte n) {
    skip
}
init {
    run Sendr(3)
}
