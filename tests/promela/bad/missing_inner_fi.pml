byte x, y;
active proctype P() {
    do
    :: x < 3 ->
        if
        :: y == 0 -> y = 1
        :: y == 1 -> y = 0
        x++
    :: else -> break
    od
}
