active proctype Worker() {
critical:
    skip
}
active proctype Monitor() {
    !Worker@critcal
}
