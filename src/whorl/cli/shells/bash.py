"""The script for bash: one function, of which `complete` asks the words that fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whorl.cli.shells.described import SUFFIXES, Command, GivenWord, Takes

# Bash 3.2, as macOS has it, knows neither `mapfile` nor `compopt`.
_HEAD = """\
# Completion of whorl {version} in bash, made by `whorl completion bash`.
_whorl_add() {{
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done
}}
_whorl_names() {{
    _whorl_add < <(compgen -W "$1" -- "$cur")
}}
# Files that end so, and folders; any file where there is none of these.
_whorl_files() {{
    local suffix
    compopt -o filenames 2>/dev/null
    for suffix in "$@"; do _whorl_add < <(compgen -f -X "!*$suffix" -- "$cur"); done
    if [[ ${{#COMPREPLY[@]}} -gt 0 ]]; then
        _whorl_add < <(compgen -d -- "$cur")
    else
        _whorl_add < <(compgen -f -- "$cur")
    fi
}}
_whorl_folders() {{
    compopt -o filenames 2>/dev/null
    _whorl_add < <(compgen -d -- "$cur")
}}
_whorl_claims() {{
    local word model=
    for word in "${{COMP_WORDS[@]:2}}"; do
        case $word in {models}) model=${{word//[\\\\\\"\\']/}} ;; esac
    done
    if [[ -n $model ]]; then
        model=${{model/#\\~/$HOME}}
        _whorl_names "$("${{COMP_WORDS[0]}}" completion --claims "$model" 2>/dev/null)"
    fi
}}
_whorl() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command= i
    COMPREPLY=()
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = && $COMP_CWORD -gt 1 ]]; then
        prev=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${{COMP_WORDS[i]}} != -* ]]; then command=${{COMP_WORDS[i]}}; break; fi
    done
"""


def script(commands: Sequence[Command], version: str) -> str:
    """What bash reads to complete the words behind `whorl`."""
    models = "|".join(f"*{suffix}" for suffix in SUFFIXES[Takes.MODEL])
    return "\n".join([_HEAD.format(version=version, models=models).rstrip(), *_cases(commands), ""])


def _cases(commands: Sequence[Command]) -> Iterator[str]:
    yield "    case $command:$prev in"
    for command in commands:
        for flag in command.flags:
            if flag.value is not None:
                pattern = "|".join(f"{command.name}:{name}" for name in flag.names)
                yield f"        {pattern}) {_action(flag.value)}; return ;;"
    yield "    esac"
    yield "    if [[ $cur == -* ]]; then"
    yield "        case $command in"
    yield "            '') _whorl_names '--help --version' ;;"
    for command in commands:
        names = " ".join(name for flag in command.flags for name in flag.names)
        yield f"            {command.name}) _whorl_names '{names}' ;;"
    yield "        esac"
    yield "        return"
    yield "    fi"
    yield "    case $command in"
    yield f"        '') _whorl_names '{' '.join(command.name for command in commands)}' ;;"
    for command in commands:
        if command.words:
            actions = dict.fromkeys(map(_action, command.words))
            yield f"        {command.name}) {'; '.join(actions)} ;;"
    yield "    esac"
    yield "}"
    yield "complete -F _whorl whorl"


def _action(word: GivenWord) -> str:
    match word.takes:
        case Takes.NAME:
            return f"_whorl_names '{' '.join(word.names)}'"
        case Takes.CLAIM:
            return "_whorl_claims"
        case Takes.FOLDER:
            return "_whorl_folders"
        case Takes.TEXT:
            return ":"
    return " ".join(["_whorl_files", *SUFFIXES.get(word.takes, ())])
