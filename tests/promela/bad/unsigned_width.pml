unsigned a;
unsigned b : 40;
byte c : 4;
init {
    a = b + c
}
