mtype : fruit = { apple, pear };
mtype : colour = { red, green };
mtype : fruit f = red;
init {
    f = apple;
    f = green
}
