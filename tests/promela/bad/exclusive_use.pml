chan c = [1] of { byte };
byte x;
xr c;
active proctype P() {
    xs c;
    c!1
}
active proctype Q() {
    xs c;
    xr x;
    c!2
}
