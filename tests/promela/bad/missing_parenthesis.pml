byte x, y;
active proctype P() {
    x = (y + 1;
    y = 2 * (x + (y - 1);
    printf("%d\n", x;
    assert(x == 1;
    x = 3
}
