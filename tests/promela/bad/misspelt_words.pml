byte x;
active proctype P() {
    do
    :: x == 0 -> skp
    :: esle -> brek
    od
}
