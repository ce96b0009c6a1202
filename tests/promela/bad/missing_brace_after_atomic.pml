byte x;
init {
    if
    :: atomic
           x == 0 ->
           x = 1
       }
    :: else
    fi;
    atomic x = 2;
    x = 3
}
