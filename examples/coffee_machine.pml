/*
 * A coffee machine, watched by a never claim.
 *
 * A customer puts in coins; two of them are the price of a coffee. The machine counts. Somebody may
 * push the button at any time, and coffee must come only when it is paid for.
 *
 * What to notice: the claim is a program that runs beside the model, a step of the claim before each
 * step of the model, and it looks for what must never happen. To come to the end of its body is to
 * have found it: a coffee that was not paid for. There is none. The other thing that a claim can
 * find is a run without end in which it is at an accept label again and again: here, one in which a
 * coffee is paid for and never comes. There is one: nobody pushes the button. A claim may guess: on
 * the second coin it goes both ways, to where coffee comes and to where it never does.
 *
 * Expect: violated (never)
 * Try: whorl check --claim never examples/coffee_machine.pml
 */

byte credit; /* coins */
byte cups; /* on the tray: 0 or 1 */

active proctype machine() {
    do
    ::  atomic { credit < 3 -> credit++ } /* a coin */
    ::  atomic { credit >= 2 && cups == 0 -> credit = credit - 2; cups = 1 } /* the button */
    ::  atomic { cups == 1 -> cups = 0 } /* the customer takes the cup */
    ::  credit >= 2 /* the customer reads the menu again */
    od
}

never { /* expect: violated */
wait:
    do
    :: credit < 2 && cups == 0
    :: credit < 2 && cups == 1 -> goto unpaid
    :: credit >= 2 -> goto paid
    :: credit >= 2 -> goto accept_no_coffee
    od;
accept_no_coffee:
    do
    :: cups == 0
    od;
paid:
    do
    :: cups == 0
    :: cups == 1 -> break
    od;
    do
    :: cups == 1
    :: cups == 0 && credit < 2 -> goto wait
    :: cups == 0 && credit >= 2 -> goto paid
    :: cups == 0 && credit >= 2 -> goto accept_no_coffee
    od;
unpaid:
    skip
}
