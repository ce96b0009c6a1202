byte count;
active proctype P() {
    cuont = 1;
    count++;
    assert(cuont == 1)
}
