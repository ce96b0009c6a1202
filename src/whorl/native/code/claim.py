"""Writes a claim as C: the letter of a state, the claim's moves, and what is accepting.

See runtime/search/product.h for what the searches ask of it. A claim that is read in SI normal
form has its states twice: the second ones are met where the letter is the one that was read before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whorl.native.code.expressions import Expressions
from whorl.native.code.sites import ASSERTION, CAPACITY
from whorl.native.code.tables import dispatch, each_process, no_progress, table
from whorl.native.code.writing import operand
from whorl.program.parts import parts
from whorl.program.program import Builtin, Expr, ProcessQuery
from whorl.property.automaton import Buchi, Edge, full
from whorl.property.claim import Claim
from whorl.property.components import components
from whorl.property.letters import cubes
from whorl.property.normal_form import NormalForm
from whorl.property.propositions import support

TABLE_MOST = 1 << 14  # letters times states; from there on moves are decided one by one
TRANSIENT, WEAK, MIXED = range(3)  # kinds of components, as in runtime/search/product.h


@dataclass(frozen=True, slots=True)
class ClaimSearch:
    """A claim and the search for it that is to be compiled."""

    claim: Claim
    algorithm: str  # one of ALGORITHMS, not auto
    fair: bool
    infinite_runs: bool
    safety: bool = False  # the claim looks at nothing, and the program is looked at

    @property
    def atoms(self) -> tuple[Expr, ...]:
        """What the search asks of a state."""
        return () if self.algorithm == "fig5" else self.claim.atoms


def text(search: ClaimSearch, expressions: Expressions, grows: bool) -> list[str]:
    """Definitions for the runtime; `grows` if a verifier with more room can be made.

    What the program itself does must have been written before: its faults are known then.
    """
    claim = search.claim
    harmless = (ASSERTION, CAPACITY) if grows else (ASSERTION,)
    infinite_runs = search.infinite_runs or search.algorithm == "fig5"
    stops = not infinite_runs and any(kind not in harmless for kind in expressions.sites.kinds)
    automaton = claim.automaton
    ends, program_accepts = claim.ends, claim.program_accepts
    same = forever = 0
    if search.algorithm == "fig5":  # which needs no automaton
        automaton, ends, program_accepts = _anything(), frozenset(), False
    elif claim.normal_form is not None:
        same, forever = len(claim.normal_form.again), claim.normal_form.forever
        automaton = _twice(claim.normal_form)
    asked = list(parts(search.atoms))
    asks_timeout = any(
        node == Builtin("timeout") or (isinstance(node, ProcessQuery) and node.query == "enabled")
        for node in asked
    )
    letter, faulty = _letter(search.atoms, expressions)
    states = automaton.states
    numbers, kinds, accepting = _acceptance(automaton, same)
    everything = (1 << len(automaton.propositions)) - 1
    return [
        f"#define WHORL_ALGORITHM WHORL_{search.algorithm.upper()}",
        f"#define WHORL_SAFETY {int(search.safety)}",
        f"#define WHORL_FAIR {int(search.fair)}",
        f"#define WHORL_INFINITE_RUNS {int(infinite_runs)}",
        f"#define WHORL_STOPS {int(stops)}",
        f"#define WHORL_GROWS {int(grows)}",
        f"#define WHORL_CLAIM_STATES {len(states)}",
        f"#define WHORL_CLAIM_INITIAL {automaton.initial}",
        f"#define WHORL_CLAIM_WAYS {max(1, *map(len, automaton.edges))}",
        f"#define WHORL_CLAIM_SAME {same}",
        f"#define WHORL_CLAIM_FOREVER {forever}",
        f"#define WHORL_ASKS_TIMEOUT {int(asks_timeout)}",
        f"#define WHORL_ASKS_PROGRESS {int(Builtin('np_') in asked)}",
        f"#define WHORL_FAULTY {int(faulty)}",
        f"#define WHORL_PROGRAM_ACCEPTS {int(program_accepts)}",
        table("uint8_t", "whorl_claim_accepting", (int(s in accepting) for s in states)),
        table("uint8_t", "whorl_claim_ends", (int(s in ends) for s in states)),
        table("uint16_t", "whorl_claim_component", numbers),
        table("uint8_t", "whorl_claim_kind", kinds),
        table(
            "uint32_t",
            "whorl_claim_support",
            [everything] * len(states) if same else _support(automaton),
        ),
        *letter,
        *_same(claim.normal_form),
        *_moves(automaton),
        *_flag(search, expressions),
    ]


def _anything() -> Buchi:
    return Buchi((), 0, ((Edge(1, 0),),), frozenset())


def _twice(form: NormalForm) -> Buchi:
    """The moves of a normal form, and then those where the letter is the one before."""
    moves = form.moves
    everything = full(len(moves.propositions))
    again = tuple((Edge(everything, target),) for target in form.again)
    accepting = frozenset(s for s in range(form.size) if form.is_accepting(s))
    return Buchi(moves.propositions, moves.initial, moves.edges + again, accepting)


# --- acceptance -----------------------------------------------------------------------------------


def _acceptance(automaton: Buchi, same: int) -> tuple[list[int], list[int], frozenset[int]]:
    """For each state its component and the kind of that, and which states are accepting.

    An edge leads to its target or, where the letter is the same, to the one `same` further on.
    Where every cycle of a component is accepting, all of its states may as well be; where it has
    no cycle, none need be.
    """
    targets = [
        sorted({edge.target + more for edge in out for more in (0, same)})
        for out in automaton.edges
    ]
    accepting = set(automaton.accepting)
    numbers = [0] * len(targets)
    kinds = [TRANSIENT] * len(targets)
    for number, component in enumerate(components(automaton.states, targets.__getitem__)):
        members = set(component)
        for state in members:
            numbers[state] = number
        good = members & accepting
        accepting -= members
        if not good or not _has_cycle(targets, members):
            continue
        kind = MIXED if _has_cycle(targets, members - good) else WEAK
        accepting |= members if kind == WEAK else good
        for state in members:
            kinds[state] = kind
    return numbers, kinds, frozenset(accepting)


def _has_cycle(targets: list[list[int]], members: set[int]) -> bool:
    """Whether there is a cycle among `members`."""
    left = set(members)
    while True:
        ends = {s for s in left if not left.intersection(targets[s])}
        if not ends:
            return bool(left)
        left -= ends


# --- letters --------------------------------------------------------------------------------------


def _letter(atoms: tuple[Expr, ...], expressions: Expressions) -> tuple[list[str], bool]:
    """The function that reads a letter, and whether some atom may have no value."""
    lines = [
        "static inline uint32_t whorl_letter(whorl_context *c, const whorl_state *s, bool stuck,",
        "                                    bool stuttering, int32_t *sites) {",
        "  const uint8_t *B = whorl_bytes(s);",
        "  const int pid = WHORL_NOBODY;",
        "  uint32_t letter = 0;",
        "  (void)B, (void)pid, (void)stuttering, (void)sites;",
        "  c->timeout = stuck;",
    ]
    faulty = False
    expressions.in_claim = True
    for position, atom in enumerate(atoms):
        expressions.faulty = False
        lines.append(
            f"  letter |= (uint32_t)({operand(expressions.value(atom))} != 0) << {position};"
        )
        if expressions.faulty:
            faulty = True
            lines += [
                f"  sites[{position}] = c->fault;",
                # What has no value counts as false, as in property/reading.py.
                f"  if (c->fault != WHORL_NO_SITE) letter &= ~(UINT32_C(1) << {position});",
                "  c->fault = WHORL_NO_SITE;",
            ]
        else:
            lines.append(f"  sites[{position}] = WHORL_NO_SITE;")
    expressions.in_claim = False
    return [*lines, "  c->timeout = false;", "  return letter;", "}"], faulty


def _same(form: NormalForm | None) -> list[str]:
    """The function that says whether two letters are one to a claim in SI normal form."""
    if form is None:
        return []
    lines = [
        "static inline bool whorl_same_letter(uint32_t letter, uint32_t other) {",
        "  if (letter == other) return true;",
    ]
    for label in form.labels:
        left, right = (_read(label, len(form.moves.propositions), n) for n in ("letter", "other"))
        lines.append(f"  if (({left}) != ({right})) return false;")
    return [*lines, "  return true;", "}"]


def _read(label: int, propositions: int, letter: str) -> str:
    """Whether a letter is one of a label's, as C."""
    products = []
    for cube in cubes(label, propositions):
        mask, value = (sum(1 << i for i, sign in cube if sign or which) for which in (1, 0))
        products.append(f"({letter} & {mask}u) == {value}u")
    return " || ".join(products) or "0"


