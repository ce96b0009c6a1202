byte i, x;
init {
    for (i = 0; i < 10; i++) {
        x = x + i;
        z = 1
    }
    x = 0
}
