byte x;
chan c = [1] of { byte };
active proctype P() {
    x.value = 1;
    c.len = 2
}