def _support(automaton: Buchi) -> list[int]:
    """For each state a bit for each proposition that its moves depend on."""
    count = len(automaton.propositions)
    return [
        sum(1 << index for index in support([edge.label for edge in out], count))
        for out in automaton.edges
    ]


def _flag(search: ClaimSearch, expressions: Expressions) -> list[str]:
    """What the search wants to know of a program state beside its letter."""
    head = "static inline bool whorl_flag(const whorl_state *s) {"
    if search.algorithm == "fig5":
        written = [] if expressions.usage.asks_progress else no_progress(expressions)
        return [*written, head, "  return whorl_no_progress(whorl_bytes(s));", "}"]
    if not search.claim.program_accepts:
        return [head, "  (void)s;", "  return false;", "}"]
    call = {
        (process.index, location): "return true;"
        for process in expressions.program.processes
        for location in expressions.layout.locations[process.index]
        if location in process.accept_locations
    }
    return [
        head,
        "  const uint8_t *B = whorl_bytes(s);",
        *each_process(dispatch(expressions, call)),
        "  return false;",
        "}",
    ]


# --- moves ----------------------------------------------------------------------------------------


def _moves(automaton: Buchi) -> list[str]:
    """The function from a state and a letter to the targets: a table, or decisions if it is large.

    Lists of targets, each after its length, lie in a pool.
    """
    pool: list[int] = []
    places: dict[tuple[int, ...], int] = {}

    def place(targets: tuple[int, ...]) -> int:
        if targets not in places:
            places[targets] = len(pool)
            pool.extend((len(targets), *targets))
        return places[targets]

    letters = 1 << len(automaton.propositions)
    if letters * len(automaton.states) <= TABLE_MOST:
        rows = [
            place(tuple(automaton.successors(state, letter)))
            for state in automaton.states
            for letter in range(letters)
        ]
        body = [
            table("uint32_t", "whorl_claim_moves", rows),
            *_targets(f"whorl_claim_moves[state * {letters} + letter]"),
        ]
    else:
        nodes, roots = _decisions(automaton, place)
        children = ", ".join(f"{{{p}, {{{low}, {high}}}}}" for p, low, high in nodes)
        body = [
            "static const whorl_decision whorl_claim_decisions[]"
            f" = {{{children or '{0, {0, 0}}'}}};",
            table("uint32_t", "whorl_claim_roots", roots),
            "static inline uint32_t whorl_decide(uint32_t state, uint32_t letter) {",
            "  uint32_t at = whorl_claim_roots[state];",
            f"  while (at >= {DECISION})",
            f"    at = whorl_claim_decisions[at - {DECISION}]",
            f"      .child[letter >> whorl_claim_decisions[at - {DECISION}].proposition & 1];",
            "  return at;",
            "}",
            *_targets("whorl_decide(state, letter)"),
        ]
    return [table("uint16_t", "whorl_claim_pool", pool), *body]


