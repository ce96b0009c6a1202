mtype = { a, b, a };
mtype = { b };
typedef T { byte x; int x };
typedef T { byte y };
byte v;
int v;
byte a;
inline f() { skip }
inline f() { skip }
proctype P() { byte w; short w; skip }
proctype P() { skip }
byte P;
init { run P() }
init { skip }
