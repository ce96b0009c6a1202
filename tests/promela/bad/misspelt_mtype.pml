mtype = { request, response };
chan c = [1] of { mtype };
init {
    c!reqest;
    c?response
}
