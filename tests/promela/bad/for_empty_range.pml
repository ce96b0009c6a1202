byte i;
init {
    for (i : 5 .. 2) { skip }
}
