/*
 * The public-key protocol of Needham and Schroeder, and a man in the middle.
 *
 *     1  A -> B  {na, A} for B       A makes up na
 *     2  B -> A  {na, nb} for A      who knows na can read what is for B: it is B
 *     3  A -> B  {nb} for B          who knows nb can read what is for A: it is A
 *
 * Alice begins a run with whom she likes, Bob answers, and each believes at the end to share na
 * and nb with the other one and nobody else. The network is the intruder Mallory (Dolev and Yao):
 * he gets every message, reads what is encrypted for him, and keeps the rest. He delivers what he
 * has kept, and what he can compose of the names and the nonces that he knows. He is a user like
 * others too: Alice may begin a run with him. Honest runs send three messages at most, so he can
 * keep all.
 *
 * What to notice: the protocol is of 1978. In 1995 Lowe saw that message 2 does not say who sent
 * it. When Alice talks to Mallory he plays Alice to Bob, and passes Bob's answer on to her; she
 * takes it for his, and decrypts nb for him. With -DFIXED=1 message 2 is {na, nb, B}, as Lowe
 * mended it.
 *
 * Expect: violated (bob_is_right, secret)
 * Expect with -DFIXED=1: holds
 * Try: whorl check -DFIXED=1 examples/needham_schroeder.pml
 */

#ifndef FIXED
#define FIXED 0
#endif

mtype = { msg1, msg2, msg3 };
mtype:user = { nobody, M, B, A };
mtype:nonce = { none, nm, nb, na };

#define SIZE 5 /* of what kinds of messages, users or nonces are the indices */

/* What honest users send, and what they get: kind, who can read it, two nonces, a name. */
chan sent = [0] of { mtype, mtype:user, mtype:nonce, mtype:nonce, mtype:user };
chan delivered = [0] of { mtype, mtype:user, mtype:nonce, mtype:nonce, mtype:user };

mtype awaits[SIZE]; /* the kind of message that a user waits for */
mtype:user partner[SIZE] = nobody; /* whom a user believes to talk to */
bool sure[SIZE]; /* and it is sure: its run is at the end */
bool known[SIZE]; /* nonces that Mallory knows */

/* Decrypts a message that is awaited; if it is not as it should be, it is thrown away. */
inline receive(me, what, right) {
    awaits[me] = what;
    do
    ::  atomic {
            delivered?eval(what), eval(me), n1, n2, who ->
            if
            :: right -> awaits[me] = 0; break
            :: else
            fi
        }
    od
}

active proctype alice() {
    mtype:nonce n1, n2;
    mtype:user who;

    if
    :: partner[A] = B
    :: partner[A] = M
    fi;
    sent!msg1(partner[A], na, none, A);
    receive(A, msg2, n1 == na && (!FIXED || who == partner[A]));
    atomic {
        sent!msg3(partner[A], n2, none, nobody);
        sure[A] = true
    }
}

typedef Cipher {
    mtype:user key;
    mtype:nonce n1, n2;
    mtype:user who
};

inline learn() {
    d_step {
        if
        ::  key == M ->
            known[n1] = true;
            known[n2] = true
        ::  else ->
            kept[kind].key = key;
            kept[kind].n1 = n1;
            kept[kind].n2 = n2;
            kept[kind].who = who
        fi
    }
}

#define may_replay(user) (awaits[user] != 0 && kept[awaits[user]].key == user)

inline replay() {
    if
    :: may_replay(A) -> key = A
    :: may_replay(B) -> key = B
    fi;
    kind = awaits[key];
    delivered!kind(key, kept[kind].n1, kept[kind].n2, kept[kind].who)
}

inline pick_nonce(nonce) {
    if
    :: nonce = nm
    :: known[na] -> nonce = na
    :: known[nb] -> nonce = nb
    fi
}

inline pick_user(user) {
    if
    :: user = A
    :: user = B
    :: user = M
    fi
}

inline compose() {
    if
    ::  awaits[A] == msg2 ->
        pick_nonce(n1);
        pick_nonce(n2);
        pick_user(who);
        delivered!msg2(A, n1, n2, who)
    ::  awaits[B] == msg1 ->
        pick_nonce(n1);
        pick_user(who);
        delivered!msg1(B, n1, none, who)
    ::  awaits[B] == msg3 ->
        pick_nonce(n1);
        delivered!msg3(B, n1, none, nobody)
    fi
}

/* The intruder. What he delivers is awaited: anything else would be thrown away. */
active proctype mallory() {
    Cipher kept[SIZE]; /* of each kind there is one message at most */
    mtype kind;
    mtype:user key, who;
    mtype:nonce n1, n2;

end:
    do
    :: atomic { sent?kind, key, n1, n2, who -> learn() }
    :: atomic { replay() }
    :: atomic { compose() }
    od
}

active proctype bob() {
    mtype:nonce n1, n2;
    mtype:user who;

    receive(B, msg1, who != B);
    partner[B] = who;
    sent!msg2(partner[B], n1, nb, (FIXED -> B : nobody));
    receive(B, msg3, n1 == nb);
    sure[B] = true
}

/* Who is sure to talk to the other one does so, and they share what nobody else knows. */
ltl alice_is_right { [] (sure[A] && partner[A] == B -> partner[B] == A) } /* expect: holds */
ltl bob_is_right { [] (sure[B] && partner[B] == A -> partner[A] == B) } /* expect: violated */
ltl secret { [] (sure[B] && partner[B] == A -> !known[nb]) } /* expect: violated */
