byte größe;
init {
    größe = 1;
    printf(“hello”)
}
