byte x;
init {
    printf(x);
    printf "hello";
    printm(red, 1)
}
