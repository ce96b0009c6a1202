"""Programs that were written to go wrong, in shapes that no list of forms puts together.

Each is judged in the default of the native engine and in three of the other configurations. They
are about what came last: secured operations among `unless`, `provided`, arrays of channels, traces
and handshakes; processes that start others in phase 1, in a loop too; pids and channels that come
again; and a location with more options than a mask has bits.
"""

from __future__ import annotations

import pytest

from support.compilers import QUICK
from systematic.configurations import configurations, default
from whorl.api import load
from whorl.audit.judge import Judge, watching

WRITTEN = {
    "secured-below-an-unless": (
        """
        chan c = [1] of { byte }; chan d = [2] of { byte }; byte x;
        active proctype P() { { do :: atomic { nfull(c) && nempty(d) -> d?x; c!x } :: d!1 od }
          unless { atomic { nempty(c) && nfull(d) -> c?_; d!2; x = 3 } } }
        active proctype Q() { byte v; do :: c?v -> if :: full(d) -> x = 4; break :: else -> d!v
          fi :: atomic { nempty(d) -> if :: d?1 -> x = 5 :: d?2 -> x = 6 :: d?v fi } od }
        """,
        ["x < 5", "x == 3"],
    ),
    "secured-in-an-array-of-channels": (
        """
        chan c[2] = [1] of { byte }; byte x, i;
        proctype P(byte k) { atomic { nfull(c[k]) -> i = 1 - k; c[k]!i }; atomic { nfull(c[i])
          -> i = 1 - i; c[i]!2 }; x = x + i }
        active proctype Q() { byte v; run P(0); run P(1); do :: atomic { nempty(c[0]) -> c[0]?v;
          c[1]!v } :: atomic { nempty(c[1]) -> c[i]?v } :: x == 2 -> break od; x = 4 }
        """,
        ["x == 4", "x == 2"],
    ),
    "secured-beside-sorted-sends": (
        """
        chan c = [2] of { byte }; byte x;
        active proctype P() { atomic { nfull(c) -> c!!2; x = x + 1 }; atomic { nfull(c) -> c!!1
          } }
        active proctype Q() { byte v; atomic { nempty(c) -> c?v; if :: v == 2 -> x = 5 :: else
          fi }; atomic { nempty(c) -> c?<v>; c?eval(v); x = v } }
        active proctype R() { atomic { nempty(c) -> c??1; x = 7 } }
        """,
        ["x == 5", "x == 7"],
    ),
    "a-channel-in-the-place-of-another": (
        """
        chan d = [1] of { chan }; byte x;
        proctype Old() { chan m = [1] of { byte }; d!m; m?x }
        proctype New() { chan n = [1] of { byte }; byte v; atomic { nempty(n) -> n?v; x = v + 10
          } }
        active proctype M() { chan k; run Old(); d?k; atomic { nfull(k) -> k!1 }; _nr_pr < 3 ->
          run New(); if :: x > 0 -> x = 3 :: atomic { nfull(k) -> k!2 } fi }
        active proctype N() { x == 12 -> x = 20 }
        """,
        ["x == 20", "x == 1"],
    ),
    "who-is-started-in-a-secured-run": (
        """
        chan c = [1] of { byte }; byte n;
        proctype W(byte k) { atomic { nfull(c) -> c!k; n++ } }
        active proctype B() { byte i, v; do :: i < 3 -> atomic { nempty(c) || i == 0 -> if ::
          c?v -> run W(v) :: i == 0 -> run W(7) fi; i++ } :: i == 3 -> break od; atomic {
          nempty(c) && n > 1 -> c?v; n = 9 } }
        active proctype O() { n == 2 -> assert(len(c) < 2); _nr_pr == 2 -> n = 5 }
        """,
        ["n == 9", "n >= 5"],
    ),
    "secured-in-a-d_step": (
        """
        chan c = [2] of { byte }; byte x;
        active [2] proctype P() { byte v; do :: d_step { nfull(c) -> c!_pid; x++ } :: d_step {
          nempty(c) -> c?v; x-- } :: x == 2 -> break od }
        active proctype Q() { atomic { nfull(c) -> d_step { c!9 ; x = 0 } ; c?9 } }
        """,
        ["x < 3", "x == 2"],
    ),
    "provided-that-asks-a-channel": (
        """
        chan c = [1] of { byte }; byte x;
        active proctype P() provided (nfull(c) || x > 1) { byte v; do :: atomic { nfull(c) ->
          c!1; x++ } :: x > 1 -> c?v; break od }
        active proctype Q() { byte v; c?v; x = v + x; x = 2 }
        """,
        ["x == 2"],
    ),
    "control-comes-back-by-a-handshake": (
        """
        chan r = [0] of { byte }; chan q = [0] of { byte }; chan c = [1] of { byte }; byte x;
        active proctype S() { byte v; atomic { nfull(c) -> r!1; q?v; c!2; x = x + 1 } }
        active proctype R() { byte v; atomic { r?v; c!v; q!v }; x = x + 2 }
        active proctype T() { byte v; c?v; c?v; x = x + 4 }
        """,
        ["x == 7"],
    ),
    "else-beside-a-secured-receive": (
        """
        chan c = [1] of { byte }; byte x;
        active proctype P() { atomic { nempty(c) -> do :: c?1 -> x = 1; break :: c?2 -> x = 2;
          break :: else -> x = 3; break od } }
        active proctype Q() { if :: c!1 :: c!2 :: c!3 fi; if :: x == 3 -> c?_ :: x < 3 && x > 0
          -> skip fi; x = 9 }
        active proctype R() { c?3; x = 8 }
        """,
        ["x == 9", "x == 8"],
    ),
    "a-trace-of-secured-operations": (
        """
        mtype = { a, b };
        chan c = [1] of { mtype }; chan d = [1] of { mtype }; byte x;
        trace { do :: c!a; d?b :: c!b; d?a od }
        active proctype P() { atomic { nfull(c) -> c!a; x = 1 }; atomic { nfull(c) -> c!b; x = 2
          } }
        active proctype Q() { mtype m; do :: atomic { nempty(c) && nfull(d) -> c?m; d!m } :: x
          == 2 && empty(c) -> break od }
        active proctype R() { mtype m; d?m; d?m }
        """,
        ["x == 2"],
    ),
    "children-of-children-come-and-go": (
        """
        byte x, y;
        proctype L(byte n) { byte k; k = n; if :: n > 0 -> run L(n - 1) :: else fi; k = k + n }
        active proctype A() { run L(2); x = 1; run L(1); _nr_pr == 2 -> x = 2 }
        active proctype B() { x == 1 -> y = 1; x == 2 -> y = 2; run L(0) }
        """,
        ["y == 2", "x > 0"],
    ),
    "a-pid-of-another-type": (
        """
        byte x;
        proctype C1() { byte v = 1; v = 2; here: v = 3 }
        proctype C2() { byte w = 5; here: w = 6 }
        active proctype A() { pid p; p = run C1(); _nr_pr == 2; p = run C2(); C2[p]@here -> x =
          1; _nr_pr == 2 -> x = 2 }
        active proctype B() { do :: x == 2 -> break :: _nr_pr == 3 && x == 0 -> if :: C1[2]@here
          -> skip :: C2[2]@here -> skip :: x == 1 -> break fi od }
        """,
        ["x == 2", "C2[2]@here", "C1[2]:v != 2"],
    ),
    "a-timeout-inside-an-atomic-sequence": (
        """
        byte x, y;
        active proctype P() { atomic { y = 1; timeout; x = 1 }; timeout -> x = 3 }
        active proctype Q() { y == 1; atomic { x == 0 -> y = 2; x == 1; y = 3 } }
        active proctype R() { do :: timeout -> y = 4; break :: y == 2 -> y = 5 od }
        """,
        ["x == 1", "y == 2"],
    ),
    "a-loop-of-births-and-ends": (
        """
        byte x;
        proctype C() { byte k; k = 1; k = 2 }
        active proctype A() { do :: run C(); _nr_pr == 2 od }
        active proctype B() { x = 1; x = 2 }
        """,
        ["x == 0", "x < 2"],
    ),
    "two-who-start-others": (
        """
        byte x, y;
        proctype C(byte w) { byte k = w; do :: k > 0 -> k-- :: else -> break od; if :: w == 2 ->
          y = 1 :: else fi }
        active proctype A() { run C(1); x = 1; run C(2) }
        active proctype B() { run C(0); _nr_pr < 4; x = 2 }
        """,
        ["x == 2", "y == 1"],
    ),
    "a-channel-for-each-child": (
        """
        chan up = [1] of { chan }; byte x, n;
        proctype C() { chan own = [1] of { byte }; byte v; up!own; own?v; x = v }
        active proctype A() { chan k; do :: n < 2 -> run C(); up?k; k!n + 1; _nr_pr == 2; n++ ::
          else -> break od; assert(x == 2) }
        active proctype B() { x == 1; if :: x == 2 -> n = 5 :: n = n fi }
        """,
        ["x == 2", "n < 5"],
    ),
    "parents-wait-in-atomic-sequences": (
        """
        byte x;
        proctype C(byte d) { if :: d == 0 -> x++ :: d > 0 -> atomic { run C(d - 1); (_nr_pr ==
          _pid + 1) }; x = x + d fi }
        init { atomic { run C(2); (_nr_pr == 1); assert(x == 4) }; x = 0; run C(1); run C(0);
          (_nr_pr == 1) -> x = 9 }
        """,
        ["x == 9", "x == 3"],
    ),
    "a-remote-variable-of-who-goes-on-by-itself": (
        """
        byte x;
        proctype C() { byte k; k = 1; mid: k = 2; k = 3; x == 1 }
        active proctype A() { run C(); x = 0; run C(); C[2]:k == 3 && C[3]@mid -> x = 1 }
        """,
        ["C[2]:k != 2", "C[2]@mid", "C[3]@mid"],
    ),
    "ends-of-children": (
        """
        byte x;
        proctype C(byte n) { end: do :: n > 0 -> n-- :: x == n + 1 -> x = 0; break od }
        init { run C(2); run C(1); x = 1 }
        """,
        ["x == 0", "_nr_pr == 2"],
    ),
    "channels-in-a-local-array": (
        """
        chan a = [1] of { byte }; chan b = [0] of { byte }; chan s = [2] of { chan, byte };
        byte r;
        active proctype P() { chan t[2]; byte i; t[0] = a; t[1] = b; select(i : 0 .. 1);
          s!t[i],i; atomic { nfull(a) -> t[0]!i + 3 }; if :: t[1]!7 :: timeout -> r = 9 fi }
        active proctype Q() { chan k; byte j, v; s?k,j; do :: k?v -> r = v; break :: nempty(a)
          && j == 1 -> a?v od }
        """,
        ["r == 9", "r == 3"],
    ),
}
OTHERS = 3  # configurations beside the default, which differ from program to program


