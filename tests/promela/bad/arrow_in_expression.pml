byte x, y;
active proctype P() {
    x = (y > 1 -> 2);
    if
    :: x => 3 -> y = 1
    :: x =< 3 -> y = 2
    fi
}
