"""The search for accepting cycles by several workers, by elimination (whorl/search/owcty.py).

    explore all nodes, level by level
    repeat
      reach      what accepting nodes that are left lead to, counting edges
      eliminate  nodes that no edge leads to
    until what is left stays as it is, or all of it accepts

Workers are in one phase together, and a phase is over once nobody has anything left to expand or
to send (runtime/cluster/elimination.h). So how many nodes are left after a round does not depend
on how many workers there are; nor does the counterexample, which is made of least nodes (around.h
there).

Levels that were explored can be kept, as those of a search for safety. If a worker is lost later,
the elimination starts over: it depends on nothing but what was explored.
"""

from __future__ import annotations

from typing import Any

from whorl.native.cluster.claims import Phase
from whorl.native.cluster.course import Assignment, Commit, Course
from whorl.native.cluster.library import LeastFailure, Stopped, words_of
from whorl.native.cluster.tally import ClusterTally
from whorl.native.cluster.transport import Crew
from whorl.native.verifier import FoundViolation, Outcome, VerifierError
from whorl.program.choice import Choice

OF_CLAIM = -2  # instead of a site: a run that the claim accepts
BITS = 64  # of the hash of a node


class _Ended(Exception):
    """The search has to end; `why` is as in a verifier's figures."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def search(
    crew: Crew, asked: Assignment, course: Course | None = None, commit: Commit | None = None
) -> Outcome:
    """What is found; `course`: of a search that goes on, whose workers have their logs again.

    `commit` is called between two levels. The workers are `ClaimWorker`s.
    """
    if not asked.claim:
        raise VerifierError("elimination is for claims")
    one = _Search(crew, asked, Course() if course is None else course, commit)
    return one.run(goes_on=course is not None)


class _Search:
    def __init__(
        self, crew: Crew, asked: Assignment, course: Course, commit: Commit | None
    ) -> None:
        self.crew = crew
        self.asked = asked
        self.course = course
        self.commit = commit
        self.outcome = Outcome(violations=course.violations)
        self.rounds = 0
        self.tally = ClusterTally(crew, asked, course)

    def run(self, *, goes_on: bool) -> Outcome:
        stopped: str | None = None
        try:
            if goes_on:
                self.crew.all("told", sorted(self.course.told))
            else:
                self._begin()
            self._explore()
            if self._eliminate():
                self._tell_cycle()
                stopped = "violation"
        except _Ended as ended:
            stopped = ended.why
        except Stopped as reason:
            stopped = reason.why
            if stopped == "violation":
                self._tell_crowded()
        if stopped == "broken":
            raise VerifierError("workers disagree about the edges of a graph that they explored")
        self._finish(stopped)
        return self.outcome

    # --- exploring ---------------------------------------------------------------------------

    def _begin(self) -> None:
        sites = [site for site in self.crew.all("initial") if site is not None]
        if sites:
            self.outcome.violations.append(FoundViolation(sites[0], ()))
            raise _Ended("violation")
        self.crew.all("next")

    def _explore(self) -> None:
        """Stores all nodes, up to the first level where a run of the claim ends."""
        more = True
        while more:
            self._level()
            self._tell_ends()
            more = any(self.crew.all("next"))
            self.course.superstep += more
            if self.commit is not None:
                self.tally.lap()
                self.commit(self.crew, self.course)

    def _level(self) -> None:
        """Expands all nodes of a level."""
        while True:
            left = self.crew.all("expand", self.tally.budget())
            self.crew.exchange()
            self._look()
            if not any(left):
                return

    def _tell_ends(self) -> None:
        """Tells where in this level a run of the claim has come to its end, or to a fault."""
        told = self.course.told
        found: list[LeastFailure] = [
            failure
            for failures in self.crew.all("failures")
            for failure in failures
            if failure.site not in told
        ]
        found.sort(key=lambda failure: order(failure.state))
        for failure in found:
            told.add(failure.site)
            way = self._stem(self.course.superstep, failure.state)
            self._tell(failure.site, way, None)
            if failure.site == OF_CLAIM or not self.asked.all_errors:
                raise _Ended("violation")
        if found:
            self.crew.all("told", sorted(told))

    # --- elimination -------------------------------------------------------------------------

    def _eliminate(self) -> bool:
        """Whether anything is left where nothing more can be taken away."""
        left = sum(self.crew.all("leave_all"))
        while True:
            before = left
            self.rounds += 1
            self._phase(Phase.REACH)
            self._phase(Phase.ELIMINATE)
            rounds: list[tuple[int, bool]] = self.crew.all("round")
            left = sum(count for count, _ in rounds)
            if left == before or all(accepts for _, accepts in rounds):
                break
        self._check_strangers()
        return left > 0

    def _phase(self, phase: Phase, bit: int = 0) -> None:
        """Goes through a phase without levels: until nobody has anything to expand or to send."""
        self.crew.all("phase", phase, None, bit)
        while True:
            self.crew.all("expand", self.asked.budget)
            self.crew.exchange()
            self._look()
            if not any(self.crew.all("left")):
                return

    def _check_strangers(self) -> None:
        """What is behind the depth limit has not been explored; else everything has."""
        if any(self.crew.all("strangers")) and not self.tally.figures().truncated:
            raise VerifierError("a node that was not explored is the end of an edge")

    # --- the counterexample ------------------------------------------------------------------

    def _tell_cycle(self) -> None:
        """Something is left: tells a way to an accepting node of it, and a shortest one back."""
        self.crew.all("starts")
        level, node = self._first()
        around = self._around(node)
        if around is None:
            self._halve()
            level, node = self._first()
            around = self._around(node)
        if around is None:
            raise VerifierError("nodes are left, and no cycle is among them")
        way = self._stem(level, node)
        self._tell(OF_CLAIM, [*way, *around, node], len(way) - 1)

    def _first(self) -> tuple[int, bytes]:
        """Of the starts that were explored first the least, after its level."""
        answers = [answer for answer in self.crew.all("first") if answer is not None]
        if not answers:
            raise VerifierError("nodes are left, and none of them accepts")
        level, node = min(answers, key=lambda answer: (answer[0], order(answer[1])))
        return level, node

    def _halve(self) -> None:
        """Leaves one start: it is in a component to which nothing else leads that is left."""
        count = sum(self.crew.all("starts"))
        for bit in range(BITS):
            if count == 1:
                return
            without = sum(one for one, _ in self.crew.all("counts", bit))
            if without in (0, count):
                continue
            self._phase(Phase.SPREAD, bit)
            if any(unvisited for _, unvisited in self.crew.all("counts", bit)):
                count = sum(self.crew.all("keep_unvisited"))
            else:
                count = sum(self.crew.all("keep_without", bit))
        if count != 1:
            raise VerifierError("two nodes have one hash of 64 bits")

    def _around(self, node: bytes) -> list[bytes] | None:
        """The nodes of a shortest way from a node back to it, without it; None if there is none."""
        self.crew.all("phase", Phase.GO_ROUND, node, 0)
        self.crew.all("next")
        level = 0
        while True:
            self._level()
            closing = [found for found in self.crew.all("closing") if found is not None]
            if closing:
                break
            if not any(self.crew.all("next")):
                return None
            level += 1
        way = [min(closing, key=order)]
        while level > 0:
            level -= 1
            way.append(self._before("around", level, way[-1]))
        way.reverse()
        if way[0] != node:
            raise VerifierError("a way round does not begin where it ends")
        return way[1:]

    def _stem(self, level: int, node: bytes) -> list[bytes]:
        """The nodes from the initial one to a node of a level."""
        way = [node]
        while level > 0:
            level -= 1
            way.append(self._before("predecessor", level, way[-1]))
        way.reverse()
        return way

    def _before(self, name: str, level: int, node: bytes) -> bytes:
        """The least node of a level that leads to another one."""
        found: list[tuple[int, bytes]] = [a for a in self.crew.all(name, level, node) if a]
        if not found:
            raise VerifierError("a node that was found has no predecessor")
        return min((each for _, each in found), key=order)

    def _tell(self, site: int, way: list[bytes], loop: int | None) -> None:
        """Notes a violation: the choices along a way, and where the point `loop` of it is."""
        answers = self.crew.all("own_choices", way)
        choices: list[Choice] = []
        at_loop = 0
        for position in range(len(way) - 1):
            if position == loop:
                at_loop = len(choices)
            known = [answer[position] for answer in answers if answer[position] is not None]
            if len(known) != 1:
                raise VerifierError(f"{len(known)} workers own one node")
            choices += [Choice(*four) for four in known[0]]
        found = FoundViolation(site, tuple(choices), None if loop is None else at_loop)
        self.outcome.violations.append(found)

    def _tell_crowded(self) -> None:
        """A limit of the library was met: a larger one is to be made."""
        sites = [site for site in self.crew.all("crowded") if site is not None]
        self.outcome.violations.append(FoundViolation(min(sites), ()))

    # --- limits and figures ------------------------------------------------------------------

    def _look(self) -> None:
        """Tells how far the search is; `_Ended` if a limit was reached."""
        why = self.tally.why_stop()
        if why is not None:
            raise _Ended(why)

    def _finish(self, stopped: str | None) -> None:
        """Writes down the figures of all."""
        met = sorted({met for mine in self.crew.all("met") for met in mine})
        more = {"rounds": self.rounds, "met": met}
        self.outcome.figures = self.tally.final(stopped) | more


def order(node: bytes) -> tuple[Any, ...]:
    """By this nodes are ordered, as in C: whoever has them."""
    return words_of(node, len(node) // 8)
