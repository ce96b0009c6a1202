init {
    mtype = { a, b };
    typedef T { byte x };
    skip
}
