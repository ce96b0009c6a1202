mtype { red, green }
mtype = { 1, 2 };
mtype = yellow;
mtype = { };
mtype : = { blue };
init {
    skip
}
