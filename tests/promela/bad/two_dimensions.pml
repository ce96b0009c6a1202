byte a[2][3];
byte b[2];
init {
    b[0] = b[1][2]
}
