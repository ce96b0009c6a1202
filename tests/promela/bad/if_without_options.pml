byte x;
init {
    if x == 0 -> x = 1
    :: else -> x = 2
    fi;
    if (x == 1) -> x = 2 fi
}
