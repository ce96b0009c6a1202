byte x;
init {
    if x == 0 then x = 1 else x = 2 fi;
    x = 3
}
