/* The invalidate protocol of a distributed shared memory: users may read copies of a line at the
 * same time, and one user alone may write it. The line's home knows who has copies: before one may
 * write, the other's copy is invalidated; before one may read, the writer gives the line back. A user
 * may also give a line back by itself, and that may cross the home's message. Two lines, each with
 * a home, and two users: Inv of [NG98], Table 1, made anew from what the paper says of it and from
 * what is commonly known of such protocols (Avalanche's text is not at hand).
 *
 * Shape: a channel each way between a home and a user; homes that mostly have one thing to do.
 * A user has at most one line asked for. `coherent`: where one may write, no other may read.
 * -DBROKEN: the home does not wait until the copy is invalidated.
 */

mtype = { read, write, grant, recall, put, drop };  /* put: as asked; drop: unasked */
mtype = { invalid, waiting, shared, owned };

chan up[4] = [1] of { mtype };    /* up[2 * line + user]: a user to the line's home */
chan down[4] = [1] of { mtype };  /* down[2 * line + user]: the home to a user */

/* What a user does with a line. A recall that crossed a drop comes when it has the line no more. */
inline use(to, from, state, wanted, other)
{
    if
    :: state == invalid && other != waiting -> state = waiting; wanted = shared; to ! read
    :: state == invalid && other != waiting -> state = waiting; wanted = owned; to ! write
    :: state == shared || state == owned -> state = invalid; to ! drop
    :: from ? grant -> atomic { assert(state == waiting); state = wanted; wanted = 0 }
    :: from ? recall ->
        if
        :: state == shared || state == owned -> state = invalid; to ! put
        :: else
        fi
    fi
}

active [2] proctype user()
{
    mtype first = invalid, second = invalid, wanted;
    chan to0 = up[_pid];       xs to0; chan from0 = down[_pid];       xr from0;
    chan to1 = up[2 + _pid];   xs to1; chan from1 = down[2 + _pid];   xr from1;
    do
    :: use(to0, from0, first, wanted, second)
    :: use(to1, from1, second, wanted, first)
    od
}

/* The copy of a user is taken back: it puts the line, or has dropped it before. */
inline take_back(copy, to, from)
{
    to ! recall;
    copy = invalid;
    if
    :: from ? put
    :: from ? drop
    fi
}

/* A user wants to read or to write, or gives its copy back. */
inline serve(mine, to, from, others, to_other, from_other)
{
    if
    :: from ? read ->
        assert(mine == invalid);
        if
        :: others == owned -> take_back(others, to_other, from_other)
        :: else
        fi;
        mine = shared;
        to ! grant
    :: from ? write ->
        assert(mine == invalid);
        if
#ifdef BROKEN
        :: others == shared -> to_other ! recall; others = invalid
        :: others == owned -> take_back(others, to_other, from_other)
#else
        :: others != invalid -> take_back(others, to_other, from_other)
#endif
        :: else
        fi;
        mine = owned;
        to ! grant
    :: from ? drop -> assert(mine != invalid); mine = invalid
    fi
}

#define line (_pid % 2)
active [2] proctype home()
{
    mtype copy0 = invalid, copy1 = invalid; /* what each user has */
    chan to0 = down[2 * line];      xs to0; chan from0 = up[2 * line];      xr from0;
    chan to1 = down[2 * line + 1];  xs to1; chan from1 = up[2 * line + 1];  xr from1;
end: do
    :: serve(copy0, to0, from0, copy1, to1, from1)
    :: serve(copy1, to1, from1, copy0, to0, from0)
    od
}

ltl coherent {
    [] (!(user[0]:first == owned && (user[1]:first == owned || user[1]:first == shared))
        && !(user[1]:first == owned && user[0]:first == shared)
        && !(user[0]:second == owned && (user[1]:second == owned || user[1]:second == shared))
        && !(user[1]:second == owned && user[0]:second == shared))
}
