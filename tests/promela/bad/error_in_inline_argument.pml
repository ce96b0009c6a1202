byte x;
inline set(v) {
    v = 1
}
init {
    set(y);
    set(3);
    set(x +)
}
