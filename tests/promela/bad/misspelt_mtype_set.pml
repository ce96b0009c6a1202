mtype : colour = { red, green };
mtype : color light;
init {
    light = red
}
