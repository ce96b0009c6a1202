byte x, y;
active proctype P() {
    if
    :: (x == 1 -> y = 2
    :: (x == 2 && (y == 1) -> y = 3
    :: else
    fi
}
