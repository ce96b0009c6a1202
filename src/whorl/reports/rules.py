"""The rules that reports for code reviews refer to: one for each kind of property or message."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReviewRule:
    """A kind of message: its name, what it means in a line, and in a few sentences."""

    name: str
    short: str
    long: str


_RULES = (
    ReviewRule("assertion", "An assertion fails",
               "Some run reaches an assert whose expression is false there."),
    ReviewRule("end-state", "Invalid end state",
               "Some run comes to a state in which no process can move, and at least one of them is"
               " neither at its end nor at an end label."),
    ReviewRule("array-bounds", "Array index out of bounds",
               "Some run uses an index that the array does not have."),
    ReviewRule("division-by-zero", "Division by zero", "Some run divides by zero."),
    ReviewRule("channel", "Misuse of a channel", "Some run uses a channel that is none."),
    ReviewRule("trace", "Trace assertion violated",
               "Some run sends or receives what the trace or notrace block does not allow."),
    ReviewRule("ltl", "LTL formula violated", "Some run does not satisfy the formula."),
    ReviewRule("never-claim", "Never claim matched",
               "Some run is one that the never claim describes."),
    ReviewRule("hoa", "Automaton accepts a run",
               "Some run is accepted by an automaton of the runs that are wrong."),
    ReviewRule("acceptance", "Acceptance cycle",
               "Some run goes through an accept label again and again for ever."),
    ReviewRule("non-progress", "Non-progress cycle",
               "Some run goes on for ever without passing a progress label."),
    ReviewRule("inconclusive", "Not decided",
               "The search did not see everything: a limit was reached, or it was approximate."),
    ReviewRule("model-error", "Error in the model",
               "The model cannot be checked as it is written."),
    ReviewRule("model-warning", "Warning", "The model can be checked, but this is hardly meant."),
    ReviewRule("internal-error", "Internal error", "A bug in whorl."),
)  # fmt: skip
BY_NAME = {rule.name: rule for rule in _RULES}


def rule(name: str) -> ReviewRule:
    """The rule of that name; faults that have none of their own share their words."""
    return BY_NAME.get(name) or ReviewRule(
        name, name.replace("-", " ").capitalize(), "A run fails."
    )
