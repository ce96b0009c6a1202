#define SIZE 4;
byte a[SIZE];
init {
    a[0] = SIZE
}
