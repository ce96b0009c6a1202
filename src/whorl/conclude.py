"""From what a search found to a verdict for each property."""

from __future__ import annotations

from whorl.program.program import Program
from whorl.property.claim import Claim
from whorl.search.coverage import Coverage
from whorl.search.exploration import ASSERTION, Exploration, Options
from whorl.task import Task
from whorl.trace.trace import Trace
from whorl.verdict import HOLDS, INCONCLUSIVE, VIOLATED, Property, Verdict

# What is always looked at: the kind, its name in a report, and what "holds" means.
CHECKED = (
    ("assertion", "assertions", "no assertion fails"),
    ("end state", "end states", "no invalid end state is reachable"),
    ("array bounds", "array bounds", "every index is within bounds"),
    ("division by zero", "division", "no division by zero"),
    ("channel", "channels", "no channel is misused"),
)

# Why nothing is known of a property, where another one is violated.
STOPPED_AT_FIRST = "not all states were seen: the search stopped at the first violation"

# What "holds" means for a claim of each kind; the braces take the word "fair", and the formula.
HELD = {
    "ltl": "every {0} satisfies {1}",
    "acceptance": "no {2}cycle through an accept label",
    "non-progress": "no {2}cycle without progress",
}


def is_complete(exploration: Exploration, options: Options) -> bool:
    """Whether the search saw every state."""
    return why_incomplete(exploration, options) is None


def cut_short(exploration: Exploration, options: Options) -> bool:
    """Whether the search stopped at the first violation."""
    return bool(exploration.violations) and not options.all_errors


def properties(
    task: Task, exploration: Exploration, traces: tuple[Trace, ...]
) -> tuple[Property, ...]:
    """The verdicts of a search."""
    if task.claim is None:
        return _safety(task.program, exploration, traces, task.options)
    return (_of_claim(task, exploration, traces),)


def _safety(
    program: Program, exploration: Exploration, traces: tuple[Trace, ...], options: Options
) -> tuple[Property, ...]:
    """The verdict of a search for safety on each thing that it looked at."""
    left_out = {
        kind
        for kind, wanted in (("assertion", options.assertions), ("end state", options.end_states))
        if not wanted
    }
    checked = [entry for entry in CHECKED if entry[0] not in left_out]
    if program.trace is not None:
        checked.append(("trace", "trace assertion", "every run follows it"))
    known = {kind for kind, _, _ in checked}
    extra = dict.fromkeys(trace.kind for trace in traces if trace.kind not in known)
    checked += [(kind, kind, "") for kind in extra]
    incomplete = why_incomplete(exploration, options)
    result = []
    for kind, name, holds in checked:
        messages = list(dict.fromkeys(t.message for t in traces if t.kind == kind))
        verdict: Verdict
        if messages:
            verdict, why = VIOLATED, "; ".join(messages)
        elif incomplete is not None:
            verdict, why = INCONCLUSIVE, incomplete
        else:
            verdict, why = HOLDS, holds
        result.append(Property(name, kind, verdict, why))
    return tuple(result)


def _of_claim(task: Task, exploration: Exploration, traces: tuple[Trace, ...]) -> Property:
    """The verdict of a search for a run that the claim accepts."""
    claim = task.claim
    assert claim is not None
    verdict: Verdict
    incomplete = why_incomplete(exploration, task.options)
    if traces:
        verdict, why = VIOLATED, traces[0].message
    elif incomplete is not None:
        verdict, why = INCONCLUSIVE, incomplete
    elif not task.plan.soundness.sound:
        scheme, reason = task.plan.scheme, task.plan.soundness.reason
        why = f"no violation found (scheme {scheme} is unsound for this automaton: {reason})"
        verdict = INCONCLUSIVE
    else:
        held = HELD.get(claim.kind, "no {0} matches it")
        fairly = "fair " if task.options.fair else ""
        verdict, why = HOLDS, held.format(task.options.runs, claim.formula_text, fairly)
    return Property(claim.name, claim.kind, verdict, why)


def why_incomplete(exploration: Exploration, options: Options) -> str | None:
    """Why "no violation" cannot be said of everything; None if it can."""
    if exploration.stopped is not None:
        return f"not all states were seen: {exploration.stopped}"
    if exploration.truncated:
        return (
            f"not all states were seen: the depth limit of {options.limits.depth:,} cut runs short"
        )
    if exploration.collision is not None:
        chance = (
            "below 0.0001" if exploration.collision < 1e-6 else f"{100 * exploration.collision:.2g}"
        )
        return (
            "not exhaustive: an approximate search, which at its end took a new state for one it"
            f" had seen with a chance of {chance} %"
        )
    if cut_short(exploration, options):
        return STOPPED_AT_FIRST
    return None


def holds_of_all(claim: Claim) -> str | None:
    """What to say of a claim that holds of every program; None if it is none."""
    from whorl.property.operations import accepted_word  # safety does without it

    if claim.program_accepts or accepted_word(claim.automaton) is not None:
        return None
    if claim.formula is not None:
        return (
            f"{claim.name} holds of every program, whatever it does:"
            f" no run can violate {claim.formula_text}"
        )
    return f"{claim.name} holds of every program, whatever it does: it matches no run at all"


MOST_MET = 3  # failures that are told one by one


def failures_met(program: Program, exploration: Exploration) -> tuple[str, ...]:
    """What a search for a claim met that fails, and that the claim does not speak of."""
    statements = {t.number: t for p in program.processes for t in p.transitions()}
    said = []
    for kind, number in sorted(exploration.met, key=lambda met: (met[1], met[0])):
        statement = statements[number]
        where = f"{statement.text or 'the end of a process'}, line {statement.span.line}"
        if kind == ASSERTION:
            said.append(f"an assertion of this model fails ({where})")
        else:
            said.append(f"a run of this model ends in a fault ({kind}: {where})")
    more = len(said) - MOST_MET
    if more > 0:
        said[MOST_MET:] = [f"{more:,} more statements of this model fail"]
    return tuple(f"{text}: a formula does not say so; --safety checks it" for text in said)


def notes(program: Program, exploration: Exploration) -> tuple[str, ...]:
    """What else should be known about the result."""
    said = []
    if exploration.endless:
        said.append("an atomic sequence of this model can go round for ever")
    if any(variable.hidden for variable in program.variables):
        said.append("hidden variables are part of the state here, unlike in Spin")
    return tuple(said)


MOST_ASSERTIONS = 3  # that are told one by one


def unexecuted_assertions(coverage: Coverage) -> tuple[str, ...]:
    """Assertions that hold because they are never executed."""
    if not coverage.complete:
        return ()
    every = [each for each in coverage.missed if each.assertion]
    said = [
        f"{each.text} in {each.process}, line {each.line}, is never executed: it holds vacuously"
        for each in every[:MOST_ASSERTIONS]
    ]
    if len(every) > MOST_ASSERTIONS:
        more = len(every) - MOST_ASSERTIONS
        said.append(f"{more:,} more of the assertions are never executed (--unreached lists them)")
    return tuple(said)
