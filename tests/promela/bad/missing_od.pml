byte x;
active proctype P() {
    do
    :: x < 3 -> x++
    :: else -> break

    assert(x == 3)
}

init {
    skip
}
