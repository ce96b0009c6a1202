active proctype P() {
    goto;
    goto 3;
    goto do
}
