byte x;
active proctype P() {
    x = 1 if
    :: x == 1 -> skip
    :: else -> x = 0
    fi
}
