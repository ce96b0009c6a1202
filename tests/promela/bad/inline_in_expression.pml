byte x;
inline next(v) {
    v++
}
init {
    x = 1 + next(x)
}
