/* A directory cache protocol (MSI) for one line: N caches ask a directory, which keeps a set of
 * sharers and an owner, recalls the line or invalidates copies, and answers. At most one cache may
 * write, and then nobody else reads.
 *
 * Shape: buffered channels and arrays of them, bit sets, invariants.
 * Sizes: -DN=3, -DN=4, -DN=5, -DQ=2 and up (how many can ask at a time).
 */

#ifndef N
#define N 3
#endif
#ifndef Q
#define Q N
#endif

mtype = { get_shared, get_owned, put_owned, grant_shared, grant_owned, invalidate, recall, done };

chan ask = [Q] of { mtype, byte };    /* caches to the directory */
chan answer[N] = [1] of { mtype };    /* the directory to caches */
chan reply = [N] of { mtype, byte };  /* caches to the directory, while it waits */

byte readers, writers;

active [N] proctype cache()
{
invalid:
    do
    :: answer[_pid] ? invalidate -> reply ! done, _pid /* crossed with our own leaving */
    :: answer[_pid] ? recall -> reply ! done, _pid
    :: ask ! get_shared, _pid -> goto wait_shared
    :: ask ! get_owned, _pid -> goto wait_owned
    od;
wait_shared:
    do
    :: answer[_pid] ? invalidate -> reply ! done, _pid
    :: answer[_pid] ? recall -> reply ! done, _pid
    :: atomic { answer[_pid] ? grant_shared -> readers++; assert(writers == 0) }; goto shared
    od;
wait_owned:
    do
    :: answer[_pid] ? invalidate -> reply ! done, _pid
    :: answer[_pid] ? recall -> reply ! done, _pid
    :: atomic {
            answer[_pid] ? grant_owned ->
            writers++;
            assert(writers == 1 && readers == 0)
        };
        goto owned
    od;
shared:
    if
    :: atomic { answer[_pid] ? invalidate -> readers-- }; reply ! done, _pid
    :: readers-- /* dropped without a word: the directory does not know */
    fi;
    goto invalid;
owned:
    if
    :: atomic { answer[_pid] ? recall -> writers-- }; reply ! done, _pid
    :: atomic { nfull(ask) -> writers--; ask ! put_owned, _pid }
    fi;
    goto invalid
}

active proctype directory()
{
    byte sharers; /* a bit a cache */
    byte owner = N;
    byte who, other, i;
end:
    do
    :: ask ? put_owned, who ->
        if
        :: owner == who -> owner = N
        :: else
        fi
    :: ask ? get_shared, who ->
        if
        :: owner < N && owner != who ->
            answer[owner] ! recall;
            reply ? done, other;
            owner = N
        :: else -> owner = N
        fi;
        sharers = sharers | (1 << who);
        answer[who] ! grant_shared
    :: ask ? get_owned, who ->
        if
        :: owner < N && owner != who ->
            answer[owner] ! recall;
            reply ? done, other
        :: else
        fi;
        i = 0;
        do
        :: i < N && (sharers & (1 << i)) && i != who ->
            answer[i] ! invalidate;
            reply ? done, other;
            i++
        :: i < N && !((sharers & (1 << i)) && i != who) -> i++
        :: else -> break
        od;
        sharers = 0;
        owner = who;
        answer[who] ! grant_owned;
        other = 0;
        i = 0
    od
}
