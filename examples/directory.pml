/*
 * A directory keeps caches coherent: MSI with three networks, as multiprocessors have it.
 *
 * A cache asks for what it lacks (GetS to read, GetM to write) and gives up what it has (PutM,
 * with the data). The directory knows who owns the line and who shares it. It answers from
 * memory, or forwards the request to the owner, who sends the data to whom it is for; and it
 * tells sharers to invalidate their copies, who acknowledge that to the new owner. Meanwhile
 * caches wait in transient states: IM is on the way from invalid to modified, MI on the way back.
 * The names are those of Nagarajan, Sorin, Hill and Wood, A Primer on Memory Consistency and
 * Cache Coherence, chapter 8.
 *
 * What to notice: a PutM can be late. The owner gives up the line while the directory forwards a
 * request of another cache to it. It answers that request, the other cache is the owner and
 * writes, and only then the old owner's PutM arrives, with old data. The directory must ask
 * whether it is from the owner. Here it does not, forgets the new owner, and hands out old data
 * from memory. With -DFIXED=1 a late PutM is acknowledged and otherwise ignored.
 *
 * `latest` is what a reader should see; the caches read it only to assert.
 *
 * Expect: violated (assertion)
 * Expect with -DFIXED=1: holds
 * Try: whorl check -DFIXED=1 examples/directory.pml
 */

#ifndef N
#define N 2
#endif
#ifndef FIXED
#define FIXED 0
#endif
#define DIRECTORY N
#define NOBODY N
#define me _pid

mtype = { GetS, GetM, PutM, FwdGetS, FwdGetM, Inv, PutAck, Data, InvAck };
mtype:state = { I, S, M, IS, IM, SM, MI, II };

/* Three networks, so that answers never wait behind requests. */
chan request = [N] of { mtype, byte, bit }; /* to the directory: what, from whom, data */
chan forward[N] = [2] of { mtype, byte }; /* to a cache: what, on whose behalf */
chan response[N + 1] = [N + 1] of { mtype, bit, byte }; /* data, acknowledgements to wait for */

mtype:state state[N] = I;
bit latest;

#define may_read(who) (state[who] == S || state[who] == SM || state[who] == M)
#define stalls(who) (state[who] == IS || state[who] == IM || state[who] == SM)

inline ask(what, next) {
    state[me] = next;
    request!what, me, value
}

/* A forwarded request, where it need not wait until an own one is through. */
inline obey(what) {
    if
    ::  what == Inv && (state[me] == S || state[me] == SM || state[me] == II) ->
        response[whom]!InvAck, 0, 0;
        if
        :: state[me] == S -> state[me] = I
        :: state[me] == SM -> state[me] = IM
        :: else
        fi
    ::  what == FwdGetS && (state[me] == M || state[me] == MI) ->
        response[whom]!Data, value, 0;
        response[DIRECTORY]!Data, value, 0;
        state[me] = (state[me] == M -> S : II)
    ::  what == FwdGetM && (state[me] == M || state[me] == MI) ->
        response[whom]!Data, value, 0;
        state[me] = (state[me] == M -> I : II)
    ::  what == PutAck && (state[me] == MI || state[me] == II) -> state[me] = I
    ::  else -> assert(false) /* nothing that can come here */
    fi;
    what = 0;
    whom = 0
}

/* Process k is cache k. */
active [N] proctype cache() {
    mtype what;
    byte whom, acks, k;
    short missing; /* acknowledgements that are still to come */
    bool arrived; /* whether the data is here */
    bit value, data;

    do
    ::  /* what the processor may do */
        atomic {
            may_read(me) -> assert(value == latest)
        }
    ::  atomic {
            state[me] == M ->
            for (k : 0 .. N - 1) {
                assert(k == me || !may_read(k))
            }
            k = 0;
            latest = 1 - latest;
            value = latest
        }
    ::  atomic { state[me] == I -> ask(GetS, IS) }
    ::  atomic { state[me] == I -> ask(GetM, IM) }
    ::  atomic { state[me] == S -> ask(GetM, SM) }
    ::  atomic { state[me] == M -> ask(PutM, MI) }
    ::  /* what arrives */
        atomic {
            !stalls(me) && nempty(forward[me]) ->
            forward[me]?what, whom;
            obey(what)
        }
    ::  atomic {
            state[me] == SM && forward[me]?[Inv, whom] ->
            forward[me]?what, whom;
            obey(what)
        }
    ::  atomic {
            response[me]?what, data, acks ->
            if
            ::  what == Data ->
                value = data;
                arrived = true;
                missing = missing + acks
            ::  what == InvAck -> missing--
            fi;
            if
            :: arrived && missing == 0 -> state[me] = (state[me] == IS -> S : M); arrived = false
            :: else
            fi;
            what = 0;
            data = 0;
            acks = 0
        }
    od
}

active proctype directory() {
    mtype what;
    byte owner = NOBODY, who, k, acks;
    bool shares[N];
    bit memory, data;

end:
    do
    ::  atomic {
            request?what, who, data ->
            if
            ::  what == GetS && owner == NOBODY ->
                shares[who] = true;
                response[who]!Data, memory, 0
            ::  what == GetS && owner != NOBODY ->
                forward[owner]!FwdGetS, who;
                shares[who] = true;
                shares[owner] = true;
                owner = NOBODY;
                response[DIRECTORY]?Data, memory, _
            ::  what == GetM && owner == NOBODY ->
                for (k : 0 .. N - 1) {
                    if
                    ::  k != who && shares[k] ->
                        forward[k]!Inv, who;
                        acks++
                    ::  else
                    fi;
                    shares[k] = false
                }
                k = 0;
                response[who]!Data, memory, acks;
                acks = 0;
                owner = who
            ::  what == GetM && owner != NOBODY ->
                forward[owner]!FwdGetM, who;
                owner = who
            ::  what == PutM ->
                if
                ::  owner == who || (owner != NOBODY && !FIXED) ->
                    memory = data;
                    owner = NOBODY
                ::  else -> shares[who] = false /* late */
                fi;
                forward[who]!PutAck, who
            fi;
            what = 0;
            who = 0;
            data = 0
        }
    od
}
