active proctype P() {
top:
    skip;
top:
    goto top
}
