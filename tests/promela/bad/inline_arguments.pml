byte x;
inline add(a, b) {
    a = a + b
}
inline nothing() {
    skip
}
init {
    add(x);
    add(x, 1, 2);
    nothing(3)
}
