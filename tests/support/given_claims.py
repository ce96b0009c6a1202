"""Verifiers that are told their claim when they run, so that many claims need one compilation.

The tables of the claim that a verifier is generated with are put aside for ones that it reads, a
line for each search; what a search leaves behind is lost with the process that it runs in, which
searches for a few claims only. A letter may have a number above the claim's propositions: runs
where it is neither zero nor the one that is asked for are not followed.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from whorl.native.code.claim import ClaimSearch, _acceptance
from whorl.native.code.generate import generate
from whorl.native.compiler import THREADED, Builder, Compiler
from whorl.program.choice import Choice
from whorl.program.program import Expr, Program
from whorl.program.semantics import Semantics
from whorl.property.automaton import Buchi, Edge, full
from whorl.property.claim import Claim
from whorl.search.exploration import Violation

MOST_STATES = 8
TABLES = """
enum {{ GIVEN_STATES = {states}, GIVEN_LETTERS = 1 << {width} }};
static uint8_t given_accepting[GIVEN_STATES], given_ends[GIVEN_STATES], given_kind[GIVEN_STATES];
static uint16_t given_component[GIVEN_STATES];
static uint16_t given_moves[GIVEN_STATES][GIVEN_LETTERS][GIVEN_STATES + 1];
static uint32_t given_which;

static uint16_t given_number(char **text) {{ return (uint16_t)strtol(*text, text, 10); }}

static void given_read(char *text) {{
  given_which = given_number(&text);
  for (int s = 0, states = given_number(&text); s < states; s++) {{
    given_accepting[s] = (uint8_t)given_number(&text);
    given_ends[s] = (uint8_t)given_number(&text);
    given_component[s] = given_number(&text);
    given_kind[s] = (uint8_t)given_number(&text);
    for (int letter = 0; letter < GIVEN_LETTERS; letter++) {{
      uint16_t *row = given_moves[s][letter];
      row[0] = given_number(&text);
      for (int i = 1; i <= row[0]; i++) row[i] = given_number(&text);
    }}
  }}
}}

static const uint16_t *given_targets(uint32_t state, uint32_t letter) {{
  static const uint16_t none[1] = {{0}};
  uint32_t which = letter / GIVEN_LETTERS;
  return which && which != given_which ? none : given_moves[state][letter % GIVEN_LETTERS];
}}

#define whorl_claim_accepting given_accepting
#define whorl_claim_ends given_ends
#define whorl_claim_component given_component
#define whorl_claim_kind given_kind
#define whorl_targets given_targets
#define main whorl_main
"""
MAIN = """
#undef main
#include <sys/wait.h>

enum { BATCH = 24, LINE = 1 << 14 };

static void given_search(char *line) {
  static whorl_search search;
  static whorl_product product;
  static char program[] = "verifier";
  char *arguments[] = {program};
  memset(&search, 0, sizeof search);
  memset(&product, 0, sizeof product);
  if (!whorl_read_options(&search.options, 1, arguments)) exit(2);
  given_read(line);
#if WHORL_THREADS
  search.options.threads = GIVEN_THREADS;
  whorl_crew_begin(&search);
#endif
  whorl_product_start(&product, &search);
#if WHORL_ALGORITHM == WHORL_SCC
  whorl_components_search(&product);
#elif WHORL_ALGORITHM == WHORL_OWCTY
  whorl_elimination_search(&product);
#elif WHORL_ALGORITHM == WHORL_CNDFS
  whorl_cndfs_search(&product);
#else
  whorl_nested_search(&product);
#endif
  if (search.stopped != WHORL_STOP_VIOLATION) printf("null\\n");
}

int main(void) {
  static char lines[BATCH][LINE];
  for (;;) {
    int read = 0, status;
    while (read < BATCH && fgets(lines[read], LINE, stdin)) read++;
    if (read == 0) return 0;
    pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < read; i++) given_search(lines[i]);
      fflush(stdout);
      _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 3;
  }
}
"""
LAST = '#include "reduction/scheme/none.h"\n#include "search/verifier.h"\n'  # of a generated text


class GivenVerifier:
    """The verifier of a program with one algorithm, for claims over the first of `atoms`.

    With several threads that is "cndfs", and all of them begin at once.
    """

    def __init__(
        self,
        program: Program,
        atoms: tuple[Expr, ...],
        width: int,
        algorithm: str,
        compiler: Compiler,
        *,
        fair: bool = True,
        drop_dead: bool = True,
        room: tuple[int, int] = (8, 2),
        threads: int = 1,
    ) -> None:
        self.program = program
        names = tuple(f"a{i}" for i in range(len(atoms)))
        loop = tuple((Edge(full(len(atoms)), s),) for s in range(MOST_STATES))
        some = Claim("given", "ltl", Buchi(names, 0, loop, frozenset()), atoms)
        processes, channels = room
        self.generated = generate(
            Semantics(program),
            processes_most=processes,
            channels_most=channels,
            merge=False,
            drop_dead=drop_dead,
            search=ClaimSearch(some, algorithm, fair, infinite_runs=False),
        )
        tables = TABLES.format(states=MOST_STATES, width=width)
        text = "#define WHORL_ONLY WHORL_EXACT\n" + self.generated.text
        if threads > 1:
            number = f"enum {{ GIVEN_THREADS = {threads} }};\n"
            text = THREADED + number + text.replace("WHORL_EXACT", "WHORL_TREE", 1)
        assert text.count(LAST) == 1
        self.builder = Builder(compiler)
        self.verifier = self.builder.build(text.replace(LAST, tables + LAST + MAIN))

    def search(self, asked: Sequence[tuple[Claim, int]]) -> list[Violation | None]:
        """What is found for each claim, where the number in the letter is the one beside it."""
        lines = [" ".join(map(str, _words(*one))) for one in asked]
        said = subprocess.run(
            [self.verifier], input="\n".join(lines), capture_output=True, text=True, timeout=1000
        )
        assert said.returncode == 0, said.stderr
        answers = [line for line in said.stdout.splitlines() if '"progress"' not in line]
        return [
            self.violation(claim, json.loads(answer))
            for (claim, _), answer in zip(asked, answers, strict=True)
        ]

    def violation(self, claim: Claim, found: Any) -> Violation | None:
        """What was found, as it is: dead variables may differ where the cycle closes."""
        if found is None:
            return None
        choices = tuple(Choice(*numbers) for numbers in found["choices"])
        loop = found["loop"]
        return Violation(claim.kind, choices, loop)


def _words(claim: Claim, which: int) -> Sequence[int]:
    automaton = claim.automaton
    assert automaton.initial == 0
    assert len(automaton.edges) <= MOST_STATES
    numbers, kinds, accepting = _acceptance(automaton, 0)
    words = [which, len(automaton.edges)]
    for s in automaton.states:
        words += [int(s in accepting), int(s in claim.ends), numbers[s], kinds[s]]
        for letter in range(1 << len(automaton.propositions)):
            targets = list(automaton.successors(s, letter))
            words += [len(targets), *targets]
    return words
