byte x;
active proctype P() {
    if
    :: x == 0 -> x = 1
    :: else
    f1;
    x = 2
}
