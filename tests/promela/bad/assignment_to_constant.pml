#define N 3
mtype = { red };
byte x;
init {
    N = 4;
    3 = x;
    red = 2;
    x + 1 = 3;
    true = x
}
