/*
 * Raft: servers elect a leader, and the leader replicates its log.
 *
 * A server that does not hear of a leader stands for election in a new term, and asks for votes. A
 * server votes once in a term, and only for a candidate whose log is not behind its own. Who has a
 * majority leads: it has an entry for its log, if the log is empty, and sends it to the others. An
 * entry that a majority has is committed. A message to a server whose queue is full is lost.
 * Server 1 is slow, and never stands itself; that keeps the model small.
 *
 * What to notice: a leader must not commit an entry of an earlier term by counting who has it
 * (section 5.4.2 of Ongaro and Ousterhout's paper). Here it does, and an entry that was committed is
 * overwritten by a leader that does not have it, as in Figure 8 of the paper. It takes four terms and
 * more than 300 steps: `--html raft.html` shows them in a browser, with the atomic sequences folded.
 * With -DFIXED=1 a leader commits entries of its own term only.
 *
 * Expect: violated (assertion)
 * Expect with -DFIXED=1: holds
 * Try: whorl check -DFIXED=1 examples/raft.pml
 */

#ifndef TERMS
#define TERMS 4
#endif
#ifndef FIXED
#define FIXED 0
#endif
#define N 3
#define NOBODY N

mtype = { requestVote, vote, append, appended };
mtype:role = { follower, candidate, leader };

chan net[N] = [1] of { mtype, byte, byte, byte }; /* what, from whom, in which term, an entry */

mtype:role role[N] = follower;
byte term[N];
byte votedFor[N] = NOBODY;
byte votes[N]; /* of a leader: whether it still has to send its entry */
byte entry[N]; /* the term of the only entry of the log; 0: the log is empty */
byte committed; /* the entry that was committed first; 0: none was */

/* A message of term t: who is behind it goes there, and follows. */
inline observe(t) {
    if
    :: t > term[me] ->
        term[me] = t;
        role[me] = follower;
        votedFor[me] = NOBODY;
        votes[me] = 0
    :: else
    fi
}

/* To all others, if they have room: what they have no room for is lost. */
inline broadcast(kind, e) {
    other = 0;
    do
    :: other < N ->
        if
        :: other != me && nfull(net[other]) -> net[other]!kind(me, term[me], e)
        :: else
        fi;
        other++
    :: else -> break
    od;
    other = 0
}

inline reply(kind, e) {
    if
    :: nfull(net[from]) -> net[from]!kind(me, term[me], e)
    :: else
    fi
}

inline commit(e) {
    assert(committed == 0 || committed == e);
    committed = e
}

inline stand() {
    term[me]++;
    role[me] = candidate;
    votedFor[me] = me;
    votes[me] = 1;
    broadcast(requestVote, entry[me])
}

inline lead() {
    role[me] = leader;
    if
    :: entry[me] == 0 -> entry[me] = term[me]
    :: else
    fi;
    votes[me] = 1
}

/* What to do with a message, in the term that the server is in now. */
inline handle() {
    if
    :: t < term[me] /* of an earlier term: ignored */
    :: t == term[me] && what == requestVote ->
        if
        :: a >= entry[me] && (votedFor[me] == NOBODY || votedFor[me] == from) ->
            votedFor[me] = from;
            reply(vote, 0)
        :: else
        fi
    :: t == term[me] && what == vote ->
        if
        :: role[me] == candidate ->
            votes[me]++;
            if
            :: votes[me] > N / 2 -> lead()
            :: else
            fi
        :: else
        fi
    :: t == term[me] && what == append ->
        role[me] = follower;
        entry[me] = a;
        reply(appended, a)
    :: t == term[me] && what == appended ->
        if
        :: role[me] == leader && a == entry[me] && (!FIXED || a == term[me]) -> commit(a)
        :: else
        fi
    fi
}

proctype server(byte me) {
    mtype what;
    byte from, t, a, other;

end:
    do
    ::  atomic {
            me != 1 && role[me] == follower && term[me] < TERMS ->
            stand()
        }
    ::  atomic {
            role[me] == leader && votes[me] > 0 ->
            votes[me] = 0;
            broadcast(append, entry[me])
        }
    ::  atomic {
            net[me]?what(from, t, a) ->
            observe(t);
            handle();
            what = 0;
            from = 0;
            t = 0;
            a = 0
        }
    od
}

init {
    atomic {
        run server(0);
        run server(1);
        run server(2)
    }
}
