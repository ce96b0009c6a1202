chan c = [1] of { byte };
byte x;
init {
    c!1
}
trace {
    do
    :: c!1
    :: x = 1
    :: x == 2
    od
}
