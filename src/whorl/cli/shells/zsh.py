"""The script for zsh: `_arguments` is told of each command, so that help stands beside options."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from whorl.cli.shells.described import SUFFIXES, Command, Flag, GivenWord, Takes

_HEAD = """\
#compdef whorl
# Completion of whorl {version} in zsh, made by `whorl completion zsh`.
_whorl_claims() {{
    local -a models names
    models=(${{(M)words:#*({models})}})
    (( $#models )) || return 1
    names=(${{(f)"$($whorl completion --claims ${{${{(Q)models[-1]}}/#\\~/$HOME}} 2>/dev/null)"}})
    compadd -a names
}}
_whorl() {{
    local whorl=$words[1] context state line
    typeset -A opt_args
    _arguments -C \\
        '(- *)'{{-h,--help}}'[show the commands]' \\
        '(- *)--version[show the version]' \\
        '1:command:->command' '*::argument:->argument' && return
    case $state in
        command)
            local -a commands
            commands=(
"""
_TAIL = """\
            esac ;;
    esac
}
if [[ $funcstack[1] == _whorl ]]; then _whorl "$@"; else compdef _whorl whorl; fi
"""


def script(commands: Sequence[Command], version: str) -> str:
    """What zsh reads to complete the words behind `whorl`: with `eval`, or as a file in `fpath`."""
    models = "|".join(SUFFIXES[Takes.MODEL])
    lines = [_HEAD.format(version=version, models=models).rstrip()]
    lines += (" " * 16 + shlex.quote(f"{c.name}:{c.help}") for c in commands)
    lines += [" " * 12 + ")", " " * 12 + "_describe command commands ;;"]
    lines += [" " * 8 + "argument)", " " * 12 + "case $words[1] in"]
    for command in commands:
        specs = " \\\n".join(" " * 20 + spec for spec in _specs(command))
        lines.append(f"{' ' * 16}{command.name}) _arguments \\\n{specs} ;;")
    return "\n".join([*lines, _TAIL])


def _specs(command: Command) -> Iterator[str]:
    for flag in command.flags:
        for name in flag.names:
            yield shlex.quote(f"{_others(flag, name)}{_spelled(flag, name)}{_value(flag)}")
    for word in command.words:
        start = "*:" if word.many else "::" if word.optional else ":"
        yield shlex.quote(f"{start}{_text(word.shown)}:{_action(word)}")
    if not command.words:
        yield "'*: :'"


def _others(flag: Flag, name: str) -> str:
    """What is not offered after it."""
    if flag.repeatable:
        return "*"
    others = [other for other in flag.names if other != name]
    return f"({' '.join(others)})" if others else ""


def _spelled(flag: Flag, name: str) -> str:
    if flag.value is None:
        return name
    return f"{name}=" if name.startswith("--") else f"{name}+"


def _value(flag: Flag) -> str:
    about = f"[{_text(flag.help)}]"
    if flag.value is None:
        return about
    return f"{about}:{_text(flag.value.shown)}:{_action(flag.value)}"


def _text(text: str) -> str:
    """With a backslash before what ends a text for `_arguments`."""
    return "".join(f"\\{char}" if char in "[]:\\" else char for char in text)


def _action(word: GivenWord) -> str:
    match word.takes:
        case Takes.NAME:
            return f"({' '.join(word.names)})"
        case Takes.CLAIM:
            return "_whorl_claims"
        case Takes.FOLDER:
            return "_files -/"
        case Takes.TEXT:
            return " "
        case Takes.FILE:
            return "_files"
    return f'_files -g "*({"|".join(SUFFIXES[word.takes])})"'
