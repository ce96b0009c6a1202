typedef Point { byte x, y };
Point p, q;
active proctype P() {
    p = q;
    p.x = q;
    if
    :: p -> skip
    fi
}
