bite x;
shrt y = 3;
init {
    itn z;
    z = x + y
}
