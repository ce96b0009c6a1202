byte x, y;
active proctype P() {
    x = (y + 1));
    y = 3]
}
