typedef Message {
    byte sequence;
    bool last
}
init {
    Message m;
    m.sequnce = 3;
    m.last = true
}
