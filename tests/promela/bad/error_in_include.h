byte x
byte y = x + ;
inline f() {
    y = unknown
}
