#define add(a, b) ((a) + (b))
byte x;
init {
    x = add(x);
    x = add(x, 1, 2)
}
