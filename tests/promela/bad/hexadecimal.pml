byte x = 0xff;
init {
    x = 0x10;
    x = 12ab
}
