byte x;
init {
    d_step {
        { x = 1 } unless { x == 2 }
    };
    x = 3 unless x == 4 unless x == 5
}
