byte i;
init {
    select (i : 3 .. 1)
}
