"""Small models with never claims, accept labels and progress labels, a corner in each."""

from __future__ import annotations

CLAIMS = {
    "response, violated": """
        byte x; active proctype P() { do :: x = 1; x = 0 od }
        active proctype Q() { do :: x == 1 -> x = 2 :: x == 2 -> x = 0 od }
        never { T: do :: x == 1 -> goto accept_S :: true od; accept_S: do :: x != 2 od }""",
    "response, holds": """
        byte x; active proctype P() { do :: x = 1; x = 2; x = 0 od }
        never { T: do :: x == 1 -> goto accept_S :: true od; accept_S: do :: x != 2 od }""",
    "response, holds if fair": """
        byte x; active proctype P() { do :: x == 0 -> x = 1 :: x == 2 -> x = 0 od }
        active proctype Q() { do :: x == 1 -> x = 2 od }
        active proctype R() { bit y; do :: y = 1 - y od }
        never { T: do :: x == 1 -> goto accept_S :: true od; accept_S: do :: x != 2 od }""",
    "stutter at the end": """
        byte x; active proctype P() { x = 1; x = 2 }
        never { T: do :: x == 2 -> goto accept_S :: true od; accept_S: do :: x == 2 od }""",
    "stutter in a deadlock": """
        byte x; active proctype P() { x = 1; x == 5 }
        never { T: do :: x == 1 -> goto accept_S :: true od; accept_S: do :: x == 1 od }""",
    "a claim that blocks in the end": """
        byte x; active proctype P() { x = 1; x == 5 }
        never { x == 0; x == 1; x == 1; x == 1; x == 0; accept: do :: true od }""",
    "as spin -f writes a guarantee": """
        byte x; active proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od }
        never { T: do :: atomic { (x == 4) -> assert(!(x == 4)) } :: (1) -> goto T od; accept_all: skip }""",
    "an atomic assertion that holds": """
        byte x; active proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od }
        never { T: do :: atomic { (x == 4) -> assert(x < 5) } :: (1) -> goto T od }""",
    "an assertion of its own step": """
        byte x; active proctype P() { do :: x = (x + 1) % 5 od }
        never { do :: x == 3 -> assert(x == 4) :: x == 2 -> assert(x == 2) :: else od }""",
    "an atomic sequence that blocks was not begun": """
        byte x; active proctype P() { do :: x = (x + 1) % 5 od }
        never { do :: atomic { x > 2 -> x > 3 -> x == 3 -> goto bad } :: true od; bad: skip }""",
    "falls off the end": """
        byte x; active proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od }
        never { do :: x == 3 -> break :: else od }""",
    "falls off the end once the run has stopped": """
        byte x; active proctype P() { x = 1 } never { x == 0; x == 1; x == 1; x == 1; x == 1 }""",
    "falls off the end at the start": "bit x; active proctype P() { x = 1 } never { x == 0 }",
    "the end is not reached": """
        byte x; active proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od }
        never { do :: x == 6 -> break :: else od }""",
    "an end label": """
        byte x; active proctype P() { do :: x = (x + 1) % 5 od }
        never { do :: x < 3 :: else -> end: x > 3 od }""",
    "else": """
        byte x; active proctype P() { do :: x = (x + 1) % 3 od }
        never { do :: x == 0 :: x == 1 :: else -> break od; accept: do :: x != 1 :: else od }""",
    "unless": """
        byte x; active proctype P() { do :: x = (x + 1) % 5 od }
        never { { do :: x < 3 :: x == 3 -> skip od } unless { x == 4 -> accept: do :: true od } }""",
    "gotos": """
        byte x; active proctype P() { do :: x = (x + 1) % 5 od }
        never { S: if :: x == 3 -> goto accept_1 :: else -> goto S fi;
          accept_1: if :: x == 4 -> goto S :: goto accept_1 fi }""",
    "printf and skip": """
        byte x; active proctype P() { do :: x = (x + 1) % 3 od }
        never { do :: x == 2 -> printf("two"); accept: skip :: else od }""",
    "the claim does not look into an atomic sequence": """
        byte x; active proctype P() { do :: atomic { x = 1; x = 2; x = 0 } od }
        never { do :: x > 0 -> break :: else od }""",
    "the claim looks where an atomic sequence blocks": """
        byte x, y; active proctype P() { do :: atomic { x = 1; y == 1; x = 2; x = 0 } od }
        active proctype Q() { do :: y = 1 - y od }
        never { do :: x == 2 -> break :: x == 1 -> accept: y == 0 :: else od }""",
    "the claim does not look into a d_step": """
        byte x; active proctype P() { do :: d_step { x = 1; x = 2; x = 0 } :: x == 0 -> x = 3; x = 0 od }
        never { do :: x == 1 || x == 2 -> break :: else od }""",
    "a handshake is one step": """
        chan c = [0] of { byte }; byte x;
        active proctype P() { do :: c!1; x = 0 od }
        active proctype Q() { byte y; do :: c?y -> x = y od }
        never { do :: x == 1 -> break :: true od; accept: do :: x == 1 od }""",
    "a handshake between atomic sequences": """
        chan c = [0] of { byte }; byte x;
        active proctype P() { do :: atomic { x = 1; c!1; x = 2 } od }
        active proctype Q() { do :: atomic { c?_; x = 3; x = 4 } od }
        never { do :: x == 1 || x == 3 -> break :: else od }""",
    "a buffered channel is polled": """
        chan c = [1] of { byte }; active proctype P() { do :: c!1 :: c!2 od }
        active proctype Q() { do :: c?_ od }
        never { do :: c?[2] -> goto accept :: true od; accept: do :: c?[2] :: empty(c) od }""",
    "timeout in the program": """
        byte x; active proctype P() { do :: x < 2 -> x++ :: timeout -> x = 0 od }
        never { do :: x == 2 -> break :: true od;
          accept: do :: x == 2 -> goto S :: else od;
          S: if :: x == 0 -> goto accept :: else -> goto S fi }""",
    "timeout in both": """
        byte x; active proctype P() { do :: x < 2 -> x++ :: timeout -> x = 0 od }
        never { do :: timeout -> break :: true od;
          accept: do :: timeout -> goto S :: else od;
          S: if :: x == 0 -> goto accept :: else -> goto S fi }""",
    "timeout in both, never": """
        byte x; active proctype P() { do :: x < 2 -> x++ :: x > 1 -> x = 0 :: timeout -> x = 7 od }
        never { do :: timeout -> break :: true od }""",
    "np_ in a claim, which is false in stutter": """
        byte x; active proctype P() { progress: x = 1; x = 2; x == 7 }
        never { do :: np_ && x == 2 -> break :: true od; skip; skip; accept: do :: np_ od }""",
    "np_ where a run stops": """
        byte x; active proctype P() { progress: x = 1; x = 2; x == 7 }
        never { do :: np_ && x == 2 -> break :: true od }""",
    "np_ in a cycle": """
        byte x; active proctype P() { do :: x = 1; progress: x = 2 :: x = 3 od }
        never { do :: np_ -> break :: true od; accept: do :: np_ od }""",
    "_last": """
        byte x; active proctype P() { do :: x = 1 od } active proctype Q() { do :: x = 0 od }
        never { do :: _last == 1 -> break :: true od; accept: do :: _last == 1 && x == 0 od }""",
    "enabled": """
        byte x; active proctype P() { do :: x == 1 -> x = 0 od } active proctype Q() { do :: x = 1 od }
        never { do :: enabled(0) -> break :: true od; accept: do :: enabled(0) od }""",
    "remote references": """
        byte x; active proctype P() { byte y; do :: x == 1 -> L: x = 0; y = 1 - y od }
        active proctype Q() { do :: x = 1 od }
        never { do :: P@L -> break :: true od; accept: do :: P@L || P[0]:y == 1 od }""",
    "pc_value": """
        byte x; active proctype P() { byte y; do :: x == 1 -> L: x = 0; y = 1 - y od }
        active proctype Q() { do :: x = 1 od }
        never { do :: pc_value(0) > 3 -> break :: true od; accept: do :: P@L || P[0]:y == 1 od }""",
    "accept labels beside a claim count": """
        byte x; active proctype P() { do :: x == 0 -> accept: x = 1; x = 0 od }
        never { do :: x < 2 od }""",
    "accept labels beside a claim that stops": """
        byte x; active proctype P() { do :: x == 0 -> accept: x = 1; x = 0 od }
        never { x == 0; x == 0 }""",
    "a claim that cannot follow": """
        byte x; active proctype P() { do :: x == 0 -> x = 1; x = 0 od }
        never { do :: x < 1 od; accept: goto accept }""",
    "everything is accepted": "init { skip } never { accept: do :: true od }",
    "fair, and a process that is blocked now and then": """
        byte x, y; active proctype P() { do :: x == 0 -> y = 1 - y :: y == 1 -> y = 0 od }
        active proctype Q() { y == 1 -> x = 1 }
        never { accept: do :: x == 0 od }""",
    "fair, and processes that come and go": """
        byte x; proctype C() { x = 1; x = 0 } init { do :: run C(); _nr_pr < 3 od }
        never { accept: do :: true od }""",
}

