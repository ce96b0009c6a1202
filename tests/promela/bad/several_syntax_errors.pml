byte a[3, b;

proctype P(byte n {
    n = 1
}

proctype Q() {
    if
    :: a[0 == 1 -> b = 2
    :: else -> b = (1 + 2
    fi;
    do
    :: b > 0 -> b--
    :: else break
    od
    run
}

init {
    run Q();
    atomic {
        b = 1 +;
        b = 2 b = 3
    }
}
