byte x;
init {
    x = 1 /* the rest
}
