byte n;
byte a[0];
byte b[-1];
byte c[n + 1];
byte d[N];
active proctype P() {
    a[0] = b[0] + c[0] + d[0]
}
