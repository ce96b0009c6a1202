char c;
const int N = 3;
struct point { int x; int y; };
enum { RED, GREEN };
static int counter;
float f;
init {
    char d;
    d = c + N
}
proctype P(char x; y) {
    skip
}
