"""The options of `whorl check` and `whorl.check`, as one table, and those of `whorl swarm`.

The tables make the command line (`cli/from_table.py`), check the keyword arguments (`given.py`)
and give the tables of docs/reference. To add an option, add an entry to `CHECK` and, if Python
has it, the keyword to `whorl.check`: a test compares the two. It is so with `SWARM` and
`whorl.swarm`.

All texts spell options as the command line does; `spelling.py` has them for callers from Python.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from enum import Enum


class ValueKind(Enum):
    """What an option takes; the value is what the reference of the Python API says."""

    FLAG = "`bool`"
    CHOICE = "one of these"
    COUNT = "`int` above 0"
    BITS = "`int`"
    SECONDS = "seconds above 0"
    SIZE = '`int`, or text like `"512M"`'
    TEXTS = "text, or a list of texts"
    PATHS = "path, or a list of paths"
    MACROS = "mapping of names to texts or `int`"
    FUNCTION = "function"
    FILE = "text"
    PICTURE = "text that ends in .svg"
    FOLDER = "path"
    ADDRESS = '`True`, or text like `"10.0.0.1:6379"`'


class Group(Enum):
    """What an option is about; the value is its heading in `--help`."""

    MODEL = "the model"
    PROPERTIES = "what to check instead of all that the model asks for"
    RUNS = "which failures and infinite runs count"
    SEARCH = "how to search"
    LIMITS = "limits (one that is hit makes the result inconclusive)"
    SHOWN = "what to show"
    REPORTS = "several checks, and reports for other tools"
    RESEARCH = "for research"


class Where(Enum):
    """Who has an option."""

    BOTH = "both"
    COMMAND = "command line"
    PYTHON = "Python"


@dataclass(frozen=True, slots=True)
class Exclusion:
    """What does not go together: an option, and others whose value is none of `allowed`.

    With `needed` it is an option, and others that are not given. In `said`, {this} is the option
    and {other} the one that it does not go with.
    """

    said: str
    hint: str
    others: tuple[str, ...]
    allowed: tuple[str, ...] = ()  # (): the default alone
    values: tuple[str, ...] = ()  # of the option itself; (): any but the default
    needed: bool = False  # any value of the others but the default will do

    def allows(self, value: object, is_given: bool) -> bool:
        """Whether another option may have this value, beside the one that has the rule."""
        if self.needed:
            return is_given
        return value in self.allowed if self.allowed else not is_given


@dataclass(frozen=True, slots=True)
class Option:
    """An option: `name` is the Python keyword, the flag is the same with dashes."""

    name: str
    kind: ValueKind
    group: Group
    help: str
    default: object = None
    metavar: str | None = None
    choices: tuple[str, ...] | str = ()  # the names, or where they are: "module:NAME"
    basic: bool = False  # in `--help`; the others are in `--help-all`
    where: Where = Where.BOTH
    short: str = ""  # a flag of one letter
    rules: tuple[Exclusion, ...] = ()

    @property
    def flag(self) -> str:
        """The long flag. One whose default is True is switched off: `--no-merge`."""
        no = "no-" if self.default is True else ""
        return f"--{no}{self.name.replace('_', '-')}"

    @property
    def flags(self) -> tuple[str, ...]:
        if self.where is Where.PYTHON:
            return ()
        if self.short in ("-D", "-I"):
            return (self.short,)
        return (self.short, self.flag) if self.short else (self.flag,)

    @property
    def keyword(self) -> bool:
        """Whether Python takes it."""
        return self.where is not Where.COMMAND

    @property
    def repeatable(self) -> bool:
        return self.kind in (ValueKind.TEXTS, ValueKind.PATHS, ValueKind.MACROS)

    @property
    def names(self) -> tuple[str, ...]:
        """The values that a CHOICE has."""
        if isinstance(self.choices, tuple):
            return self.choices
        module, _, name = self.choices.partition(":")
        choices = getattr(importlib.import_module(module), name)
        return tuple(choices() if callable(choices) else choices)

    def hint(self, value: str) -> str:
        """What to say of a value that it does not have; its module may know a former one."""
        if isinstance(self.choices, str):
            module = importlib.import_module(self.choices.partition(":")[0])
            former: dict[str, str] = getattr(module, "OLD_NAMES", {})
            if value in former:
                return former[value]
        return f"it is one of: {', '.join(self.names)}"

    def is_given(self, value: object) -> bool:
        return bool(value) if self.repeatable else value != self.default


FLAG, CHOICE, FILE = ValueKind.FLAG, ValueKind.CHOICE, ValueKind.FILE
MODEL, PROPERTIES, RUNS, SEARCH = Group.MODEL, Group.PROPERTIES, Group.RUNS, Group.SEARCH
LIMITS, SHOWN, REPORTS, RESEARCH = Group.LIMITS, Group.SHOWN, Group.REPORTS, Group.RESEARCH
COMMAND = Where.COMMAND
CLAIMS = ("ltl", "claim", "hoa", "acceptance", "non_progress")  # what is not safety

APPROXIMATE = Exclusion(
    "{this} keeps no states, and the search for cycles of {other} needs them",
    "store states exactly (--store tree, --store exact), or check safety alone (--safety)",
    CLAIMS,
    values=("hash-compact", "bitstate"),
)
ONE_STORE = Exclusion(
    "{this} stores states as they are, so it does not go with {other}",
    "leave out --engine or --store",
    ("store",),
    allowed=("auto", "exact"),
    values=("reference", "gpu"),
)
OF_BITSTATE = Exclusion(
    "{this} is the size of --store bitstate alone",
    "add --store bitstate, or leave --bits out",
    ("store",),
    allowed=("bitstate",),
)
SAFETY_ALONE = Exclusion(
    "{this} leaves the C of a search for safety, and {other} is none",
    "leave out {other}, or --emit-c",
    CLAIMS,
)
CLUSTER_RUNS_NATIVE = Exclusion(
    "{this} runs the native engine, so it does not go with {other}",
    "leave out {this} or --engine",
    ("engine",),
    allowed=("auto", "native"),
)
CLUSTER_STORES = Exclusion(
    "the workers of {this} store states in trees, so it does not go with {other}",
    "leave out --store, or {this}",
    ("store",),
    allowed=("auto", "tree"),
)
CLUSTER_HAS_WORKERS = Exclusion(
    "{this} has workers of one thread each, so it does not go with {other}",
    "write --workers N, or leave out {this}",
    ("threads",),
)
CLUSTER_ALONE = Exclusion(
    "{this} does one search for each property, and {other} needs others on this machine",
    "leave out {this} or {other}",
    ("audit", "emit_c", "vacuity", "witness"),
)
OF_CLUSTER = Exclusion(
    "{this} is for a search with {other}",
    "add --cluster, or leave out {this}",
    ("cluster",),
    needed=True,
)
ONE_FOLDER = Exclusion(
    "{this} goes on keeping the search where it is, so it does not go with {other}",
    "leave out {other}",
    ("checkpoint",),
)
OF_ONE_THREAD = Exclusion(
    "{this} leaves the C of a search on one thread",
    "leave out {other}, or --emit-c",
    ("threads",),
)

# Of every command; the first two, of those that read a model.
COMMON = (
    Option("defines", ValueKind.MACROS, MODEL, "define a macro; without a value it is 1",
           metavar="NAME[=VALUE]", basic=True, short="-D"),
    Option("include_dirs", ValueKind.PATHS, MODEL, "look for included files there too",
           (), "DIR", short="-I"),
    Option("json", FLAG, SHOWN, "print one JSON object and nothing else",
           False, basic=True, where=COMMAND),
    Option("color", CHOICE, SHOWN, "colour the output; auto: of a terminal, if NO_COLOR is not set",
           "auto", "WHEN", ("auto", "always", "never"), where=COMMAND),
    Option("debug", FLAG, SHOWN, "show the traceback of an internal error", False, where=COMMAND),
)  # fmt: skip
# Of commands that run a model.
RUNNING = (
    Option("allow_embedded_c", FLAG, MODEL,
           "run the C code in the model, too: trust whoever wrote it", False),
    Option("no_cache", FLAG, SEARCH,
           "compile anew, and keep nothing that was compiled (see `whorl cache`)", False),
)  # fmt: skip
# Of `whorl check` alone.
CHECKING = (
    Option("safety", FLAG, PROPERTIES, "check the model's safety", False, basic=True),
    Option("ltl", ValueKind.TEXTS, PROPERTIES, "check that every run satisfies this LTL formula",
           (), "FORMULA", basic=True),
    Option("claim", ValueKind.TEXTS, PROPERTIES, "check the ltl block or never claim of that name",
           (), "NAME", basic=True),
    Option("hoa", ValueKind.PATHS, PROPERTIES,
           "check that no run is accepted by this automaton, as by a never claim", (), "FILE"),
    Option("acceptance", FLAG, PROPERTIES, "check that no cycle goes through an accept label",
           False),
    Option("non_progress", FLAG, PROPERTIES, "check that every cycle goes through a progress label",
           False, basic=True),
    Option("assertions", FLAG, RUNS, "ignore assertions that fail", True),
    Option("end_states", FLAG, RUNS, "ignore invalid end states", True, basic=True),
    Option("fair", FLAG, RUNS,
           "count only runs in which no process waits for ever that could always move",
           False, basic=True),
    Option("infinite_runs", FLAG, RUNS,
           "count only runs that never stop; otherwise one that stops stays where it is for ever",
           False),
    Option("shortest", FLAG, SEARCH,
           "find a short counterexample; of safety, one that is as short as any",
           False, basic=True),
    Option("all_errors", FLAG, SEARCH, "go on after the first violation", False, basic=True),
    Option("engine", CHOICE, SEARCH,
           "the engine that searches; auto is native where it can run the model, never gpu, which"
           " knows no fairness and was not run on a GPU yet",
           "auto", "NAME", "whorl.engines:ENGINES", rules=(ONE_STORE,)),
    Option("store", CHOICE, SEARCH,
           "how to store states; the last two are approximate, and for safety alone",
           "auto", "NAME", "whorl.task:STORES", basic=True, rules=(APPROXIMATE,)),
    Option("bits", ValueKind.BITS, SEARCH,
           "the size of --store bitstate: 2^N bits, N from 20 to 40",
           metavar="N", rules=(OF_BITSTATE,)),
    Option("threads", ValueKind.COUNT, SEARCH,
           "search with so many threads, once the search is large; without it, one for each core"
           " where they store about what one does",
           metavar="N"),
    Option("cluster", ValueKind.ADDRESS, SEARCH,
           "search with workers of Ray: of the cluster at ADDRESS (host:port), or of this machine",
           metavar="ADDRESS",
           rules=(CLUSTER_RUNS_NATIVE, CLUSTER_STORES, CLUSTER_HAS_WORKERS, CLUSTER_ALONE)),
    Option("workers", ValueKind.COUNT, SEARCH,
           "with --cluster: so many workers; without it, one for each core",
           metavar="N", rules=(OF_CLUSTER,)),
    Option("checkpoint", ValueKind.FOLDER, SEARCH,
           "with --cluster: keep what is found there, to go on from if something fails; without"
           " it, in the folder that `whorl cache` names",
           metavar="DIR", rules=(OF_CLUSTER,)),
    Option("resume", ValueKind.FOLDER, SEARCH,
           "with --cluster: go on with the search that is kept there",
           metavar="DIR", rules=(OF_CLUSTER, ONE_FOLDER)),
    Option("max_states", ValueKind.COUNT, LIMITS, "stop after so many states", metavar="N"),
    Option("max_depth", ValueKind.COUNT, LIMITS, "cut runs off after so many steps", metavar="N"),
    Option("timeout", ValueKind.SECONDS, LIMITS, "stop after that time, whatever it is doing",
           metavar="SECONDS", basic=True),
    Option("memory", ValueKind.SIZE, LIMITS,
           "stop at that much memory, like 512M or 2G; without it, at 80 % of what is free",
           metavar="SIZE", basic=True),
    Option("quiet", FLAG, SHOWN, "show the last line alone",
           False, basic=True, where=COMMAND, short="-q"),
    Option("shorten", FLAG, SHOWN,
           "show a run as it was found, with steps that have nothing to do with the violation",
           True),
    Option("explain", FLAG, SHOWN, "mark the steps that matter; show where it could go well",
           False, basic=True),
    Option("full_trace", FLAG, SHOWN, "show every step of a long counterexample",
           False, where=COMMAND),
    Option("fold", FLAG, SHOWN,
           "show an atomic sequence or the call of an inline in a counterexample as one line; in"
           " --chart, each message of it",
           False, where=COMMAND),
    Option("step", ValueKind.COUNT, SHOWN,
           "show the whole state after that step of a counterexample, and not its steps",
           metavar="N", where=COMMAND),
    Option("where", FILE, SHOWN,
           "list the steps of a counterexample after which this becomes true or false",
           metavar="EXPRESSION", where=COMMAND),
    Option("pager", FLAG, SHOWN,
           "on a terminal, too, show a long report without $PAGER", True, where=COMMAND),
    Option("unreached", FLAG, SHOWN, "list the statements that were never executed",
           False, basic=True, where=COMMAND),
    Option("vacuity", FLAG, SHOWN,
           "of a formula that holds, say whether a part of it does not matter", False),
    Option("witness", FLAG, SHOWN,
           "of a formula that holds, show a run on which it says something", False),
    Option("coverage", FILE, SHOWN,
           "write the source with a mark at what was executed; FILE.html is a page, - is here",
           metavar="FILE", where=COMMAND),
    Option("trail", FILE, SHOWN, "write the counterexample, for `whorl simulate --trail`",
           metavar="FILE", basic=True, where=COMMAND),
    Option("spin_trail", FILE, SHOWN, "write the counterexample for Spin: `spin -t -k FILE MODEL`",
           metavar="FILE", where=COMMAND),
    Option("itf", FILE, SHOWN, "write the states of the counterexample in ITF, as Apalache does",
           metavar="FILE", where=COMMAND),
    Option("dot", FILE, SHOWN, "write the counterexample as a chain of states for Graphviz",
           metavar="FILE", where=COMMAND),
    Option("chart", ValueKind.PICTURE, SHOWN, "draw the counterexample as a sequence chart",
           metavar="FILE.svg", where=COMMAND),
    Option("html", FILE, SHOWN, "write the counterexamples as a page for a browser",
           metavar="FILE", basic=True, where=COMMAND),
    Option("report", ValueKind.FUNCTION, SHOWN,
           "called every now and then with the figures so far, a `Progress`", where=Where.PYTHON),
    Option("sweep", ValueKind.TEXTS, REPORTS,
           "check with each of these values of a macro: 2,4,8 or 2..6; -D NAME=2..6 does, too",
           (), "NAME=VALUES", where=COMMAND),
    Option("watch", FLAG, REPORTS, "check again whenever a file of the model changes",
           False, basic=True, where=COMMAND),
    Option("junit", FILE, REPORTS, "write a test report in JUnit's XML",
           metavar="FILE", basic=True, where=COMMAND),
    Option("sarif", FILE, REPORTS, "write violations for code reviews, in SARIF",
           metavar="FILE", where=COMMAND),
    Option("gitlab", FILE, REPORTS, "write violations for GitLab, as a report of Code Quality",
           metavar="FILE", where=COMMAND),
    Option("github", FLAG, REPORTS, "print violations as annotations of GitHub Actions",
           False, where=COMMAND),
    Option("por", CHOICE, RESEARCH, "the partial-order reduction; auto is one that is sound",
           "auto", "NAME", "whorl.reduction.schemes:names"),
    Option("cache", CHOICE, RESEARCH, "which states a scheme stores that can leave some out",
           "all", "NAME", "whorl.reduction.schemes:CACHES"),
    Option("candidates", CHOICE, RESEARCH,
           "whose steps an ample set may be; without it, the scheme decides",
           None, "NAME", "whorl.reduction.schemes:CANDIDATES"),
    Option("keep", CHOICE, RESEARCH,
           "how a scheme that looks at the stack tells the second search what the first one chose",
           "number", "NAME", "whorl.reduction.schemes:KEEPS"),
    Option("process_order", CHOICE, RESEARCH,
           "in which order a scheme tries processes one by one; without it, last first, as in Spin",
           None, "NAME", "whorl.reduction.schemes:PROCESS_ORDERS"),
    Option("algorithm", CHOICE, RESEARCH,
           "how to look for cycles; auto is the fastest that is right",
           "auto", "NAME", "whorl.search.exploration:ALGORITHMS"),
    Option("audit", FLAG, RESEARCH,
           "compare what was stored with the full graph, of up to 20,000 states: was anything"
           " lost?", False),
    Option("merge", FLAG, RESEARCH,
           "keep the states between local steps and the values of dead variables, too", True),
    Option("emit_c", FILE, RESEARCH,
           "leave the C of a search for safety and the command to build it, and stop",
           metavar="DIR", where=COMMAND, rules=(SAFETY_ALONE, OF_ONE_THREAD)),
)  # fmt: skip
CHECK = (*COMMON, *RUNNING, *CHECKING)


ONE_OF_THE_LIST = Exclusion(
    "{this} does one search of the list, and {other} so many from its beginning",
    "leave out {this} or {other}",
    ("searches",),
)
# Of `whorl swarm`, beside what it has in common with `whorl check`.
SWARMING = (
    Option("workers", ValueKind.COUNT, SEARCH,
           "do so many searches at a time; without it, one for each core that may be used",
           metavar="N", basic=True),
    Option("seed", ValueKind.COUNT, SEARCH, "of the list of searches: another seed, other searches",
           1, "N", basic=True),
    Option("only", ValueKind.COUNT, SEARCH, "do the search with that number in the list alone",
           metavar="N", basic=True, rules=(ONE_OF_THE_LIST,)),
    Option("bits", ValueKind.BITS, SEARCH,
           "the size of each search: 2^N bits, N from 20 to 40; without it sizes differ, most are"
           " small", metavar="N", basic=True),
    Option("searches", ValueKind.COUNT, LIMITS, "stop after so many searches",
           metavar="N", basic=True),
    Option("memory", ValueKind.SIZE, LIMITS,
           "share that much memory, like 512M or 2G; without it, 80 % of what is free",
           metavar="SIZE", basic=True),
)  # fmt: skip
_SWARM_TOO = (
    *("assertions", "end_states", "max_depth", "timeout", "quiet", "shorten", "explain"),
    *("full_trace", "fold", "step", "where", "pager", "unreached", "coverage", "trail"),
    *("spin_trail", "itf", "dot", "chart", "html", "report", "por", "merge"),
)
SWARM = (
    *COMMON,
    *RUNNING,
    *SWARMING,
    *(option for option in CHECKING if option.name in _SWARM_TOO),
)

BY_NAME = {option.name: option for option in CHECK}
BY_FLAG = {flag: option for option in (*SWARMING, *CHECK) for flag in option.flags}
KEYWORDS = tuple(option.name for option in CHECK if option.keyword)
SWARM_BY_NAME = {option.name: option for option in SWARM}
SWARM_KEYWORDS = tuple(option.name for option in SWARM if option.keyword)
