active proctype P() {
top:
    skip
}
active proctype Q() {
    goto top
}
