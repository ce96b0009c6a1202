byte x byte y;
init {
    byte a byte b;
    a = x + y + b
}
