chan c = [1] of { byte, byte };
byte x;
init {
    c?x+1, 2;
    c?"a", x;
    c?[x, 1;
    c?<x, 1;
    c?eval x, 1;
    c?_pid, x
}
