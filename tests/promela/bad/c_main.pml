int x;
int main() {
    x = 1;
    return 0;
}
init {
    main()
}
