byte a[3], x;
active proctype P() {
    x[0] = 1;
    x = a[1][2]
}
