"""The names that small programs share: a name has the same declaration in all of them.

So a text declares what it needs by using it, and two programs can stand in one model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

GLOBALS = {
    "x": "byte x;",
    "y": "byte y;",
    "b": "bit b;",
    "a": "byte a[2];",
    "c": "chan c = [1] of { byte };",
    "d": "chan d = [2] of { byte, byte };",
    "r": "chan r = [0] of { byte };",
    "e": "chan e[2] = [1] of { byte };",
    "f": "chan f = [2] of { byte };",
    "w": "chan w = [1] of { chan };",  # channels are sent through it
    "g": "chan g;",  # never made
    "s": "chan s = [1] of { byte };",  # only Main sends to it
    "z": "hidden byte z;",
    "t": "Pack t;",
    "h": "chan h = [1] of { Pack };",
    "k": "mtype = { red, green };\nmtype k;",
}
TYPES = "typedef Pack { byte first; bit second };"
TYPED = frozenset("thm")  # the names that need it
ALWAYS = ("x", "y")  # declared in every program: propositions are about them

LOCALS = {
    "l": "byte l;",
    "j": "byte j;",
    "n": "byte n;",  # of positions only
    "v": "byte v;",  # read from outside
    "q": "chan q = [1] of { byte };",
    "o": "chan o;",
    "m": "Pack m;",
}

# Processes that others start. They are part of a program that names them.
CHILDREN = {
    "Child": "proctype Child() { y = 2 }",
    "Idle": "proctype Idle() { skip }",
    "Maker": "proctype Maker() { chan q = [1] of { byte }; w!q }",
    "Param": "proctype Param(byte p) { y = p }",
}
INLINES = {"both": "inline both(target) { target = 1; y = target }"}

# The processes that start with the program. `Peer` is the other one of the first two.
ACTIVE = ("Main", "Watch", "Third")
_PROCTYPES = re.compile(r"\b(Main|Watch|Third|Child|Idle|Maker|Param)\b")
_PID = re.compile(r"\bpid(\d)\b")
_WORD = re.compile(r"(?<![.\w])[a-z_]\w*")
_STRING = re.compile(r'"[^"]*"')

# What depends on all processes of a program, or on where it stands: such a program stands alone.
GLOBAL_FEATURES = re.compile(
    r"\b(_nr_pr|_last|enabled|pc_value|get_priority|set_priority|priority|provided|xr|xs)\b"
)


def words(text: str) -> set[str]:
    """The small names that a text uses."""
    return set(_WORD.findall(_STRING.sub("", text)))


def proctypes(text: str) -> set[str]:
    """The process types that a text names."""
    return set(_PROCTYPES.findall(text))


def with_children(text: str) -> str:
    """The text, and behind it the processes and inlines that it needs."""
    needed = [body for name, body in CHILDREN.items() if name in proctypes(text)]
    needed = [body for name, body in INLINES.items() if name in words(text)] + needed
    return "\n".join([text, *needed])


@cache
def touched(text: str) -> frozenset[str]:
    """The globals that a text uses, also through the processes that it starts."""
    return frozenset(words(with_children(text)) & GLOBALS.keys())


def declared(names: Iterable[str], table: dict[str, str]) -> list[str]:
    """Declarations of those of the names that the table has, in its order."""
    wanted = set(names)
    return [text for name, text in table.items() if name in wanted]


def placed(text: str, base: int, member: int | None) -> str:
    """The text with its pids, which count from `base`, and its processes as a member's."""
    text = _PID.sub(lambda found: str(base + int(found[1])), text)
    if member is None:
        return text
    return _PROCTYPES.sub(rf"\1_{member}", text)


def pointed(text: str, own: str) -> str:
    """The text of process `own`, where `Peer[peer]` is the other of the first two."""
    name, pid = ("Watch", "pid1") if own == "Main" else ("Main", "pid0")
    return re.sub(r"\bpeer\b", pid, re.sub(r"\bPeer\b", name, text))
