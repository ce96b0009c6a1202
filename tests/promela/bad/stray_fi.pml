byte x;
active proctype P() {
    x = 1;
    fi;
    x = 2
}