def _targets(place: str) -> list[str]:
    return [
        "static inline const uint16_t *whorl_targets(uint32_t state, uint32_t letter) {",
        "  (void)letter;",
        f"  return whorl_claim_pool + {place};",
        "}",
    ]


DECISION = 1 << 30  # from here on a number is a decision, below it a place in the pool


def _decisions(
    automaton: Buchi, place: Callable[[tuple[int, ...]], int]
) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Shared decision trees, one for each state: which proposition, and where it leads."""
    nodes: list[tuple[int, int, int]] = []
    known: dict[tuple[tuple[int, int], ...], int] = {}

    def decide(edges: tuple[tuple[int, int], ...], width: int) -> int:
        """For edges, as labels and targets, over the lowest `width` propositions."""
        everything = (1 << (1 << width)) - 1
        if all(label == everything for label, _ in edges):
            return place(tuple(dict.fromkeys(target for _, target in edges)))
        key = ((width, 0), *edges)
        if key not in known:
            half = 1 << (width - 1)
            low = tuple((a & ((1 << half) - 1), t) for a, t in edges if a & ((1 << half) - 1))
            high = tuple((a >> half, t) for a, t in edges if a >> half)
            children = decide(low, width - 1), decide(high, width - 1)
            if children[0] == children[1]:
                known[key] = children[0]
            else:
                nodes.append((width - 1, *children))
                known[key] = DECISION + len(nodes) - 1
        return known[key]

    roots = [
        decide(tuple((edge.label, edge.target) for edge in out), len(automaton.propositions))
        for out in automaton.edges
    ]
    return nodes, roots
