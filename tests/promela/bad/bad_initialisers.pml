byte a = { 1, 2 };
byte b[2] = { 1, 2, 3 };
byte c = [2] of { byte };
chan d = 3;
typedef T { byte x };
T t = 1;
byte e = "text";
byte f[2] = { 1, a };
init {
    skip
}
