"""Models in which steps fault or fail, for tests that compare engines."""

from __future__ import annotations

# d_steps that answer an offer.
HANDSHAKES = {
    "answers: by the second receive": """
        chan a=[0] of {byte}; chan b=[0] of {byte}; byte x; active proctype S(){ b!5 } active
        proctype R(){ byte v; d_step { if :: a?v -> x=1 :: b?v -> x=2 fi; assert(x!=2) } }""",
    "answers: by one of two": """
        chan a=[0] of {byte}; chan b=[0] of {byte}; byte x; active proctype S(){ b!5 } active
        proctype T() { a!3 } active proctype R(){ byte v; do :: d_step { if :: a?v -> x=v ::
        b?v -> x=v+1 fi; v = 0 } od }""",
    "answers: by patterns": """
        chan a=[0] of {byte,byte}; byte x; active proctype S(){ a!1,5; a!2,6; a!3,7 } active
        proctype R(){ byte v; do :: d_step { if :: a?1,v -> x=v :: a?2,v -> x=v+10 fi; v = 0 }
        od }""",
    "answers: with a plain guard in front": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!1; x = 1; a!2 } active proctype
        R(){ byte v; do :: d_step { if :: x == 1 -> x = 2 :: a?v -> x=v fi; v = 0 } od }""",
    "answers: with else behind": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!1 } active proctype R(){ byte v;
        d_step { if :: a?v -> x=v :: else -> x = 7 fi; v = 0 } }""",
    "answers: with else in front": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!1 } active proctype R(){ byte v;
        d_step { if :: else -> x = 7 :: a?v -> x=v fi; v = 0 } }""",
    "answers: with eval": """
        chan a=[0] of {byte,byte}; byte x, w=3; active proctype S(){ if :: a!3,1 :: a!4,2 fi }
        active proctype R(){ byte v; d_step { if :: a?eval(w),v -> x=v :: a?4,v -> x=v+4 fi; v
        = 0 } }""",
    "answers: with an eval that faults": """
        chan a=[0] of {byte,byte}; byte x, w[2], i=5; active proctype S(){ if :: a!3,1 ::
        a!4,2 fi } active proctype R(){ byte v; d_step { if :: a?eval(w[i]),v -> x=v :: a?4,v
        -> x=v+4 fi; v = 0 } }""",
    "answers: with the wrong count": """
        chan a=[0] of {byte,byte}; chan q; byte x; active proctype S(){ a!3,1 } active
        proctype R(){ byte v; q = a; d_step { if :: q?v -> x=v :: q?v,_ -> x=v+4 fi; v = 0 } }""",
    "answers: by a copy": """
        chan a=[0] of {byte}; chan q; byte x; active proctype S(){ a!3 } active proctype R(){
        byte v; q = a; d_step { if :: q?<v> -> x=v :: q?v -> x=v+4 fi; v = 0 } }""",
    "answers: in a loop": """
        chan a=[0] of {byte}; chan b=[0] of {byte}; byte x; active proctype S(){ b!5; a!2 }
        active proctype R(){ byte v, n; again: d_step { n = 0; do :: n == 0 -> n++ :: n == 1
        -> break od }; d_step { do :: a?v -> x=1; break :: b?v -> x=2; break od }; goto again
        }""",
    "answers: in nested d_steps": """
        chan a=[0] of {byte}; chan b=[0] of {byte}; byte x; active proctype S(){ b!5; a!2 }
        active proctype R(){ byte v; do :: d_step { if :: d_step { a?v; x = 1 } :: d_step {
        b?v; x = 2 } fi; v = 0 } od }""",
    "answers: in a block of its own": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!5; a!2 } active proctype R(){
        byte v; do :: d_step { d_step { a?v; x = v }; v = 0; x++ } od }""",
    "answers: in an atomic": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!5; a!2 } active proctype R(){
        byte v; do :: d_step { atomic { a?v; x = v }; v = 0; x++ } od }""",
    "answers: a fault behind": """
        chan a=[0] of {byte}; byte x, w[3]; active proctype S(){ a!5; a!2 } active proctype
        R(){ byte v; do :: d_step { if :: a?2 -> x = 1 :: a?v -> w[v] = 1 fi; v = 0; x++ } od
        }""",
    "answers: blocks behind": """
        chan a=[0] of {byte}; byte x, w[3]; active proctype S(){ a!5; a!2 } active proctype
        R(){ byte v; do :: d_step { if :: a?2 -> x = 1 :: a?v -> x == 7 fi; v = 0; x++ } od }""",
    "answers: an index that the message sets": """
        chan a=[0] of {byte,byte}; byte x, w[3]; active proctype S(){ a!1,5; a!7,2 } active
        proctype R(){ byte v; do :: d_step { if :: a?v,w[v] -> x = w[1] :: a?_,5 -> skip fi; v
        = 0 } od }""",
    "answers: in an array of channels": """
        chan a[2]=[0] of {byte}; byte x, i; active proctype S(){ a[1]!5; a[0]!2 } active
        proctype R(){ byte v; do :: d_step { if :: a[i]?v -> x = 1 :: a[1-i]?v -> x = 2 fi; v
        = 0; i = 1 - i } od }""",
    "answers: in an array of channels out of bounds": """
        chan a[2]=[0] of {byte}; byte x, i = 3; active proctype S(){ a[1]!5 } active proctype
        R(){ byte v; do :: d_step { if :: a[i]?v -> x = 1 :: a[1]?v -> x = 2 fi; v = 0 } od }""",
    "answers: with skip in front": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!5 } active proctype R(){ byte v;
        d_step { if :: skip -> x = 1 :: a?v -> x = 2 fi; v = 0 } }""",
    "answers: with an assignment in front": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!5 } active proctype R(){ byte v;
        d_step { if :: x = 1 :: a?v -> x = 2 fi; v = 0 } }""",
    "answers: beside a buffered receive": """
        chan a=[0] of {byte}; chan b=[1] of {byte}; byte x; active proctype S(){ a!5; b!1; a!2
        } active proctype R(){ byte v; do :: d_step { if :: b?v -> x = 1 :: a?v -> x = 2 fi; v
        = 0 } od }""",
    "answers: beside a send": """
        chan a=[0] of {byte}; chan b=[1] of {byte}; byte x; active proctype S(){ a!5; a!2 }
        active proctype R(){ byte v; do :: d_step { if :: b!1 -> x = 1 :: a?v -> x = 2 fi; v =
        0 } od }""",
    "answers: twice in a row": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!5; a!2 } active proctype R(){
        byte v; d_step { a?v; a?v; x = 1 } }""",
    "answers: under an unless": """
        chan a=[0] of {byte}; chan b=[0] of {byte}; byte x; active proctype S(){ b!5 } active
        proctype R(){ byte v; { d_step { if :: a?v :: b?v fi; x = 1 } } unless { b?7 -> x = 3
        } }""",
    "answers: assertions and then blocks": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!5 } active proctype R(){ byte v;
        d_step { if :: a?v -> assert(v == 2); x = 1; assert(x == 3); x == 5 fi } }""",
    "answers: a channel that was sent": """
        chan a=[0] of {chan}; chan b=[0] of {byte}; byte x; active proctype S(){ a!b } active
        proctype T(){ b!4 } active proctype R(){ chan q; byte v; q = b; do :: d_step { if ::
        a?q -> x = 1 :: q?v -> x = v fi; v = 0 } od }""",
    "answers: in a labelled loop": """
        chan a=[0] of {byte}; chan b=[0] of {byte}; byte x; active proctype S(){ b!5; a!2 }
        active proctype R(){ byte v; d_step { L: do :: a?v -> x = 2; break :: b?v -> x = 3;
        break od } ; x = 9}""",
    "answers: and goes back to its beginning": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!2 } active proctype R(){ byte v;
        d_step { L: if :: a?v -> x = 2; goto L :: x == 2 -> x = 4 :: else -> x = 5 fi } ; x =
        9}""",
    "answers: in nested selections": """
        chan a=[0] of {byte}; chan b=[0] of {byte}; byte x; active proctype S(){ b!5; a!2 }
        active proctype R(){ byte v; do :: d_step { if :: if :: a?v -> x = 2 :: x == 40 fi ::
        if :: b?v -> x = 3 fi fi } od }""",
    "answers: or a timeout": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!2 } active proctype R(){ byte v;
        do :: d_step { if :: a?v -> x = 2 :: timeout -> x = 3; skip fi } od }""",
    "answers: a random receive": """
        chan a=[0] of {byte}; byte x; active proctype S(){ a!2 } active proctype R(){ byte v;
        d_step { if :: a??1 -> x = 3 :: a??v -> x = v fi } }""",
    "answers: with several types of messages": """
        chan a=[0] of {byte}; chan b=[0] of {byte, byte}; chan q; byte x; active proctype S(){
        if :: a!1 :: b!1,2 fi } active proctype R(){ byte v, w; if :: q = a :: q = b fi;
        d_step { if :: q?v,w -> x = 2 :: q?v -> x = 1 fi } }""",
}

# Faults in what decides whether a process may move.
PROVIDED = {
    "provided: an index": """
        byte a[2], i = 2, x; active proctype P() provided (a[i] == 0) { x = 1; x = 2 } active
        proctype Q() { i = 1; i = 3 }""",
    "provided: a division": """
        byte z, x; active proctype P() provided (1 / z == 1) { x = 1; x = 2 } active proctype
        Q() { z = 1; z = 0 }""",
    "provided: enabled of itself": """
        byte x; active proctype P() provided (enabled(0)) { x = 1 } active proctype Q() { x =
        2 }""",
    "provided: by enabled of another": """
        byte x; active proctype P() provided (enabled(1)) { x = 1 } active proctype Q() { x =
        2; x == 5 }""",
    "provided: enabled of one that faults": """
        byte x, a[2], i = 4; active proctype P() provided (enabled(1)) { x = 1 } active
        proctype Q() { a[i] == 1; x = 7 } active proctype T() { i = 1 }""",
    "provided: a channel": """
        chan q; chan c = [1] of {byte}; byte x; active proctype P() provided (len(q) == 0) { x
        = 1 } active proctype Q() { q = c; c!1 }""",
    "provided: of a receiver": """
        chan c = [0] of {byte}; byte a[2], i, x; active proctype S() { c!1; x = 3 } active
        proctype R() provided (a[i] == 0) { c?_; x = 1 } active proctype Q() { i = 2 ; i = 0}""",
    "provided: of somebody else in a handshake": """
        chan c = [0] of {byte}; byte a[2], i, x; active proctype S() { c!1; x = 3 } active
        proctype R() { c?_; x = 1 } active proctype Q() provided (a[i] == 0) { x = 9; x = 10 }
        active proctype Z() { i = 2; i = 0 }""",
    "provided: in an atomic": """
        byte a[2], i, x; active proctype P() provided (a[i] == 0) { atomic { x = 1; i = 2; x =
        2; i = 0 } } active proctype Q() { x = 3 }""",
    "provided: at the end": """
        byte a[2], i, x; active proctype P() provided (a[i] == 0) { x = 1 } active proctype
        Q() { i = 2 ; x == 1}""",
    "provided: a guard of one with priority": """
        byte x, a[2], i = 4; active proctype P() priority 1 { x = 1 } active proctype Q()
        priority 2 { a[i] == 1; x = 7 } active proctype T() priority 3 { i = 4; x = 2 }""",
    "provided: of one with priority": """
        byte x, a[2], i = 4; active proctype P() priority 1 { x = 1 } active proctype Q()
        priority 2 provided (a[i] == 0) { x = 7 } active proctype T() priority 2 { i = 1; x =
        2; i = 0 }""",
    "provided: before an else": """
        byte x, a[2], i = 4; active proctype P() provided (a[i] == 0) { if :: x == 1 :: else
        -> x = 2 fi } active proctype T() { i = 1; x = 2; i = 0 }""",
    "provided: but for a timeout": """
        byte x, a[2], i = 4; active proctype P() provided (timeout || a[i] == 0) { x = 2 }
        active proctype T() { i = 1; x = 2; i = 5 }""",
    "provided: nothing is evaluated in vain": """
        byte x, a[2], i = 4; active proctype P() provided (i > 1 || a[i] == 0) { x = 2 }
        active proctype T() { i = 1; x = 2; i = 5 }""",
    "provided: while a message is offered": """
        chan c = [0] of {byte}; byte a[2], x; active proctype S() { c!1; x = 3 } active
        proctype R() provided (a[2 * len(c)] == 0) { c?_; x = 1 }""",
    "provided: by a location": """
        byte a[2], x; active proctype S() { x = 1; L: x = 3 } active proctype R() provided
        (a[2 * S@L] == 0) { x = 8 }""",
    "provided: enabled asks enabled": """
        byte x; active proctype P() { enabled(1) -> x = 1 } active proctype Q() { enabled(0)
        -> x = 2 }""",
    "provided: enabled at a run": """
        byte x; active proctype P() { enabled(1) -> x = 1 } active proctype Q() { run R(); x =
        2 } proctype R() { x = 3 }""",
    "provided: enabled at a d_step": """
        byte x, a[2], i = 3; active proctype P() { enabled(1) -> x = 1 } active proctype Q() {
        d_step { a[i] == 0; x = 2 } } active proctype T() { i = 0 }""",
    "provided: enabled at a rendezvous receive": """
        chan c = [0] of {byte}; byte x, a[2], i = 3; active proctype P() { enabled(1) -> x = 1
        } active proctype Q() { c?eval(a[i]); x = 2 } active proctype T() { i = 0; c!0 }""",
    "provided: a priority out of range": """
        byte x; active proctype P() priority 5 { set_priority(_pid, 300); x = 1 } active
        proctype Q() { set_priority(0, x - 1); x = 2 }""",
}

# Events that a trace assertion does not allow.
TRACES = {
    "traces: nobody answers": """
        chan c = [0] of {byte}; byte x; trace { c!1; c!2 } active proctype S() { c!3 } active
        proctype Q() { x = 1; x = 2 }""",
    "traces: two may answer": """
        chan c = [0] of {byte}; byte x; trace { c!1; c!2 } active proctype S() { c!3; x = 1 }
        active [2] proctype R() { c?_; x = 2 }""",
    "traces: nobody answers, and another option": """
        chan c = [0] of {byte}; byte x; trace { c!1; c!2 } active proctype S() { if :: c!3 ::
        x = 1 fi; x = 2; assert(x == 1) } active proctype R() { x == 5; c?_ }""",
    "traces: notrace and nobody answers": """
        chan c = [0] of {byte}; byte x; notrace { c!3 } active proctype S() { if :: c!3 :: x =
        1 fi; x = 2; assert(x == 2) } active proctype R() { x == 5; c?_ }""",
    "traces: a receive": """
        chan c = [0] of {byte}; byte x; trace { c?1; c?2 } active proctype S() { c!3; x = 1 }
        active [2] proctype R() { c?_; x = 2 }""",
    "traces: a receive in a d_step": """
        chan c = [0] of {byte}; byte x; trace { c?1; c?2 } active proctype S() { c!3; x = 1 }
        active proctype R() { d_step { c?_; x = 2 } }""",
    "traces: receives in d_steps": """
        chan c = [0] of {byte}; byte x; trace { c?1; c?2 } active proctype S() { c!1; c!2; x =
        1 } active proctype R() { byte v; do :: d_step { c?v; x = 2; v = 0 } od }""",
    "traces: a send and a fault": """
        chan c = [0] of {byte}; byte x, a[2]; trace { c!1 } active proctype S() { c!3; x = 1 }
        active proctype R() { byte v; c?a[x + 3] }""",
    "traces: a send and its receive": """
        chan c = [0] of {byte}; byte x, a[2]; trace { do :: c!1 :: c?1 od } active proctype
        S() { c!3; x = 1 } active proctype R() { byte v; c?v }""",
    "traces: a buffered channel": """
        chan c = [1] of {byte}; byte x, a[2]; trace { do :: c!1 :: c?1 od } active proctype
        S() { c!3; x = 1 } active proctype R() { byte v; c?a[x+7] }""",
    "traces: several in a d_step": """
        chan c = [3] of {byte}; byte x, a[2]; trace { do :: c!1 :: c?1 od } active proctype
        S() { d_step { c!1; c!3; assert(x == 1); a[x + 4] = 2 } }""",
    "traces: a rendezvous send in a d_step": """
        chan c = [0] of {byte}; byte x, a[2]; trace { do :: c!1 od } active proctype S() {
        d_step { x = 1; c!3; x = 2 } }""",
    "traces: the wrong count": """
        chan c = [0] of {byte}; chan q; byte x; trace { do :: c!1 od } active proctype S() { q
        = c; q!3,4; x = 2 } active proctype R() { c?_ }""",
    "traces: another send is answered": """
        chan c = [0] of {byte}; chan d = [0] of {byte}; byte x; trace { do :: c!1 od } active
        proctype S() { if :: c!3 :: d!4 fi; x = 2 } active proctype R() { d?_ }""",
}

# Several things that fail in one step.
FAILURES = {
    "failures: an assertion, then it blocks": """
        byte x; active proctype P() { d_step { skip; assert(x == 1); x == 5 } }""",
    "failures: two assertions": """
        byte x; active proctype P() { d_step { skip; assert(x == 1); assert(x == 2); x = 1;
        assert(x == 1) } }""",
    "failures: an assertion, then an index": """
        byte x, a[2]; active proctype P() { d_step { assert(x == 1); a[x + 2] = 1 } }""",
    "failures: an assertion that faults": """
        byte x, a[2]; active proctype P() { assert(a[x + 2] == 1) }""",
    "failures: nothing behind a fault": """
        byte x, a[2]; active proctype P() { d_step { assert(x == 0); assert(a[x + 2] == 1);
        assert(x == 9) } }""",
    "failures: in a loop": """
        byte x, i; active proctype P() { d_step { do :: i < 5 -> assert(i != 2); assert(x !=
        1); i++ :: else -> break od; i = 0 } }""",
    "failures: the same text twice": """
        byte x; active proctype P() { d_step { assert(x == 1); x = 2; assert(x == 1) } }""",
    "failures: in a handshake": """
        chan c = [0] of {byte}; byte x; active proctype P() { c!1 } active proctype Q() {
        d_step { c?_; assert(x == 1); assert(x == 2); x == 5 } }""",
    "failures: in an atomic": """
        byte x; active proctype P() { atomic { assert(x == 1); assert(x == 2); x == 5 } }""",
    "failures: a d_step that does not end": """
        byte x; active proctype P() { d_step { assert(x == 1); do :: x = 0 :: x == 1 -> break
        od } }""",
    "failures: a value to send in a d_step": """
        chan c = [0] of {byte}; byte x, a[2]; active proctype P() { d_step { assert(x == 1);
        c!a[x + 3] } } active proctype R() { c?_ }""",
    "failures: the wrong count in a d_step": """
        chan c = [0] of {byte}; chan q; byte x; active proctype P() { q = c; d_step { assert(x
        == 1); q!1,2 } } active proctype R() { c?_ }""",
}

# Statements behind a fault, merged or not.
REACHED = {
    "reached: behind a fault": """
        byte a[2], i = 2; active proctype P() { byte x; a[i] = 1; x = 1; x = 2; x = 3 }""",
    "reached: behind a fault that comes and goes": """
        byte a[2], i = 2; active proctype P() { byte x; a[i] = 1; x = 1; x = 2; x = 3 } active
        proctype Q() { i = 1 }""",
    "reached: behind an assertion that faults": """
        byte a[2], i = 2; active proctype P() { byte x; assert(a[i] == 1); x = 1; x = 2; x = 3
        }""",
    "reached: behind a handshake": """
        chan c = [0] of {byte}; byte a[2], i = 2; active proctype S() { c!7 } active proctype
        P() { byte x; c?a[i]; x = 1; x = 2; x = 3 }""",
    "reached: behind a receive": """
        chan c = [1] of {byte}; byte a[2], i = 2; active proctype S() { byte y; c!7; y = 1; y
        = 2 } active proctype P() { byte x; c?a[i]; x = 1; x = 2; x = 3 }""",
    "reached: behind a d_step": """
        byte a[2], i = 2; active proctype P() { byte x; d_step { a[i] = 1; x = 5 }; x = 1; x =
        2; x = 3 }""",
}

# The order of evaluation, and every place where an expression may fault.
ORDER = {
    "order: div of index by div": """
        byte a[2], i = 5, z; int x; init { x = a[i] / (1 / z) }""",
    "order: div by index": """
        byte a[2], i = 5, z; int x; init { x = (1 / z) / a[i] }""",
    "order: sum": """
        byte a[2], i = 5, z; int x; init { x = (1 / z) + a[i] }""",
    "order: sum2": """
        byte a[2], i = 5, z; int x; init { x = a[i] + (1 / z) }""",
    "order: store": """
        byte a[2], i = 5, z; init { a[i] = 1 / z }""",
    "order: store2": """
        byte a[2], i = 5, z, b[2]; init { b[1 / z] = a[i] }""",
    "order: send": """
        byte a[2], i = 5, z; chan c = [2] of {byte,byte}; init { c!1/z,a[i] }""",
    "order: send2": """
        byte a[2], i = 5, z; chan c = [2] of {byte,byte}; init { c!a[i],1/z }""",
    "order: run": """
        byte a[2], i = 5, z; proctype P(byte x; byte y) { skip } init { run P(a[i], 1 / z) }""",
    "order: run2": """
        byte a[2], i = 5, z; proctype P(byte x; byte y) { skip } init { run P(1/z, a[i]) }""",
    "order: shift": """
        byte a[2], i = 5, z; int x; init { x = a[i] << (1 / z) }""",
    "order: two dims": """
        typedef T { byte b[2] } T a[2]; byte i = 5, z; int x; init { x = a[1 / z].b[i] }""",
    "order: two dims 2": """
        typedef T { byte b[2] } T a[2]; byte i = 5, z; int x; init { x = a[i].b[1/z] }""",
    "order: receive values": """
        byte a[2], i = 5, z; chan c = [2] of {byte,byte}; init { c!1,1; c?eval(a[i]),eval(1/z)
        }""",
    "order: receive values 2": """
        byte a[2], i = 5, z; chan c = [2] of {byte,byte}; init { c!1,1; c?eval(1/z),eval(a[i])
        }""",
    "order: printf": """
        byte a[2], i = 5, z; init { printf("%d %d", 1 / z, a[i]) }""",
    "order: set_priority": """
        byte a[2], i = 5, z; init { set_priority(1 / z, a[i]) }""",
    "order: channel and arg": """
        byte a[2], i = 5, z; chan c[2] = [2] of {byte}; init { c[i]!1/z }""",
    "order: remote": """
        byte z; active proctype P() { byte z1; P[1/z]:z1 == 0 }""",
    "order: compare": """
        byte a[2], i = 5, z; init { a[i] < 1 / z }""",
    "order: bitor": """
        byte a[2], i = 5, z; init { (a[i] | (1 / z)) }""",
    "order: and": """
        byte a[2], i = 5, z; init { if :: z && a[i] -> skip :: z || i == 5 || a[i] -> z = 1
        fi; 1 / z; a[i] && 1 / (z - 1) }""",
    "order: cond": """
        byte a[2], i = 5, z, x; init { x = (i == 5 -> 3 : a[i]); x = (z -> a[i] : 4); x =
        (a[i] -> 1 / z : 2) }""",
    "order: poll": """
        byte a[2], i = 5, z; chan c = [2] of {byte,byte}; init { c?[eval(1/z),eval(a[i])] }""",
    "order: poll gone": """
        byte a[2], i = 5, z; chan c; init { c?[eval(1/z)] }""",
    "order: receive gone": """
        byte a[2], i = 5, z; chan c; init { c?eval(1/z) }""",
    "order: dynamic rendezvous eval": """
        byte a[2], i = 5, z; chan r = [0] of {byte}; chan c; init { c = r; if :: c?eval(1/z)
        :: z = 2 fi }""",
    "order: send full": """
        byte z; chan c = [1] of {byte}; init { c!1; if :: c!1/z :: z = 1 fi }""",
    "order: send wrong count full": """
        byte z; chan r = [1] of {byte}; chan c; init { c = r; c!1; if :: c!1,2 :: z = 1 fi }""",
    "order: sorted faults": """
        byte z; chan c = [2] of {byte,byte}; init { c!!3,1; c!!1/z,2 }""",
    "order: random recv": """
        byte z, v; chan c = [2] of {byte,byte}; init { c!!3,1; c??eval(1/z),v }""",
    "order: recv into own index": """
        byte v = 5, a[3]; chan c = [2] of {byte,byte}; init { c!1,7; c?v,a[v]; assert(a[1] ==
        7) }""",
    "order: recv into own index rv": """
        byte v = 5, a[3]; chan c = [0] of {byte,byte}; active proctype S() { c!1,7 } active
        proctype R() { c?v,a[v]; assert(a[1] == 7) }""",
    "order: underscore": """
        byte v; chan c = [2] of {byte,byte}; init { _ = 3; c!1,7; c?_,v; assert(v == 7); _ = 1
        / (v - 7) }""",
    "order: underscore recv fault": """
        byte v, a[2]; chan c = [2] of {byte,byte}; init { c!1,7; c?_,a[v + 2] }""",
    "order: else beside fault": """
        byte a[2], i = 4, x; init { if :: a[i] == 1 -> x = 1 :: else -> x = 2 fi }""",
    "order: else before fault": """
        byte a[2], i = 4, x; init { if :: else -> x = 2 :: a[i] == 1 -> x = 1 fi }""",
    "order: unless fault in escape": """
        byte a[2], i = 4, x; active proctype P() { { x = 1; x = 2 } unless { a[i] == 1 -> x =
        3 } } active proctype Q() { i = 1; a[1] = 1 }""",
    "order: unless escape with rv fault": """
        chan c = [0] of {byte}; byte a[2], i = 4, x; active proctype P() { { c?_; x = 2 }
        unless { c?a[i] -> x = 3 } } active proctype Q() { c!1 } active proctype T() { i = 0 }""",
    "order: remote dead": """
        byte x; proctype P() { byte y = 3; x = 1; y = 4 } init { byte p; p = run P(); x == 1;
        x = 2; P[p]:y == 4; x = 5; P[p]:y == 0; x = 6 }""",
    "order: remote wrong type": """
        byte x; proctype P() { byte y = 3; x = 1; y = 4 } proctype Q() { x = 7 } init { byte
        p; if :: p = run P() :: p = run Q() fi; P[p]:y == 4; x = 5 }""",
    "order: remote index": """
        byte x; active proctype P() { byte y[2]; L: x = 1 } active proctype Q() { x = P[0]@L }""",
    "order: chan gone": """
        chan q; byte x; proctype P() { chan c = [1] of {byte}; q = c; x == 1 } init { run P();
        q != 0; x = 1; if :: q!1 :: q?_ :: len(q) == 1 :: x = 4 fi }""",
    "order: run in a d_step": """
        byte x; proctype P() { x++ } init { d_step { run P(); x = 1; run P() }; x = 3 }""",
    "order: run as the guard of a d_step": """
        byte x; proctype P(byte n) { x = x + n } active proctype Q() { d_step { if :: run P(3)
        -> x = 1 fi }; x = 3 }""",
    "order: d_step nested deep": """
        byte x; active proctype Q() { d_step { d_step { x = 1; d_step { x = 2; x == 2 } };
        assert(x == 1); x == 3 } }""",
    "order: d_step nested middle": """
        byte x; active proctype Q() { d_step { x = 1; d_step { x == 1; x = 2 }; if :: d_step {
        x == 5; x = 7 } :: d_step { x == 2; x = 3 } fi; x = 4 } }""",
    "order: atomic in d_step": """
        byte x; active proctype Q() { d_step { x = 1; atomic { x == 1; x = 2 }; if :: atomic {
        x == 5; x = 7 } :: atomic { x == 2; x = 3 } fi; x = 4 } }""",
    "order: int min": """
        int x = -2147483648, y = -1; init { x = x / y; x = x % y; assert(x == 0) }""",
    "order: negative index": """
        byte a[3]; int i = -1; init { a[i] = 2 }""",
    "order: dstep send full": """
        chan c = [1] of {byte}; byte x; init { d_step { c!1; x = 1; c!2 } }""",
    "order: enabled d_step rv": """
        chan c = [0] of {byte}; byte x; active proctype P() { enabled(1) -> x = 1 } active
        proctype Q() { d_step { c?_; x = 2 } } active proctype T() { enabled(1); c!0 }""",
    "order: len of rv eval": """
        chan c = [0] of {byte}; byte x; active proctype P() { c!1; x = 1 } active proctype Q()
        { c?eval(len(c)); x = 2 }""",
    "order: rv full/empty": """
        chan c = [0] of {byte}; byte x; init { if :: full(c) -> x = 1 :: empty(c) -> x = 2 fi;
        if :: nfull(c) -> x = 3 :: nempty(c) -> x = 4 fi }""",
    "order: answer eval faults": """
        chan c = [0] of {byte, byte}; byte x, a[2], i = 3; active proctype P() { c!1,2; x = 1
        } active proctype Q() { c?eval(a[i]),_; x = 2 } active proctype T() { i = 0; a[0] = 1
        }""",
    "order: answer later pattern faults": """
        chan c = [0] of {byte, byte}; byte x, a[2], i = 3; active proctype P() { c!1,2; x = 1
        } active proctype Q() { c?7,eval(a[i]); x = 2 } active proctype T() { i = 0; a[0] = 1
        }""",
    "order: copy answer mismatch": """
        chan c = [0] of {byte}; chan q; byte x; active proctype P() { c!1; x = 1 } active
        proctype Q() { q = c; q?<7>; x = 2 }""",
    "order: answer buffered bounds": """
        chan c = [0] of {byte}; chan b[2] = [1] of {byte}; byte x, i = 3; active proctype P()
        { c!1; x = 1 } active proctype Q() { b[i]?_; x = 2 } active proctype R() { c?_ }
        active proctype T() { i = 1 }""",
    "order: answer rv bounds": """
        chan c[2] = [0] of {byte}; byte x, i = 3; active proctype P() { c[0]!1; x = 1 } active
        proctype Q() { c[i]?_; x = 2 } active proctype R() { c[0]?_ } active proctype T() { i
        = 1 }""",
    "order: timeout guard": """
        byte x; active proctype P() { timeout -> x = 1 } active proctype Q() { x = 2; x == 1 }""",
    "order: pc_value": """
        byte x; active proctype P() { x = pc_value(0); x = pc_value(5); assert(x == 0) }""",
    "order: get_priority": """
        byte x; active proctype P() priority 3 { x = get_priority(0); assert(x == 3); x =
        get_priority(7); assert(x == 0) }""",
    "order: set_priority dead": """
        byte x; active proctype P() priority 3 { set_priority(9, 0); set_priority(9, 300); x =
        1; set_priority(0, 0) }""",
    "order: dstep fault after send": """
        chan c = [2] of {byte}; byte a[2], x = 2; init { d_step { c!1; c?a[x] } }""",
    "order: assert side": """
        byte x; proctype P() { x = 1 } init { run P(); assert(_nr_pr == 9) }""",
    "order: last": """
        byte x; active [2] proctype P() { x = _last; x = 1 / (x - _pid) }""",
    "order: priority _priority": """
        byte x; active proctype P() priority 2 { _priority = 7; x = _priority; assert(x == 7);
        _priority = 300 }""",
    "order: nr_pr": """
        byte x; proctype P() { x = _nr_pr; assert(x < 3) } init { run P(); run P() }""",
    "order: else dstep": """
        byte x; active proctype P() { if :: x == 1 -> x = 2 :: else -> d_step { x = 3;
        assert(x == 4) } fi }""",
    "order: xr": """
        chan c = [2] of {byte}; byte x; active proctype P() { c!1 } active proctype Q() { c?x;
        c?x }""",
    "order: start with faulting local": """
        byte a[2], i = 3; proctype P() { byte y = a[i]; y = 1 } init { run P(); i = 0 }""",
    "order: chan of dead param": """
        byte x; proctype P(chan q) { x == 1; q!1 } proctype O() { chan c = [1] of {byte}; run
        P(c) } init { run O(); x = 1 }""",
}
