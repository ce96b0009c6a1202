init {
    np_
}
