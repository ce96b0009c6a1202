"""The search for violations of safety by several workers: superstep after superstep.

With `shortest` a superstep is a level of a breadth-first search. What fails is then told once its
level is done, the least failure of all, and the way there is made of least states: so it is the
same for every number of workers, and as with several threads (runtime/search/levels.h). Else a
worker goes on with the states that it finds itself, as far as its budget goes, and then hears of
the others.
"""

from __future__ import annotations

from typing import Any

from whorl.native.cluster.course import Assignment, Commit, Course
from whorl.native.cluster.library import LeastFailure, Stopped, words_of
from whorl.native.cluster.tally import ClusterTally
from whorl.native.cluster.transport import Crew
from whorl.native.verifier import FoundViolation, Outcome, VerifierError
from whorl.program.choice import Choice

GROWS = 16  # supersteps after which a budget is twice as much
MOST_GROWTH = 4  # times
END_STATE = -1  # instead of a site


def search(
    crew: Crew, asked: Assignment, course: Course | None = None, commit: Commit | None = None
) -> Outcome:
    """What is found; `course`: of a search that goes on, whose workers have their logs again.

    `commit` is called between two supersteps.
    """
    if asked.claim:
        raise VerifierError("exploring alone says nothing of a claim")
    one = _Search(crew, asked, Course() if course is None else course)
    if course is not None:
        crew.all("told", sorted(course.told))
    return one.run(commit, goes_on=course is not None)


class _Search:
    def __init__(self, crew: Crew, asked: Assignment, course: Course) -> None:
        self.crew = crew
        self.asked = asked
        self.course = course
        self.tally = ClusterTally(crew, asked, course)
        self.outcome = Outcome(violations=course.violations)

    def run(self, commit: Commit | None, *, goes_on: bool) -> Outcome:
        stopped: str | None = None
        more = True
        try:
            if not goes_on and not self._begins():
                stopped, more = "violation", False
            while more and stopped is None:
                more, stopped = self._superstep()
                if commit is not None and more and stopped is None:
                    self.tally.lap()
                    commit(self.crew, self.course)
        except Stopped as reason:
            stopped = reason.why
        if stopped == "broken":
            raise VerifierError("workers disagree about who owns a state")
        self.outcome.figures = self.tally.final(stopped)
        return self.outcome

    def _begins(self) -> bool:
        """Stores the initial state; False if the model fails before it."""
        sites = [site for site in self.crew.all("initial") if site is not None]
        self.crew.all("next")
        if sites:
            self.outcome.violations.append(FoundViolation(sites[0], ()))
        return not sites

    def _superstep(self) -> tuple[bool, str | None]:
        """Expands what there is to expand; whether there is more, and why the search is to end.

        The crew is asked twice: nothing else is worth a message to each worker and back.
        """
        self.course.whole = False
        while True:
            left = self.crew.all("expand", self._budget())
            self.crew.exchange()
            stopped = self.tally.why_stop()
            if self.asked.shortest and stopped is not None:
                return True, stopped  # which is the least failure of this level is not known
            if not self.asked.shortest or not any(left):
                break
        closed: list[tuple[list[LeastFailure], int]] = self.crew.all("close_superstep")
        if self._tell([failures for failures, _ in closed]):
            stopped = "violation"
        more = any(found for _, found in closed)
        self.course.superstep += more
        self.course.whole = more
        return more, stopped

    def _budget(self) -> int:
        """How many states each worker is to expand: more in a long search, where a message is worth
        it. That depends on the superstep alone, so that each search can be repeated.
        """
        budget = self.tally.budget()
        if self.asked.most_states is not None:
            return budget
        return budget << min(MOST_GROWTH, self.course.superstep // GROWS)

    def _tell(self, failed: list[list[LeastFailure]]) -> bool:
        """Tells what failed in this superstep, if anything did; whether the search ends for it."""
        found: list[tuple[int, LeastFailure]] = [
            (number, failure)
            for number, failures in enumerate(failed)
            for failure in failures
            if failure.site not in self.course.told
        ]
        if not found:
            return False
        words = self.crew.at(0, "state_words")
        found.sort(key=lambda one: (one[1].site != END_STATE, one[1].key(words)))
        for number, failure in found:
            if failure.site in self.course.told:
                continue
            self.course.told.add(failure.site)
            choices = self._way(number, failure)
            self.outcome.violations.append(FoundViolation(failure.site, choices))
            if not self.asked.all_errors:
                return True
        self.crew.all("told", sorted(self.course.told))
        return False

    def _way(self, number: int, failure: LeastFailure) -> tuple[Choice, ...]:
        """The choices that lead to a failure of this superstep."""
        way = [failure.state]
        if self.asked.shortest:
            for superstep in reversed(range(self.course.superstep)):
                way.append(self._predecessor(superstep, way[-1])[2])
            way.reverse()
        else:
            way = self._way_by_parents(number, failure.place)
        step = failure.step if failure.step >= 0 else None
        numbers = self.crew.at(number, "choices", way, step)
        return tuple(Choice(*four) for four in numbers)

    def _way_by_parents(self, number: int, place: int) -> list[bytes]:
        chains: list[tuple[bytes, ...]] = []
        while True:
            chain = self.crew.at(number, "chain", place)
            chains.append(chain.states)
            if chain.superstep is None:
                return [state for states in reversed(chains) for state in states]
            number, place, _ = self._predecessor(chain.superstep, chain.states[0])

    def _predecessor(self, superstep: int, target: bytes) -> tuple[int, int, bytes]:
        """The least state of a superstep that has a run to a state: whose, where, and which."""
        answers: list[Any] = self.crew.all("predecessor", superstep, target)
        words = len(target) // 8
        known = [
            (words_of(answer[1], words), number, answer)
            for number, answer in enumerate(answers)
            if answer is not None
        ]
        assert known, "a state that was found has a predecessor"
        _, number, (place, state) = min(known)
        return number, place, state
