typedef Packet {
    byte data
}
Paket p;
init {
    p.data = 1
}
