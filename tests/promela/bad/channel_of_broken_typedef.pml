typedef m {
    byte b;
    ]
};
init {
    byte x;
    chan c = [1] of { m };
    c!x
}
