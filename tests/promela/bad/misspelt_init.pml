byte x;
int1 {
    x = 1
}
