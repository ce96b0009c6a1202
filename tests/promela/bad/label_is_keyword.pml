byte x;
active proctype P() {
do:
    x = 1;
skip:
    x = 2
}
