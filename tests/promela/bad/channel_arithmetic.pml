chan c = [1] of { byte };
byte x;
init {
    x = c + 1;
    c++;
    c = 3
}