LABELS = {
    "accepting": "byte x; active proctype P() { do :: x < 5 -> x++ :: x > 0 -> accept: x-- od }",
    "not accepting": "byte x; active proctype P() { do :: x < 5 -> x++; if :: x > 9 -> accept: x-- :: else fi :: else -> x = 0 od }",
    "accepting once": "byte x; active proctype P() { accept: x = 1; do :: x = 1 - x od }",
    "unfair only": """
        bit x, y; active proctype P() { do :: y == 0 -> accept: x = 1 - x od }
        active proctype Q() { y = 1 }""",
    "unfair only, a send": """
        chan c = [1] of { byte }; bit x, y; active proctype P() { do :: y == 0 -> accept: x = 1 - x od }
        active proctype Q() { c!1; y = 1 }""",
    "unfair only, a handshake": """
        chan c = [0] of { byte }; bit x, y; active proctype P() { do :: y == 0 -> accept: x = 1 - x od }
        active proctype Q() { c!1; y = 1 } active proctype R() { c?_ }""",
    "fair, as a receiver in a handshake is not enabled": """
        chan c = [0] of { byte }; bit y; active proctype S() { do :: c!1 od }
        active proctype R() { do :: y == 0 -> accept: c?_ od } active proctype T() { c?_; y = 1 }""",
    "stutter at an accept label": "byte x; active proctype P() { x = 1; accept: x == 2 }",
    "stutter at a valid end": "byte x; active proctype P() { x = 1; accept: end: x == 2 }",
    "two processes": """
        byte x; active proctype P() { do :: x < 5 -> accept: x++ :: else -> x = 0 od }
        active proctype Q() { x == 3; x = 9 }""",
    "processes that come and go": """
        byte x; proctype C() { x++ } init { do :: x < 20 -> run C(); _nr_pr == 1; accept: x = x % 3 od }""",
    "an accept label on an atomic sequence": """
        byte x; active proctype P() { do :: x < 3 -> accept: atomic { x++; x++ } :: else -> x = 0 od }""",
}

PROGRESS = {
    "progress": "byte x; active proctype P() { do :: x < 5 -> x++ :: x > 0 -> progress: x-- od }",
    "no progress": "byte x; active proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od }",
    "progress of the other": """
        byte x; active proctype P() { do :: x = 1 - x od }
        active proctype Q() { do :: progress: skip; skip od }""",
    "a run that stops has no cycle": "byte x; active proctype P() { x = 1; x == 3 }",
    "a way around": """
        byte x; active proctype P() { do :: x = 1; progress: x = 2 :: x = 3; x = 4 od }""",
    "atomic": """
        byte x; active proctype P() { do :: atomic { x = 1; progress: x = 2; x = 0 } od }""",
    "a loop before progress": """
        byte x; active proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od; do :: progress: x = 1 - x od }""",
}  # fmt: skip
