byte x;
active proctype P() {
    if
    :: (x = 1) -> skip
    :: else
    fi;
    assert(x = 1)
}
