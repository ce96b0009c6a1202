byte x, y;
active proctype P() {
    if
    :: x < 3 ->
        if
        :: y == 0 -> y = 1
        :: y == 1 -> y = 0
    :: else -> skip
    fi;
    x = 1
}
