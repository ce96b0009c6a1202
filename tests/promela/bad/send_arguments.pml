chan c = [1] of { byte, bool };
byte x;
init {
    c!1;
    c!1, true, 3;
    c?x
}
