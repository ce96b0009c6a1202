init {
    hidden byte x;
    x = 1
}
