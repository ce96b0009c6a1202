byte x;
init {
    while (x < 3) {
        x++;
        y = 1
    }
    x = 0
}
