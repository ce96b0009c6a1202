byte x;
init {
    for (int i : 0 .. 9) {
        x = x + 1
    }
}
