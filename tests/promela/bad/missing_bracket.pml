byte a[3], x;
active proctype P() {
    a[1 = 3;
    x = a[2 + 1
}
