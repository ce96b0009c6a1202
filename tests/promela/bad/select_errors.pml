byte i;
init {
    select (i : 0 , 3);
    select (i : 3 .. 1);
    select (j : 0 .. 3)
}
