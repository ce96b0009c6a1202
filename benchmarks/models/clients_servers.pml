/* N clients choose among N servers. A client puts its number into the queue of a server; then two
 * messages go each way: granted, an operand that the client decides on, and a result, or the refusal
 * to compute one. With N = 3 and N = 4 these are SC3 and SC4 of [NG98], Table 1, made anew from what
 * the paper says of them: n servers, n clients, two round trips, local steps.
 *
 * Shape: a channel each way between a client and a server; processes that mostly have one thing to do.
 * Sizes: -DN=2, -DN=3, -DN=4. -DBROKEN: a server may answer before it has the operand.
 */

#ifndef N
#define N 3
#endif
#if N < 2 || N > 4
#error "N is 2, 3 or 4"
#endif

#define me (_pid % N) /* the number of a client, and of a server */

mtype = { granted, operand, result, refused };

chan queue[N] = [1] of { byte };          /* clients to a server */
chan up[N * N] = [1] of { mtype, byte };  /* up[c * N + s]: client c to server s */
chan down[N * N] = [1] of { mtype, byte };/* down[c * N + s]: server s to client c */

inline request(s, to, from)
{
    queue[s] ! me;
    from ? granted, got;
    if
    :: atomic { to ! operand, 1; value = 1 }
    :: atomic { to ! operand, 2; value = 2 }
    fi;
    atomic {
        from ? answer, got;
        assert(answer == refused || answer == result && got == 2 * value);
        answer = 0; got = 0; value = 0
    }
}

active [N] proctype client()
{
    mtype answer;
    byte got, value;
    chan to0 = up[me * N];     xs to0; chan from0 = down[me * N];     xr from0;
    chan to1 = up[me * N + 1]; xs to1; chan from1 = down[me * N + 1]; xr from1;
#if N > 2
    chan to2 = up[me * N + 2]; xs to2; chan from2 = down[me * N + 2]; xr from2;
#endif
#if N > 3
    chan to3 = up[me * N + 3]; xs to3; chan from3 = down[me * N + 3]; xr from3;
#endif
end: do
    :: request(0, to0, from0)
    :: request(1, to1, from1)
#if N > 2
    :: request(2, to2, from2)
#endif
#if N > 3
    :: request(3, to3, from3)
#endif
    od
}

inline serve(to, from)
{
    to ! granted, 0;
#ifdef BROKEN
    if
    :: from ? operand, value
    :: skip
    fi;
#else
    from ? operand, value;
#endif
    if
    :: atomic { to ! result, 2 * value; who = 0; value = 0 }
    :: atomic { to ! refused, 0; who = 0; value = 0 }
    fi
}

active [N] proctype worker()
{
    byte who, value;
    chan mine = queue[me]; xr mine;
    chan from0 = up[me];         xr from0; chan to0 = down[me];         xs to0;
    chan from1 = up[N + me];     xr from1; chan to1 = down[N + me];     xs to1;
#if N > 2
    chan from2 = up[2 * N + me]; xr from2; chan to2 = down[2 * N + me]; xs to2;
#endif
#if N > 3
    chan from3 = up[3 * N + me]; xr from3; chan to3 = down[3 * N + me]; xs to3;
#endif
end: do
    :: mine ? who;
        if
        :: who == 0 -> serve(to0, from0)
        :: who == 1 -> serve(to1, from1)
#if N > 2
        :: who == 2 -> serve(to2, from2)
#endif
#if N > 3
        :: who == 3 -> serve(to3, from3)
#endif
        fi
    od
}
