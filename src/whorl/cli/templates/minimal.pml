/*
 * minimal: one process, one variable, one assertion. Replace all of it.
 *
 * Expect: holds
 */

byte count;                     /* a variable of all processes; its first value is 0 */

active proctype counter() {     /* `active`: there is one from the start; `active [2]`: two */
    do                          /* again and again, one of those whose first statement can be executed */
    :: count < 3 ->
        count++
    :: count == 3 ->
        break
    od;
    assert(count == 3)
}
