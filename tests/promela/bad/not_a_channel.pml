byte x;
int y;
mtype = { ack };
active proctype P() {
    x!1;
    y?x;
    ack!1;
    if
    :: len(x) > 0
    :: full(y)
    :: x?[1]
    fi
}
