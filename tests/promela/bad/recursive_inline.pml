inline a() {
    b()
}
inline b() {
    a()
}
init {
    a()
}
