byte x;
void reset() {
    x = 0;
}
init {
    reset()
}
