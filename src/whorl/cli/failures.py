"""What goes wrong in a command, in words and as an exit status."""

from __future__ import annotations

import errno
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from whorl.cli.terminal import Terminal
from whorl.deadline import TimeUp
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.memory import refusal
from whorl.verdict import EXIT_BAD_INPUT, EXIT_CODES, EXIT_INTERNAL, INCONCLUSIVE

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
# What a command may end in; whatever else is raised is a request of Python's own.
FAILURES = (Exception, KeyboardInterrupt, TimeUp)


@dataclass(frozen=True, slots=True)
class CommandFailure:
    """Why there is no result: the error, what is said of it, and the exit status."""

    error: BaseException
    text: str
    status: int

    def say(self, terminal: Terminal, about: Mapping[str, object] | None = None) -> None:
        """Says it, with `--json` also as the object that stands for the result of `about`."""
        if terminal.json:
            from whorl.cli import json_output  # loaded where it is needed, as it takes time

            data = json_output.error(self.error) | dict(about or {})
            terminal.out.line(json_output.dumps(data))
        for text in terminal.unheard([self.text]):
            terminal.error(text)


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells what went wrong in the command `words`. What does after it `is_to_end` is no bug."""

    words: Sequence[str]
    debug: bool = False
    is_to_end: Callable[[], bool] = lambda: False

    def tell(self, error: BaseException, color: bool) -> CommandFailure:
        error = _as_users(error)
        unknown = EXIT_CODES[INCONCLUSIVE]
        match error:
            case WhorlError():
                return CommandFailure(error, error.render(color), EXIT_BAD_INPUT)
            case KeyboardInterrupt():
                return CommandFailure(error, "whorl: interrupted", unknown)
            case TimeUp():
                return CommandFailure(error, f"whorl: {error}", unknown)
            case MemoryError():
                return CommandFailure(error, f"whorl: out of memory: {refusal()}", unknown)
        if self.is_to_end():
            return CommandFailure(KeyboardInterrupt(), "whorl: interrupted", unknown)
        return CommandFailure(error, self._our_fault(error), EXIT_INTERNAL)

    def _our_fault(self, error: BaseException) -> str:
        import traceback

        from whorl.cli import json_output

        lines = [
            f"whorl: internal error: {json_output.summary(error)}",
            "This is a bug in whorl, not in your model. Please report it with the model and this"
            " command:",
            f"    whorl {shlex.join(self.words)}",
        ]
        if self.debug:
            lines.append("".join(traceback.format_exception(error)).rstrip())
        else:
            lines.append("With --debug it also shows where in whorl it happened.")
        return "\n".join(lines)


def _as_users(error: BaseException) -> BaseException:
    """A full disk is nothing that we did wrong."""
    if not isinstance(error, OSError) or error.errno not in _NO_ROOM:
        return error
    message = f"cannot write files that whorl needs: {error.strerror}"
    hint = "the environment variables WHORL_CACHE and TMPDIR say where they are"
    return WhorlError(Diagnostic("error", message, None, hint))
