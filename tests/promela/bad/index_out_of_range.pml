byte a[3], one[1];
active proctype P() {
    a[3] = 1;
    one[1] = a[-1]
}
