byte len;
int run = 1;
proctype init() {
    skip
}
active proctype P() {
    byte of;
    skip
}
