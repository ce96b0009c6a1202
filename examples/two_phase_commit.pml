/*
 * Two-phase commit: all participants commit, or none does.
 *
 * The coordinator collects the votes and commits only if everybody voted yes. A participant that
 * votes no aborts at once; one that votes yes has to wait for the decision. A participant may crash
 * at any time, and a vote that never comes counts as a no.
 *
 * What to notice: `unless` lets a crash interrupt the participant at any statement. The coordinator
 * learns of a missing vote through `timeout`, which is true when nothing else in the model can
 * happen. A crashed participant decides nothing, so what is asserted is asserted of those that
 * decide: they agree, and they commit only if everybody was in favour.
 *
 * Expect: holds
 * Try: whorl check -DN=3 examples/two_phase_commit.pml
 */

#ifndef N
#define N 2
#endif

mtype = { yes, no, commit, abort };

chan votes = [N] of { mtype };
chan decision[N] = [1] of { mtype };

bool crashed[N];
byte in_favour, committed, aborted; /* for the assertions only */

inline decide(outcome) {
    atomic {
        if
        :: outcome == commit -> committed++; assert(in_favour == N)
        :: outcome == abort -> aborted++
        fi;
        assert(committed == 0 || aborted == 0)
    }
}

active [N] proctype participant() {
    mtype outcome;

    {
        if
        ::  atomic {
                votes!yes;
                in_favour++
            };
            decision[_pid]?outcome
        ::  votes!no;
            outcome = abort
        fi;
        decide(outcome)
    } unless {
        crashed[_pid]
    }
}

active proctype coordinator() {
    mtype vote;
    mtype outcome = commit;
    byte k;

    for (k : 1 .. N) {
        if
        ::  votes?vote ->
            if
            :: vote == no -> outcome = abort
            :: else
            fi
        ::  timeout ->
            outcome = abort;
            break
        fi
    }
    for (k : 0 .. N - 1) {
        decision[k]!outcome
    }
}

active proctype misfortune() {
    byte victim;

    if
    ::  select (victim : 0 .. N - 1);
        crashed[victim] = true
    ::  skip
    fi
}
