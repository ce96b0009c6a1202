/*
 * A road with a crossing: cars, a button for those on foot, and two lights.
 *
 * The controller lets the cars drive until somebody presses the button. Then it stops the cars, lets
 * people walk, and after that it gives the road back. It does not read the button while people walk,
 * but it remembers that it was pressed.
 *
 * What to notice: `response` is the shape of most properties that people want: whenever this, sooner
 * or later that. It needs --fair, because without it a run may consist of nothing but presses of
 * the button. `no_walk_unasked` has a weak until: it may well be that nobody ever asks.
 *
 * Expect: violated (response, cars_drive_again)
 * Try: whorl check --fair examples/traffic_light.pml
 */

mtype = { red, green };

mtype cars = green;
mtype people = red;
bool pressed;

active proctype controller() {
    do
    ::  pressed ->
        cars = red;
        people = green;
        pressed = false;
        people = red;
        cars = green
    od
}

active proctype button() {
    do
    :: pressed = true
    od
}

ltl safe { [] !(cars == green && people == green) } /* expect: holds */
ltl response { [] (pressed -> <> (people == green)) } /* expect: holds if fair */
ltl cars_drive_again { []<> (cars == green) } /* expect: holds if fair */
ltl no_walk_unasked { (people == red) W pressed } /* expect: holds */
