proctyp P() {
    skip
}
init {
    run P()
}
