byte x;
inline inner(v) {
    v = v + unknown;
    if
    :: v == 1 -> v = 
    fi
}
inline outer(w) {
    inner(w)
}
init {
    outer(x);
    outer(x)
}
