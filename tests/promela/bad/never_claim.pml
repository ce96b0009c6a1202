chan c = [1] of { byte };
byte x;
init {
    c!1
}
never {
    do
    :: c?x
    :: np_ -> x = 1
    :: else
    od
}
