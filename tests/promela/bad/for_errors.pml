byte i, a[3];
chan c = [2] of { byte };
init {
    for (i : 5 .. 2) { skip }
    for (i in i) { skip }
    for (c : 0 .. 1) { skip }
    for (i in c) { skip }
    for i : 0 .. 3 { skip }
    for (i : 0 .. 3) skip
}
