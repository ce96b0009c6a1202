byte x;
init {
    printf("%d %d\n", x);
    printf("%s\n", x)
}
