"""Decides how a claim is searched for: the algorithm, and whether local steps may be merged."""

from __future__ import annotations

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.code.claim import ClaimSearch
from whorl.program.parts import parts
from whorl.program.program import Builtin, ProcessQuery
from whorl.property.automaton import Buchi, Edge, full
from whorl.property.claim import Claim
from whorl.property.labels import NON_PROGRESS
from whorl.reduction.scheme import ByStack, OwnSearch, SleepSets
from whorl.reduction.schemes import Reduction, has_own_search, use_of
from whorl.search.exploration import ALGORITHMS, Options, chosen_algorithm

APPROXIMATE = ("hash-compact", "bitstate")  # stores
MOST_FAIR = 63  # processes: a bit each, and one for acceptance


def search_for(claim: Claim, options: Options, store: str, reduction: Reduction) -> ClaimSearch:
    """What to compile for a claim; an error where the options do not go together."""
    assert options.algorithm in ALGORITHMS
    if store in APPROXIMATE:
        raise _error(
            f"--store {store} keeps no states, and a search for cycles needs them",
            "store states exactly (--store tree, --store exact), or check safety alone (--safety)",
        )
    algorithm = chosen_algorithm(options, "native")
    if has_own_search(reduction, for_runs=True):
        algorithm = "two_phase"
    if algorithm == "fig5" and (options.fair or claim.kind != NON_PROGRESS):
        raise _error(
            "the algorithm 'fig5' looks for non-progress cycles only, and knows no fairness",
            "leave out --algorithm: the fastest that is right is taken",
        )
    return ClaimSearch(claim, algorithm, options.fair, options.infinite_runs)


def goes_by_stack(reduction: Reduction, *, for_runs: bool) -> bool:
    """Whether a reduction needs the stack of a recursive search, or is a search of its own."""
    if reduction.scheme == "none":
        return False
    _, use = use_of(reduction, for_runs=for_runs)
    return isinstance(use.reference, ByStack | OwnSearch | SleepSets)


def safety_search(reduction: Reduction, store: str) -> ClaimSearch | None:
    """What to compile for safety under a scheme that needs a recursive search: that of the product
    with a claim that looks at nothing. None: the search for safety will do.
    """
    algorithm = recursive_search(reduction)
    if algorithm is None:
        return None
    if store in APPROXIMATE:
        raise _error(
            f"--store {store} keeps no states, and the search of '{reduction.scheme}' needs them",
            "store states exactly (--store tree, --store exact), or take another scheme",
        )
    anything = Buchi((), 0, ((Edge(full(0), 0),),), frozenset())
    claim = Claim("safety", "safety", anything, ())
    return ClaimSearch(claim, algorithm, fair=False, infinite_runs=True, safety=True)


def recursive_search(reduction: Reduction) -> str | None:
    """The recursive search that a scheme needs for safety, if it does."""
    if reduction.scheme == "none":
        return None
    match use_of(reduction, for_runs=False)[1].reference:
        case ByStack():
            return "fig4"
        case OwnSearch():
            return "two_phase"
        case SleepSets():
            return "sleep_sets"
    return None


class BeyondNative(Exception):
    """What the native engine cannot do, and the reference engine can."""


def check_fair(search: ClaimSearch, processes: int) -> None:
    """BeyondNative where a verifier with room for so many processes cannot be fair to all."""
    if search.fair and processes > MOST_FAIR:
        raise BeyondNative(f"it can be fair to at most {MOST_FAIR} processes")


def hides_local_steps(search: ClaimSearch) -> bool:
    """Whether a claim that is stutter-invariant cannot notice that local steps are merged.

    Steps that an atom can see are never merged, if it looks at variables and locations; what it
    asks of processes as such, or fairness, may change at any step. So may being at a label.
    """
    claim = search.claim
    if search.fair or claim.program_accepts or claim.kind == NON_PROGRESS:
        return False
    return not any(
        isinstance(node, ProcessQuery)
        or (isinstance(node, Builtin) and node.name in ("timeout", "np_", "_last"))
        for node in parts(search.atoms)
    )


def _error(message: str, hint: str) -> WhorlError:
    return WhorlError(Diagnostic("error", message, None, hint))
