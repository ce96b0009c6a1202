/* The migratory protocol of a distributed shared memory: a line has a home, which gives the one copy
 * of it to a user at a time. When another asks, the home takes it back first; a user may also give
 * it back by itself, and that may cross the home's message. Two lines, each with a home, and two
 * users: Mig of [NG98], Table 1, made anew from what the paper says of it and from what is commonly
 * known of such protocols (Avalanche's text is not at hand).
 *
 * Shape: a channel each way between a home and a user; homes that mostly have one thing to do.
 * A user has at most one line asked for. `coherent`: no line has two owners.
 * -DBROKEN: the home does not wait for the line before it gives it to another.
 */

mtype = { request, grant, recall, put, drop };  /* put: as asked; drop: unasked */
mtype = { invalid, waiting, valid };

chan up[4] = [1] of { mtype };    /* up[2 * line + user]: a user to the line's home */
chan down[4] = [1] of { mtype };  /* down[2 * line + user]: the home to a user */

/* What a user does with a line. A recall that crossed a drop comes when it has the line no more. */
inline use(line, to, from, state, other)
{
    if
    :: state == invalid && other != waiting -> to ! request; state = waiting
    :: state == valid -> state = invalid; to ! drop
    :: from ? grant -> assert(state == waiting); state = valid
    :: from ? recall ->
        if
        :: state == valid -> state = invalid; to ! put
        :: else
        fi
    fi
}

active [2] proctype user()
{
    mtype first = invalid, second = invalid;
    chan to0 = up[_pid];       xs to0; chan from0 = down[_pid];       xr from0;
    chan to1 = up[2 + _pid];   xs to1; chan from1 = down[2 + _pid];   xr from1;
    do
    :: use(0, to0, from0, first, second)
    :: use(1, to1, from1, second, first)
    od
}

/* A user asks; if the other has the line, that has to give it back first. */
inline ask(me, to, other, to_other, from_other)
{
    if
    :: owner == other ->
        to_other ! recall;
#ifndef BROKEN
        if
        :: from_other ? put
        :: from_other ? drop
        fi
#endif
    :: else
    fi;
    owner = me;
    to ! grant
}

#define line (_pid % 2)
active [2] proctype home()
{
    byte owner = 2; /* 2: the line is here */
    chan to0 = down[2 * line];      xs to0; chan from0 = up[2 * line];      xr from0;
    chan to1 = down[2 * line + 1];  xs to1; chan from1 = up[2 * line + 1];  xr from1;
end: do
    :: from0 ? request -> assert(owner != 0); ask(0, to0, 1, to1, from1)
    :: from1 ? request -> assert(owner != 1); ask(1, to1, 0, to0, from0)
    :: from0 ? drop -> assert(owner == 0); owner = 2
    :: from1 ? drop -> assert(owner == 1); owner = 2
    od
}

ltl coherent {
    [] (!(user[0]:first == valid && user[1]:first == valid)
        && !(user[0]:second == valid && user[1]:second == valid))
}
