byte x;
active proctype P() {
    if
    :: x == 0 -> break
    :: else
    fi
}
