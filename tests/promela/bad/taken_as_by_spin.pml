typedef T { byte f };
T t[2] = 1;
mtype : colour = { red };
mtype : color light; */
byte x = 3;
#define NEXT -->
init {
    x-->x = 1 NEXT x = 2 NEXT x = 3;
    /* a /* b */ */
    byte a[2] = 7;
    byte b[2] = { 8, 9 };
    T u = a[0];
    u.f = 1
}
