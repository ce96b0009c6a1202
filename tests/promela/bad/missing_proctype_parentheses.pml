active proctype P {
    skip
}
active proctype Q( {
    skip
}
active proctype R byte n) {
    n = 1
}
