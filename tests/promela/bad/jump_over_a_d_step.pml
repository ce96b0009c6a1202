byte x;
active proctype P() {
    atomic {
        d_step {
            x = 1;
            goto behind
        };
behind: x = 2
    };
    d_step {
        x = 3;
        goto other
    };
    d_step {
        x = 4;
other:  x = 5
    };
    do
    :: d_step {
            x = 6;
            break
        }
    od
}
