init {
    _pid = 3;
    _nr_pr = 2;
    _last++;
    timeout = 1
}
