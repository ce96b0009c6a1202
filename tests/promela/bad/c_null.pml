byte x = NULL;
bool b = TRUE;
init {
    if
    :: x == NULL -> b = FALSE
    fi
}
