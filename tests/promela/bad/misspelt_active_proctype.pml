active [2] protcype P() {
    skip
}
