proctype P() {
    skip
}
init {
    if
    :: run P() && run P() -> skip
    :: run P() > 0 -> skip
    fi
}
