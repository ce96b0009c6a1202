active [200] proctype P() {
    skip
}
active [100] proctype Q() {
    skip
}
