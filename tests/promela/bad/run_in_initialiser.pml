proctype P() {
    skip
}
init {
    pid p = run P()
}
