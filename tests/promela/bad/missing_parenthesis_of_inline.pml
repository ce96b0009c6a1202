byte x;
inline set(a, b) {
    a = b
}
init {
    set(x, (1 + 2);
    set(x, 3;
    if
    :: set(x, 4 -> skip
    fi
}
