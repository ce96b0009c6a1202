"""What a shell offers to complete a line with: bash, zsh and fish, each driven in a process."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

SECONDS = 120.0  # for a shell that hangs

# $TYPED has the lines; each is completed at its end, as the key Tab does it.
_BASH = r"""
eval "$(whorl completion bash)"
offer() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _whorl
    printf 'LINE\n'
    [[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
}
complete -p whorl >&2
"""
_FISH = r"""
whorl completion fish | source
for line in (string split \n -- $TYPED)
    echo LINE
    complete -C $line | string replace -r '\t.*' ''
end
true
"""
# `compadd` is asked what it would add. A marker says that a line is done, so nobody has to wait.
_ZSH = r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; autoload -Uz compinit; compinit -u -D; eval "$(whorl completion zsh)"'
zpty -w z 'compadd() { local -a o; builtin compadd -O o "$@"; (( $#o )) && print -rl -- $o >>$OUT
    builtin compadd "$@" }'
zpty -w z 'offered() { _main_complete; print DONE >>$OUT }'
zpty -w z 'zle -C offer complete-word offered; bindkey "^I" offer; bindkey "^U" kill-whole-line'
zpty -w z 'print READY >>$OUT'
waits() { local i; for i in {1..600}; do
    [[ $(grep -c $1 $OUT 2>/dev/null) -ge $2 ]] && return; sleep 0.05; done; exit 1 }
waits READY 1
n=0
for line in ${(f)TYPED}; do
    print LINE >>$OUT
    zpty -w -n z $'\x15'$line$'\t'
    (( n++ ))
    waits DONE $n
done
cat $OUT
"""


def offered(shell: str, lines: Sequence[str], folder: Path) -> list[set[str]]:
    """What the shell offers for the last word of each line."""
    scripts: dict[str, Callable[[], str]] = {
        "bash": lambda: _BASH + "\n".join(f"offer {_words(line)}" for line in lines),
        "fish": lambda: _FISH,
        "zsh": lambda: _ZSH,
    }
    out = folder.parent / f"{shell}.out"
    out.unlink(missing_ok=True)
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(home),
        "TYPED": "\n".join(lines),
        "OUT": str(out),
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
    }
    flags = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    done = subprocess.run(
        [shutil.which(shell) or shell, *flags, "-c", scripts[shell]()],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    parts = done.stdout.split("LINE\n")[1:]
    assert len(parts) == len(lines), json.dumps([done.stdout, done.stderr])
    return [{_plain(word) for word in part.splitlines()} - {"DONE", "READY"} for part in parts]


def _words(line: str) -> str:
    """The words of a line as bash splits them for completion: `=` is one of its own."""
    words = line.replace("=", " = ").split(" ")
    return " ".join(shlex.quote(word) for word in words)


def _plain(word: str) -> str:
    """Without what shells put around a name: a slash, backslashes, the flag before `=`."""
    return word.rstrip("/").replace("\\", "").rpartition("=")[2]
