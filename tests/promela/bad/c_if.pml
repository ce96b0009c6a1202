byte x;
init {
    if (x == 0) {
        x = 1;
    } else if (x == 1) {
        y = 2;
    } else {
        x = 3;
    }
    x = 4
}
