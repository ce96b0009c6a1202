byte x;
proctype worker(byte n) {
    x = n
}
init {
    worker(1);
    undefined(2)
}
