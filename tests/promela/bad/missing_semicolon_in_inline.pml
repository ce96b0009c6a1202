byte x;
inline set(a) {
    a = 1 a = 2
    (a 3)
}
init {
    set(x);
    set(x)
}
