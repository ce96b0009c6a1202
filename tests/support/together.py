"""Compiles and runs many verifiers in one process: to start a compiler is what takes time.

tcc reads them all and runs what it has made without writing it anywhere (`-run`). The headers of
the system would take it as long as all the rest, so that those in `libc/` stand for them. Where a
verifier does not come to its end there is no answer of it, nor of those behind it: the caller then
runs them one by one.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from support.compilers import QUICK, SHIM
from whorl.native.compiler import FLAGS, RUNTIME

LIBC = Path(__file__).with_name("libc")
AVAILABLE = QUICK.name == "tcc" and os.uname()[::4] == ("Linux", "x86_64")

_MAIN = """#include <stdio.h>
{declared}
static int (*const mains[])(int, char **) = {{{names}}};
static char *words[][32] = {{{words}}};
int main(void) {{
  for (int i = 0; i < {count}; i++) {{
    int count = 0;
    while (words[i][count]) count++;
    int code = mains[i](count, words[i]);
    printf("end %d\\n", code);
    fflush(stdout);
  }}
  return 0;
}}
"""


def run_together(
    folder: Path, verifiers: Sequence[tuple[str, Sequence[str]]]
) -> list[list[str] | None]:
    """What verifiers say, each a text and its command line; None for one that gave no answer."""
    sources = []
    for number, (text, _) in enumerate(verifiers):
        source = folder / f"{number}.c"
        source.write_text(f"#define main {_name(number)}\n{text}")
        sources.append(str(source))
    main = folder / "main.c"
    main.write_text(_main([words for _, words in verifiers]))
    places = ["-nostdinc", "-I", str(LIBC), "-I", str(RUNTIME), "-include", str(SHIM), "-UNDEBUG"]
    command = [*QUICK.command, *FLAGS, *places, *sources, "-run", str(main)]
    said = folder / "said"
    with said.open("wb") as stream:
        subprocess.run(command, stdout=stream, stderr=subprocess.DEVNULL, check=False)
    return _answers(said.read_text(errors="replace"), len(verifiers))


def _name(number: int) -> str:
    return f"whorl_main_{number}"


def _main(commands: Sequence[Sequence[str]]) -> str:
    names = [_name(number) for number in range(len(commands))]
    rows = [", ".join(map(json.dumps, ("verifier", *words))) for words in commands]
    return _MAIN.format(
        declared="\n".join(f"int {name}(int, char **);" for name in names),
        names=", ".join(names),
        words=", ".join(f"{{{row}}}" for row in rows),
        count=len(names),
    )


def _answers(said: str, count: int) -> list[list[str] | None]:
    found: list[list[str] | None] = []
    lines: list[str] = []
    for line in said.splitlines():
        if line.startswith("end "):
            found.append(lines if line == "end 0" else None)
            lines = []
        else:
            lines.append(line)
    return [*found, *[None] * (count - len(found))]
