byte x;
init {
    if (x == 0)
        x = 1;
    else
        x = 2;
    z = 3
}
