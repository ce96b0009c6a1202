byte x;
chan c = [1] of { byte };
init {
    x = _;
    c!_;
    c?_
}
