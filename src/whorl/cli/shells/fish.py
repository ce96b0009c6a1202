"""The script for fish: a line of `complete` for each command and each option."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whorl.cli.shells.described import SUFFIXES, Command, Flag, GivenWord, Takes

_HEAD = r"""# Completion of whorl {version} in fish, made by `whorl completion fish`.
function __whorl_command
    for word in (commandline -opc)[2..-1]
        if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
end
function __whorl_in
    test "$(__whorl_command)" = "$argv[1]"
end
function __whorl_claims
    set -l words (commandline -opc)
    set -l models (string match -r -- '.*(?:{models})$' $words[3..-1])
    if set -q models[1]
        command $words[1] completion --claims $models[-1] 2>/dev/null
    end
end
# Files that end so come first.
function __whorl_files
    for suffix in $argv
        __fish_complete_suffix $suffix
    end
end
complete -c whorl -f
complete -c whorl -n '__whorl_in ""' -s h -l help -d 'show the commands'
complete -c whorl -n '__whorl_in ""' -l version -d 'show the version'"""


def script(commands: Sequence[Command], version: str) -> str:
    """What fish reads to complete the words behind `whorl`."""
    models = "|".join(suffix.replace(".", r"\.") for suffix in SUFFIXES[Takes.MODEL])
    head = _HEAD.replace("{version}", version).replace("{models}", models)
    return "\n".join([head, *(line for each in commands for line in _lines(each)), ""])


def _lines(command: Command) -> Iterator[str]:
    yield f"complete -c whorl -n '__whorl_in \"\"' -a {command.name} -d {_quoted(command.help)}"
    within = f"complete -c whorl -n '__whorl_in {command.name}'"
    for flag in command.flags:
        yield f"{within} {_names(flag)}{_value(flag)} -d {_quoted(flag.help)}"
    for action in dict.fromkeys(map(_action, reversed(command.words))):  # fish shows the last first
        if action:
            yield f"{within} {action}"


def _names(flag: Flag) -> str:
    return " ".join(
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names
    )


def _value(flag: Flag) -> str:
    return "" if flag.value is None else f" -r {_action(flag.value) or '-f'}"


def _action(word: GivenWord) -> str:
    match word.takes:
        case Takes.NAME:
            return f"-f -a {_quoted(' '.join(word.names))}"
        case Takes.CLAIM:
            return "-f -a '(__whorl_claims)'"
        case Takes.FOLDER:
            return "-f -a '(__fish_complete_directories)'"
        case Takes.TEXT:
            return ""
        case Takes.FILE:
            return "-F"
    return f"-f -k -a '(__whorl_files {' '.join(SUFFIXES[word.takes])})'"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
