byte x;
init {
    do {
        x++
    } while (x < 3);
    x = 0
}
