actve proctype P() {
    skip
}
