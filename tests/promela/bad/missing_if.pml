byte x, i;
init {
    for (i : 0 .. 3) {
        :: x == 1 -> x = 2
        :: else -> x = 1
        fi;
        x = 3
    }
    x = 0
}
