byte x;
inline set(v) {
    if
    :: v == 1 -> { x = v
    :: else
    fi
}

active proctype P() {
    set(1)
}
