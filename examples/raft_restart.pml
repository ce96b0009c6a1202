/*
 * Raft: the election of a leader, by servers that crash and restart.
 *
 * A server that does not hear of a leader stands for election in a new term, votes for itself and
 * asks the others for their votes. A server votes once in a term. Who has the votes of a majority
 * leads, and tells the others so. A message to a server whose queue is full is lost, and a crash
 * loses everything but what is on the server's disk: its term, and its vote in this term.
 *
 * What to notice: a server must have its vote on disk before it answers (Figure 2 of Ongaro and
 * Ousterhout's paper: "updated on stable storage before responding to RPCs"). Here it answers first, and writes when it likes. A server that crashes in between has forgotten its vote when
 * it is back, votes once more in the same term, and there are two leaders in it. With -DFIXED=1
 * it writes first.
 *
 * Votes are counted as a set of servers, so one that comes twice counts once.
 *
 * Expect: violated (assertion)
 * Expect with -DFIXED=1: holds
 * Try: whorl check -DFIXED=1 examples/raft_restart.pml
 */

#ifndef N
#define N 3
#endif
#ifndef TERMS
#define TERMS 1
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef FIXED
#define FIXED 0
#endif
#define NOBODY N
#define me _pid

mtype = { requestVote, vote, heartbeat };
mtype:role = { follower, candidate, leader };

chan net[N] = [1] of { mtype, byte, byte }; /* what, from whom, in which term */

typedef Stable {
    byte term;
    byte votedFor = NOBODY
};

Stable disk[N];
byte term[N];
byte votedFor[N] = NOBODY;
mtype:role role[N] = follower;
byte votes[N]; /* from whom, a bit each */
byte crashes;
byte leaderOf[TERMS + 1] = NOBODY; /* the first leader of each term */

#define votes_of(s) \
    ((votes[s] & 1) + (votes[s] >> 1 & 1) + (votes[s] >> 2 & 1) + (votes[s] >> 3 & 1) + \
     (votes[s] >> 4 & 1))

inline write_to_disk() {
    disk[me].term = term[me];
    disk[me].votedFor = votedFor[me]
}

/* A new term or vote. */
inline remember(t, whom) {
    term[me] = t;
    votedFor[me] = whom;
    if
    :: FIXED -> write_to_disk()
    :: else
    fi
}

/* What there is no room for is lost. */
inline send(to, kind) {
    if
    :: nfull(net[to]) -> net[to]!kind(me, term[me])
    :: else
    fi
}

inline broadcast(kind) {
    for (other : 0 .. N - 1) {
        if
        :: other != me -> send(other, kind)
        :: else
        fi
    }
    other = 0
}

inline stand() {
    role[me] = candidate;
    remember(term[me] + 1, me);
    votes[me] = 1 << me;
    broadcast(requestVote)
}

inline lead() {
    role[me] = leader;
    assert(leaderOf[term[me]] == NOBODY || leaderOf[term[me]] == me);
    leaderOf[term[me]] = me;
    broadcast(heartbeat)
}

/* Of a later term: who is behind goes there, and follows. */
inline observe() {
    if
    ::  t > term[me] ->
        role[me] = follower;
        votes[me] = 0;
        remember(t, NOBODY)
    ::  else
    fi
}

inline handle() {
    if
    ::  t == term[me] && what == requestVote && (votedFor[me] == NOBODY || votedFor[me] == from) ->
        remember(t, from);
        send(from, vote)
    ::  t == term[me] && what == vote && role[me] == candidate ->
        votes[me] = votes[me] | 1 << from;
        if
        :: votes_of(me) > N / 2 -> lead()
        :: else
        fi
    ::  t == term[me] && what == heartbeat -> role[me] = follower
    ::  else /* too late, or the vote is somebody else's */
    fi
}

/* Process k is server k. */
active [N] proctype server() {
    mtype what;
    byte from, t, other;

end:
    do
    ::  atomic {
            role[me] != leader && term[me] < TERMS ->
            stand()
        }
    ::  atomic {
            net[me]?what(from, t) ->
            observe();
            handle();
            what = 0;
            from = 0;
            t = 0
        }
    ::  atomic {
            disk[me].term != term[me] || disk[me].votedFor != votedFor[me] ->
            write_to_disk()
        }
    ::  atomic { /* crashes, and is back */
            crashes < CRASHES ->
            crashes++;
            term[me] = disk[me].term;
            votedFor[me] = disk[me].votedFor;
            role[me] = follower;
            votes[me] = 0
        }
    od
}
