byte x;
active proctype P() {
    if
    :: x == 0 -> x = 1
    :: else -> skip
    x = 2;
    x = 3
}

active proctype Q() {
    x = 4
}
