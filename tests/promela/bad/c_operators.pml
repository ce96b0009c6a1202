byte x, y;
init {
    x += 1;
    y = x++;
    ++x;
    y = (x > 1 ? 2 : 3);
    y = x > 1 ? 2 : 3;
    if
    :: x == 1 &&& y == 1
    :: x == 1 and y == 2
    :: not x
    :: !!x
    fi
}
