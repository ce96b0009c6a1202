byte x;
init {
    set(x)
}
inline set(v) {
    v = 1
}
