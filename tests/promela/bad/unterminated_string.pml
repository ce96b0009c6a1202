byte x;
init {
    printf("hello\n);
    x = 1
}