def options(count: int) -> str:
    """A process that waits at one location in many ways, and others that answer some of them."""
    never = "\n".join(f":: k == {100 + n} -> k = {n}" for n in range(count))
    return f"""
    chan c = [1] of {{ byte }}; chan d = [1] of {{ byte }}; chan r = [0] of {{ byte }};
    byte x, y, z;
    active proctype P() {{
      byte k;
      do
      {never}
      :: c?1 -> x = 2 :: c?2 -> k = 1 :: atomic {{ nfull(d) -> d!k }} :: r?k -> z = k
      :: x == 2 -> y = 1 :: atomic {{ nempty(c) && k == 1 -> c?k }} :: d!2 :: y == 3 -> break
      od;
      z = z + 1
    }}
    active proctype Q() {{
      c!1;
      if :: c!2 :: d?_ -> x = 2 :: r!3 -> y = 3 fi;
      y = 3
    }}
    active proctype R() {{ if :: d?2 -> z = 2 :: x == 2 -> x = 0 fi }}
    """


def problems(text: str, visible: list[str], number: int) -> dict[str, str]:
    """What is wrong in the default, and in the configurations that a program of that number has."""
    program = load(text, ltl=visible).program
    atoms = [formula.atoms[0] for formula in program.formulas]
    judge = Judge(program, watching(atoms, visible), QUICK)
    every = configurations()
    others = [every[(11 * number + 17 * n) % len(every)] for n in range(OTHERS)]
    return {
        str(how): problem
        for how in (*default(), *others)
        if (problem := judge.judge(how).problem) is not None
    }


@pytest.mark.parametrize("name", WRITTEN)
def test_nothing_is_lost(name: str) -> None:
    assert not problems(*WRITTEN[name], number=list(WRITTEN).index(name))


@pytest.mark.parametrize("count", [40, 57, 70])
def test_more_options_than_a_mask_has_bits(count: int) -> None:
    assert not problems(options(count), ["x == 2", "y == 3"], number=count)
