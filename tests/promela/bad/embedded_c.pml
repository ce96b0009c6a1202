c_code { int x;
init {
    skip
}
