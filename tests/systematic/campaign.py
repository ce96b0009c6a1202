"""The campaign: what every configuration stores of systematic programs, judged by the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from support.compilers import QUICK
from systematic.quick import QuickJudge
from systematic.small import SmallProgram
from systematic.unions import Unit, units
from systematic.vocabulary import placed
from whorl.api import load
from whorl.audit.full import TooLarge
from whorl.audit.judge import Configuration, watching
from whorl.diagnostics import WhorlError
from whorl.native.compiler import Compiler

MEMBERS = 12  # programs in a unit
MOST_STATES = 20_000


@dataclass(frozen=True, slots=True)
class Finding:
    """A configuration that loses or makes up something of a program."""

    program: str
    configuration: str
    problem: str
    text: str


@dataclass(slots=True)
class Report:
    """What a campaign compared."""

    programs: int = 0
    united: int = 0  # of them in units
    comparisons: int = 0
    states: int = 0  # of the full graphs
    too_large: int = 0
    refused: int = 0  # programs that whorl does not take
    by_configuration: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def add(self, other: Report) -> None:
        self.programs += other.programs
        self.united += other.united
        self.comparisons += other.comparisons
        self.states += other.states
        self.too_large += other.too_large
        self.refused += other.refused
        self.by_configuration += other.by_configuration
        self.tags += other.tags
        self.findings += other.findings


def campaign(
    programs: Iterable[SmallProgram],
    always: Sequence[Configuration],
    others: Sequence[Configuration] = (),
    turns: int = 1,
    first: int = 0,
) -> Report:
    """Judges configurations on programs, in units of several.

    Each unit gets those of `always` and one in `turns` of the `others`: it is their turn in order,
    beginning with the `first`.
    """
    report, cc = Report(), QUICK
    rest = [how for how in others if how not in always]
    for number, unit in enumerate(units(programs, MEMBERS), first):
        report.add(judged(unit, [*always, *rest[number % turns :: turns]], cc))
    return report


def judged(
    unit: Unit | SmallProgram, configurations: Sequence[Configuration], cc: Compiler
) -> Report:
    """One unit or program. Of a unit in which something is wrong each member is judged alone."""
    members = unit.members if isinstance(unit, Unit) else (unit,)
    report = Report(len(members), len(members) if isinstance(unit, Unit) else 0)
    for member in members:
        report.tags.update(member.tags)
    try:
        judge = judge_of(unit, cc)
    except WhorlError:
        if not isinstance(unit, Unit):
            return Report(refused=1)
        return _one_by_one(unit, configurations, cc)
    try:
        report.states = len(judge.full.states)
    except TooLarge:
        report.too_large = len(members)
        return report
    except Exception as error:  # an internal error is a finding, too
        said = f"{type(error).__name__}: {error}"
        report.findings.append(Finding(_name(unit), "the full graph", said, unit.text))
        return report
    judge.prepare(configurations)
    wrong: list[tuple[Configuration, str]] = []
    for how in configurations:
        try:
            problem = judge.judge(how).problem
        except TooLarge:
            report.too_large += 1
            continue
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        report.comparisons += len(members)
        report.by_configuration[str(how)] += len(members)
        if problem is not None:
            wrong.append((how, problem))
    report.findings += _findings(unit, wrong, cc)
    return report


def _one_by_one(unit: Unit, configurations: Sequence[Configuration], cc: Compiler) -> Report:
    """The members of a unit of which one is no program."""
    report = Report()
    for member in unit.members:
        report.add(judged(member, configurations, cc))
    return report


def _findings(
    unit: Unit | SmallProgram, wrong: list[tuple[Configuration, str]], cc: Compiler
) -> Iterator[Finding]:
    if not isinstance(unit, Unit):
        for how, problem in wrong:
            yield Finding(unit.name, str(how), problem, unit.text)
        return
    for how, problem in wrong:
        alone = [f for member in unit.members for f in judged(member, [how], cc).findings]
        yield from alone or [Finding(_name(unit), str(how), problem, unit.text)]


def _name(unit: Unit | SmallProgram) -> str:
    if not isinstance(unit, Unit):
        return unit.name
    return "only together: " + ", ".join(member.name for member in unit.members)


def judge_of(unit: Unit | SmallProgram, cc: Compiler) -> QuickJudge:
    """The judge of a unit or program; its members' visible propositions are all looked at."""
    visible = [placed(text, 0, None) for text in unit.visible]
    model = load(unit.text, ltl=visible)
    program = model.program
    atoms = [formula.atoms[0] for formula in program.formulas]
    accepts = any(process.accept_locations for process in program.processes)
    slots = tuple(v.offset for v in program.variables if v.name == "member")
    claim = watching(atoms, visible, accepts=accepts)
    return QuickJudge(program, claim, cc, MOST_STATES, slots)
