byte x;
proctype P() {
    x = 1;
    x = 2

proctype Q() {
    x = 3
}

init {
    run P();
    run Q()
}
