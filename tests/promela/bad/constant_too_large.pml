byte x = 300;
bool b = 2;
unsigned u : 3 = 8;
short s;
init {
    s = 40000;
    x = -1
}
