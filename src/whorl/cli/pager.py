"""Shows lines on a terminal, with a pager where there are more of them than it has."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence

from whorl.cli.terminal import OutputStream, is_live

DEFAULT = "less -R"
NOT_FOUND = (126, 127)  # what a shell says of a command that it cannot run
_COLOR = re.compile(r"\x1b\[[0-9;]*m")


def show(lines: Sequence[str], out: OutputStream, paged: bool) -> None:
    """Writes the lines; a pager shows them if that is wanted, possible and of use."""
    shown = [out.safe(line) for line in lines]
    if not (paged and is_live(out.stream) and _is_long(shown) and _page(shown, out)):
        for line in lines:
            out.line(line)


def _is_long(lines: Sequence[str]) -> bool:
    """Whether the lines, wrapped, and the next prompt need more rows than the screen has."""
    screen = shutil.get_terminal_size()
    lengths = (len(_COLOR.sub("", line)) for line in lines)
    rows = sum(max(1, -(-length // max(screen.columns, 1))) for length in lengths)
    return rows >= screen.lines


def _page(lines: Sequence[str], out: OutputStream) -> bool:
    """Whether a pager has shown the lines; the user may have left it early."""
    command = os.environ.get("PAGER", DEFAULT).strip()
    if command in ("", "cat"):
        return False
    out.flush()
    try:
        pager = subprocess.Popen(
            command, shell=True, stdin=subprocess.PIPE, encoding=out.encoding, errors="replace"
        )
    except OSError:
        return False
    try:
        pager.communicate("".join(f"{line}\n" for line in lines))
    except KeyboardInterrupt:  # it is the pager's: less stops searching
        pager.wait()
    return pager.returncode not in NOT_FOUND
