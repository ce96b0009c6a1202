byte x;
inline increment(v) {
    v = v + 1
}
init {
    incremnet(x);
    increment(x)
}
