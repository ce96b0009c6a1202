typedef T
    byte x;
};
T t;
init {
    t.x = 1
}
