chan c = [1] of { byte };
byte x;
init {
    c!;
    c?;
    x = 1
}
