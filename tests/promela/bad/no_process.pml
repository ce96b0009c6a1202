byte x;
mtype = { a, b };
