#define incr(v) v = v + one
#define N 3;
byte x, a[N];
init {
    incr(x);
    x = N + 1
}
