"""The flags of Spin 6.5.2, and what to write for each: one table.

It makes the hints for Spin's flags, the translation of whole command lines (`cli/from_spin.py`),
the hints for `-DNP` and the like (`promela/outside.py`) and the tables of
docs/coming-from-spin.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

_NUMBERS = re.compile(r"=?\d{1,9}(,\d{1,9})?")


class Whose(Enum):
    """Who takes a flag; the value is what users type before it."""

    SPIN = "spin"
    SEARCH = "spin -search"
    PAN = "pan"
    COMPILER = "cc"


@dataclass(frozen=True, slots=True)
class SpinFlag:
    """A flag of Spin's.

    `value` is what follows: `N` at once, ` FILE` in a word of its own, in brackets what may be
    absent. `instead` is a command of whorl with its options; a name in capitals stands for a
    value. Where it is empty, `note` says why. A `refused` flag has no counterpart and cannot be
    ignored: the model means something else with it, or the command does.
    """

    whose: Whose
    flag: str
    value: str
    means: str
    instead: str = ""
    note: str = ""
    refused: bool = False

    @property
    def command(self) -> str:
        """The command of whorl, if there is one."""
        return self.instead.partition(" ")[0]

    @property
    def options(self) -> list[str]:
        """What the command is given."""
        return self.instead.split()[1:]

    @property
    def counterpart(self) -> str:
        """What to write, and what to know of it."""
        if not self.instead:
            return f"none: {self.note}"
        return f"`whorl {self.instead}`" + (f"; {self.note}" if self.note else "")

    @property
    def takes_word(self) -> bool:
        """Whether the value can be the next word."""
        return self.value.startswith(" ")

    @property
    def optional(self) -> bool:
        """Whether the value may be absent."""
        return not self.value or "[" in self.value

    def value_in(self, word: str) -> str | None:
        """The value that a word gives this flag, "" for none; None: it is not this flag."""
        if not word.startswith(self.flag):
            return None
        rest = word.removeprefix(self.flag)
        if not rest:
            return rest if self.optional or self.takes_word else None
        numbers = self.value.strip("=[]") in ("N", "N,M")
        if not self.value or self.takes_word or (numbers and not _NUMBERS.fullmatch(rest)):
            return None
        return rest.removeprefix("=")


def named(word: str, whose: Iterable[Whose]) -> Iterator[tuple[SpinFlag, str]]:
    """The flags that a word may be, with its value; of each owner the longest name counts."""
    for owner in whose:
        found = [
            (row, value)
            for row in FLAGS
            if row.whose is owner and (value := row.value_in(word)) is not None
        ]
        if found:
            yield max(found, key=lambda each: len(each[0].flag))


_SPIN, _SEARCH, _PAN, _CC = Whose.SPIN, Whose.SEARCH, Whose.PAN, Whose.COMPILER
NOT_NEEDED = "whorl needs no such setting"
_SHOWN = "a simulation shows it anyway"
_ORDER = (
    "the order of the search is fixed, and no verdict depends on it; `whorl swarm` draws orders"
)
_ONE_CORE = "threads share one store and no queue"
_ON_THREADS = "`--threads N` searches on N threads"
_SPACE = "the table of states grows as needed; `--memory SIZE` limits it"
_MEANING = "whorl has this one meaning of Promela alone"
_DEBUG = "it prints what pan's authors need"
_NO_MERGE = "it changes the number of states alone, as `whorl check --no-merge` does"
_TRAIL_NAME = "`whorl check --trail FILE` says where the trail goes"

# fmt: off
FLAGS: tuple[SpinFlag, ...] = (
    # --- spin -----------------------------------------------------------------------------------
    SpinFlag(_SPIN, "-a", "", "generate a verifier", "check",
             "it generates, compiles and runs the verifier; `--emit-c DIR` leaves the C"),
    SpinFlag(_SPIN, "-run", "", "generate, compile and run a verifier", "check"),
    SpinFlag(_SPIN, "-search", "", "generate, compile and run a verifier", "check"),
    SpinFlag(_SPIN, "-replay", "", "replay the error trail", "simulate --trail FILE",
             "a trail of whorl's or of Spin's"),
    SpinFlag(_SPIN, "-t", "[N]", "follow the (Nth) error trail", "simulate --trail FILE",
             "a trail of whorl's or of Spin's"),
    SpinFlag(_SPIN, "-k", " FILE", "follow the trail in a file", "simulate --trail FILE",
             "a trail of whorl's or of Spin's"),
    SpinFlag(_SPIN, "-i", "", "simulate interactively", "simulate --interactive"),
    SpinFlag(_SPIN, "-n", "N", "seed of the random simulation", "simulate --seed N"),
    SpinFlag(_SPIN, "-u", "N", "stop the simulation after N steps", "simulate --steps N",
             "without it, after 10,000"),
    SpinFlag(_SPIN, "-D", "NAME[=VALUE]", "define a macro", "check -D NAME=VALUE",
             "every command that reads a model has it"),
    SpinFlag(_SPIN, "-E", "OPTION", "an option for the preprocessor", "check -I DIR",
             "the preprocessor is whorl's own: it has `-D` and `-I`"),
    SpinFlag(_SPIN, "-U", "NAME", "undefine a macro", "",
             "leave its `-D` out; whorl predefines no macro", refused=True),
    SpinFlag(_SPIN, "-P", "COMMAND", "another preprocessor", "",
             "the preprocessor is whorl's own; `COMMAND m.pml | whorl check -` reads its output",
             refused=True),
    SpinFlag(_SPIN, "-f", " FORMULA", "translate a formula into a never claim",
             "property --never FORMULA",
             "with `-a` it is `whorl check --ltl '!(FORMULA)'`: a never claim has the bad runs"),
    SpinFlag(_SPIN, "-F", " FILE", "as `-f`, for the first line of a file",
             "property --never FORMULA"),
    SpinFlag(_SPIN, "-N", " FILE", "use the never claim in a file", "",
             "write `#include \"FILE\"` at the end of the model", refused=True),
    SpinFlag(_SPIN, "-e", "", "print the synchronous product of the claims", "",
             "`whorl check` checks each claim by itself", refused=True),
    SpinFlag(_SPIN, "-L", "", "with `-e`, strict intersection of languages", "",
             "it belongs to `-e`", refused=True),
    SpinFlag(_SPIN, "-I", "", "show the model after preprocessing and inlining", "parse --ast",
             "as a syntax tree"),
    SpinFlag(_SPIN, "-d", "", "print the symbol table", "parse --ast",
             "the declarations are in the syntax tree"),
    SpinFlag(_SPIN, "-x", "", "print the transition tables", "parse --dot",
             "as automata for Graphviz"),
    SpinFlag(_SPIN, "-A", "", "slice the model for its properties", "",
             "there is no slicing; `whorl check` resets dead variables by itself", refused=True),
    SpinFlag(_SPIN, "-C", "", "print who uses which channel", "",
             "`whorl explain` says which steps depend on each other", refused=True),
    SpinFlag(_SPIN, "-pp", "", "reformat standard input", "",
             "there is no formatter", refused=True),
    SpinFlag(_SPIN, "-m", "", "messages to full channels are lost", "",
             "write the loss into the model: `if :: c!x :: full(c) fi`", refused=True),
    SpinFlag(_SPIN, "-J", "", "reverse the order of nested unless", "", _MEANING, refused=True),
    SpinFlag(_SPIN, "-O", "", "the scope rules before Spin 6", "", _MEANING, refused=True),
    SpinFlag(_SPIN, "-o6", "", "the priorities before Spin 6.2", "", _MEANING, refused=True),
    SpinFlag(_SPIN, "-o7", "", "the semicolons before Spin 6.3", "", _MEANING, refused=True),
    SpinFlag(_SPIN, "-o1", "", "no data-flow optimisation", "", _NO_MERGE),
    SpinFlag(_SPIN, "-o2", "", "keep variables that are only written", "", _NO_MERGE),
    SpinFlag(_SPIN, "-o3", "", "no merging of statements", "", _NO_MERGE),
    SpinFlag(_SPIN, "-o4", "", "optimise rendezvous", "", NOT_NEEDED),
    SpinFlag(_SPIN, "-o5", "", "make pan.m smaller", "", NOT_NEEDED),
    SpinFlag(_SPIN, "-S1", "", "separate C for the claim", "", NOT_NEEDED),
    SpinFlag(_SPIN, "-S2", "", "separate C for the model", "", NOT_NEEDED),
    SpinFlag(_SPIN, "-p", "", "print every statement", "simulate",
             "unless `--print-only` is given"),
    SpinFlag(_SPIN, "-g", "", "print global variables", "simulate", _SHOWN),
    SpinFlag(_SPIN, "-l", "", "print local variables", "simulate", _SHOWN),
    SpinFlag(_SPIN, "-s", "", "print sends", "simulate", _SHOWN),
    SpinFlag(_SPIN, "-r", "", "print receives", "simulate", _SHOWN),
    SpinFlag(_SPIN, "-h", "", "print the seed at the end", "simulate", "the first line has it"),
    SpinFlag(_SPIN, "-c", "", "the run in columns", "simulate",
             "`whorl check --chart FILE.svg` draws a counterexample, a lane for each process"),
    SpinFlag(_SPIN, "-M", "", "a sequence chart in Tcl/Tk", "simulate",
             "`whorl check --chart FILE.svg` draws a counterexample"),
    SpinFlag(_SPIN, "-b", "", "no output of printf", "",
             "a simulation shows what printf prints below its step"),
    SpinFlag(_SPIN, "-B", "", "no final state", "",
             "`whorl simulate --print-only` shows nothing but what printf prints"),
    SpinFlag(_SPIN, "-T", "", "no indentation of printf", "",
             "`whorl simulate --print-only` never indents"),
    SpinFlag(_SPIN, "-j", "N", "skip N steps of the trail", "", "a simulation shows every step"),
    SpinFlag(_SPIN, "-q", "N", "hide a channel in the output", "",
             "a simulation shows every channel"),
    SpinFlag(_SPIN, "-v", "", "more warnings", "", "warnings are always shown"),
    SpinFlag(_SPIN, "-w", "", "even more output", "", "there is no such mode"),
    SpinFlag(_SPIN, "-X", "", "for xspin", "", "there is no xspin for whorl"),
    SpinFlag(_SPIN, "-Y", "", "for xspin", "", "there is no xspin for whorl"),
    SpinFlag(_SPIN, "-Z", "", "for xspin", "", "there is no xspin for whorl"),
    SpinFlag(_SPIN, "-V", "", "print the version", "--version"),
    # --- after -search, or -run -----------------------------------------------------------------
    SpinFlag(_SEARCH, "-ltl", " NAME", "check the formula of that name", "check --claim NAME",
             "pan looks at assertions, too: add `--safety --no-end-states`"),
    SpinFlag(_SEARCH, "-noclaim", "", "ignore ltl blocks and never claims", "check --safety"),
    SpinFlag(_SEARCH, "-safety", "", "safety alone", "check --safety",
             "claims are not looked at, unless `--claim NAME` asks for them"),
    SpinFlag(_SEARCH, "-bfs", "", "search breadth first", "check --shortest"),
    SpinFlag(_SEARCH, "-bfspar", "", "parallel, breadth first", "check --shortest", _ON_THREADS),
    SpinFlag(_SEARCH, "-dfspar", "", "parallel, depth first", "", _ON_THREADS),
    SpinFlag(_SEARCH, "-bcs", "", "bound context switches", "", "every run counts"),
    SpinFlag(_SEARCH, "-bitstate", "", "bitstate hashing", "check --store bitstate",
             "for safety alone"),
    SpinFlag(_SEARCH, "-bit", "", "bitstate hashing", "check --store bitstate",
             "for safety alone"),
    SpinFlag(_SEARCH, "-biterate", "[N,M]", "bitstate hashing, repeated",
             "check --store bitstate", "one run; `whorl swarm` has many, for safety alone"),
    SpinFlag(_SEARCH, "-swarm", "[N,M]", "bitstate hashing, many at a time",
             "check --store bitstate", "one run; `whorl swarm` has many, for safety alone"),
    SpinFlag(_SEARCH, "-hc", "[N]", "hash-compact storage", "check --store hash-compact",
             "for safety alone"),
    SpinFlag(_SEARCH, "-collapse", "", "compress states", "check --store tree",
             "states are compressed anyway"),
    SpinFlag(_SEARCH, "-noreduce", "", "no partial-order reduction", "check --por none"),
    SpinFlag(_SEARCH, "-link", " FILE", "link a C file", "",
             "embedded C is compiled by itself; `c_code` can hold the text of the file",
             refused=True),
    SpinFlag(_SEARCH, "-p_permute", "", "random order of processes", "", _ORDER),
    SpinFlag(_SEARCH, "-p_rotate", "[N]", "rotated order of processes", "", _ORDER),
    SpinFlag(_SEARCH, "-p_reverse", "", "reversed order of processes", "", _ORDER),
    SpinFlag(_SEARCH, "-p_normal", "", "normal order of processes", "", _ORDER),
    # --- pan ------------------------------------------------------------------------------------
    SpinFlag(_PAN, "-a", "", "find acceptance cycles", "check",
             "it does so unasked; `--acceptance` looks for cycles through accept labels alone"),
    SpinFlag(_PAN, "-l", "", "find non-progress cycles", "check --non-progress",
             "pan looks at assertions, too: add `--safety --no-end-states`"),
    SpinFlag(_PAN, "-f", "", "weak fairness", "check --fair"),
    SpinFlag(_PAN, "-A", "", "ignore assertions", "check --no-assertions"),
    SpinFlag(_PAN, "-E", "", "ignore invalid end states", "check --no-end-states"),
    SpinFlag(_PAN, "-q", "", "end states have empty channels", "",
             "an end state may have messages in channels", refused=True),
    SpinFlag(_PAN, "-N", " NAME", "use the claim of that name", "check --claim NAME",
             "without it all are checked; pan looks at assertions, too:"
             " add `--safety --no-end-states`"),
    SpinFlag(_PAN, "-N", "N", "use the Nth claim", "", "`--claim NAME` takes a name", refused=True),
    SpinFlag(_PAN, "-i", "", "find the shortest path to an error", "check --shortest"),
    SpinFlag(_PAN, "-I", "", "find a short path to an error", "check --shortest"),
    SpinFlag(_PAN, "-m", "N", "depth of the search", "check --max-depth N",
             "not needed: without it there is no limit"),
    SpinFlag(_PAN, "-b", "", "exceeding the depth is an error", "",
             "a limit that is reached makes the verdict inconclusive (status 3)"),
    SpinFlag(_PAN, "-c", "N", "stop at the Nth error", "check --all-errors",
             "`-c1` is what is done without it; other numbers are not counted"),
    SpinFlag(_PAN, "-e", "", "trails for all errors", "check --all-errors",
             "the report has all; `--trail` writes the first, `--html` all"),
    SpinFlag(_PAN, "-Q", "N", "stop after N minutes", "check --timeout SECONDS"),
    SpinFlag(_PAN, "-w", "N", "size of the table of states", "check --bits N",
             f"of `--store bitstate` alone: otherwise {_SPACE}"),
    SpinFlag(_PAN, "-M", "N", "megabytes of the bitstate table", "check --bits BITS",
             "of `--store bitstate` alone; it is a power of two"),
    SpinFlag(_PAN, "-G", "N", "gigabytes of the bitstate table", "check --bits BITS",
             "of `--store bitstate` alone; it is a power of two"),
    SpinFlag(_PAN, "-k", "N", "bits for each state, in bitstate hashing", "",
             "whorl chooses how many"),
    SpinFlag(_PAN, "-n", "", "do not list unreached statements", "check",
             "`--unreached` lists them, and nothing else does"),
    SpinFlag(_PAN, "-v", "", "verbose", "check", "`--full-trace` shows all of a long run"),
    SpinFlag(_PAN, "-d", "", "print the transition tables", "parse --dot",
             "as automata for Graphviz"),
    SpinFlag(_PAN, "-D", "", "print the transition tables for Graphviz", "parse --dot"),
    SpinFlag(_PAN, "-r", " [FILE]", "replay a trail", "simulate --trail FILE",
             "a trail of whorl's or of Spin's"),
    SpinFlag(_PAN, "-r", "N", "replay the Nth trail", "simulate --trail FILE",
             "a trail of whorl's or of Spin's"),
    SpinFlag(_PAN, "-C", " [FILE]", "replay in columns", "simulate --trail FILE",
             "`whorl check --chart FILE.svg` draws it"),
    SpinFlag(_PAN, "-g", " [FILE]", "replay for a chart", "simulate --trail FILE",
             "`whorl check --chart FILE.svg` draws it"),
    SpinFlag(_PAN, "-S", " [FILE]", "replay, output of printf alone",
             "simulate --print-only --trail FILE"),
    SpinFlag(_PAN, "-P", "N", "replay, one process alone", "simulate --trail FILE",
             "`whorl view` can hide processes"),
    SpinFlag(_PAN, "-T", "", "write trails read-only", "", "a trail is a file like others"),
    SpinFlag(_PAN, "-x", "", "do not overwrite a trail", "", _TRAIL_NAME),
    SpinFlag(_PAN, "-t", "SUFFIX", "another suffix of trails", "check --trail FILE"),
    SpinFlag(_PAN, "-t_reverse", "", "reversed order of transitions", "", _ORDER),
    SpinFlag(_PAN, "-h", "N", "another hash function", "", NOT_NEEDED),
    SpinFlag(_PAN, "-hash", "", "a random hash function", "", NOT_NEEDED),
    SpinFlag(_PAN, "-rhash", "", "a random hash function and order", "", _ORDER),
    SpinFlag(_PAN, "-RS", "N", "seed of random orders", "", _ORDER),
    SpinFlag(_PAN, "-R", "N", "N runs with other hash functions", "",
             "a bitstate search runs once; `whorl swarm` does many"),
    SpinFlag(_PAN, "-J", "", "reverse the order of nested unless", "", _MEANING, refused=True),
    SpinFlag(_PAN, "-z", "N", "hand states over below that depth", "", _ONE_CORE),
    SpinFlag(_PAN, "-V", "", "print the version", "--version"),
    # --- what pan.c is compiled with ------------------------------------------------------------
    SpinFlag(_CC, "-DSAFETY", "", "safety alone", "check --safety",
             "claims are not looked at, unless `--claim NAME` asks for them"),
    SpinFlag(_CC, "-DNP", "", "allow `pan -l`", "check --non-progress"),
    SpinFlag(_CC, "-DNOCLAIM", "", "ignore claims", "check --safety"),
    SpinFlag(_CC, "-DNOSTUTTER", "", "a run that stops does not go on", "check --infinite-runs"),
    SpinFlag(_CC, "-DNOFAIR", "", "no code for fairness", "", NOT_NEEDED),
    SpinFlag(_CC, "-DNFAIR", "=N", "room for fairness", "",
             f"{NOT_NEEDED}; fairness is `whorl check --fair`"),
    SpinFlag(_CC, "-DNOREDUCE", "", "no partial-order reduction", "check --por none"),
    SpinFlag(_CC, "-DXUSAFE", "", "do not check xr and xs", "", NOT_NEEDED),
    SpinFlag(_CC, "-DNXT", "", "allow X in formulas", "",
             f"{NOT_NEEDED}: formulas may have X"),
    SpinFlag(_CC, "-DBFS", "", "search breadth first", "check --shortest"),
    SpinFlag(_CC, "-DBFS_PAR", "", "parallel, breadth first", "check --shortest", _ON_THREADS),
    SpinFlag(_CC, "-DBFS_DISK", "", "breadth first, with files", "check --shortest",
             "states are kept in memory"),
    SpinFlag(_CC, "-DREACH", "", "miss no state within the depth", "check --shortest"),
    SpinFlag(_CC, "-DBITSTATE", "", "bitstate hashing", "check --store bitstate",
             "for safety alone"),
    *(SpinFlag(_CC, f"-DHC{n}", "", "hash-compact storage", "check --store hash-compact",
               "for safety alone") for n in ("", *range(5))),
    SpinFlag(_CC, "-DCOLLAPSE", "", "compress states", "check --store tree",
             "states are compressed anyway"),
    SpinFlag(_CC, "-DMA", "=N", "states as an automaton", "check --store tree"),
    SpinFlag(_CC, "-DNOCOMP", "", "states as they are", "check --store exact"),
    SpinFlag(_CC, "-DMEMLIM", "=N", "N megabytes of memory", "check --memory SIZE"),
    SpinFlag(_CC, "-DMEMCNT", "=N", "2^N bytes of memory", "check --memory SIZE"),
    SpinFlag(_CC, "-DVECTORSZ", "=N", "room for a state", "", NOT_NEEDED),
    SpinFlag(_CC, "-DCNTRSTACK", "", "a smaller stack", "", NOT_NEEDED),
    SpinFlag(_CC, "-DFULLSTACK", "", "a full stack in bitstate hashing", "", NOT_NEEDED),
    SpinFlag(_CC, "-DSC", "", "the stack partly in a file", "",
             "the stack is kept in memory"),
    SpinFlag(_CC, "-DSPACE", "", "less memory, more time", "", NOT_NEEDED),
    SpinFlag(_CC, "-DNOBOUNDCHECK", "", "no check of array bounds", "",
             "array bounds are always checked"),
    SpinFlag(_CC, "-DBCS", "", "bound context switches", "", "every run counts"),
    SpinFlag(_CC, "-DNCORE", "=N", "N cores", "check --threads N"),
    SpinFlag(_CC, "-DDUAL_CORE", "", "two cores", "check --threads 2"),
    SpinFlag(_CC, "-DQUAD_CORE", "", "four cores", "check --threads 4"),
    SpinFlag(_CC, "-DSEP_STATE", "", "each core has its states", "", _ONE_CORE),
    SpinFlag(_CC, "-DUSE_DISK", "", "work queues in files", "", _ONE_CORE),
    SpinFlag(_CC, "-DNUSE_DISK", "", "work queues in files", "", _ONE_CORE),
    SpinFlag(_CC, "-DMAX_DSK_FILE", "=N", "states in a file", "", _ONE_CORE),
    SpinFlag(_CC, "-DFULL_TRAIL", "", "whole trails, on several cores", "", _ONE_CORE),
    SpinFlag(_CC, "-DVMAX", "=N", "room for a state in a queue", "", _ONE_CORE),
    SpinFlag(_CC, "-DPMAX", "=N", "processes in a queue's state", "", _ONE_CORE),
    SpinFlag(_CC, "-DQMAX", "=N", "channels in a queue's state", "", _ONE_CORE),
    SpinFlag(_CC, "-DSET_WQ_SIZE", "=N", "memory of the work queue", "", _ONE_CORE),
    SpinFlag(_CC, "-DGLOB_HEAP", "", "one heap for all cores", "", _ONE_CORE),
    SpinFlag(_CC, "-DPERMUTED", "", "allow other orders of processes", "", _ORDER),
    SpinFlag(_CC, "-DP_RAND", "", "random order of processes", "", _ORDER),
    SpinFlag(_CC, "-DP_REVERSE", "", "reversed order of processes", "", _ORDER),
    SpinFlag(_CC, "-DT_RAND", "", "random order of transitions", "", _ORDER),
    SpinFlag(_CC, "-DT_REVERSE", "", "reversed order of transitions", "", _ORDER),
    SpinFlag(_CC, "-DRANDOMIZE", "[=N]", "random order of transitions", "", _ORDER),
    SpinFlag(_CC, "-DREVERSE", "", "reversed order of processes", "", _ORDER),
    SpinFlag(_CC, "-DRANDSTOR", "=N", "store some states alone", "", "every state is stored"),
    SpinFlag(_CC, "-DPRINTF", "", "printf during the search", "",
             "a counterexample shows what printf prints"),
    SpinFlag(_CC, "-DPUTPID", "", "the process in the name of a trail", "", _TRAIL_NAME),
    SpinFlag(_CC, "-DVAR_RANGES", "", "print the ranges of variables", "",
             "whorl has no such report"),
    SpinFlag(_CC, "-DPEG", "", "count executed transitions", "",
             "`whorl check --unreached` lists the statements that were never executed"),
    SpinFlag(_CC, "-DSVDUMP", "", "write all states to a file", "", _DEBUG),
    SpinFlag(_CC, "-DSDUMP", "", "print states", "", _DEBUG),
    SpinFlag(_CC, "-DCHECK", "", "trace the search", "", _DEBUG),
    SpinFlag(_CC, "-DDEBUG", "", "trace the search", "", _DEBUG),
    SpinFlag(_CC, "-DVERBOSE", "", "trace the search", "", _DEBUG),
)
# fmt: on

# By name, as `-DNAME` has it.
OF_THE_COMPILER = {row.flag.removeprefix("-D"): row for row in FLAGS if row.whose is _CC}
