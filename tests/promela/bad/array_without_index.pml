byte a[3], x;
active proctype P() {
    a = 1;
    x = a + 1
}
