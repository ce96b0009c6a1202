active proctype P() {
start:
    byte x = 1;
    x++;
    goto start
}
