"""The watches of a page whose time has come and its versions in, what is worth telling each of them out.

Watches that need the same two versions are compared in one go (`graph`), whatever they look for; each
finding is then weighed by what its user wants to hear (`trigger`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from webvigil.app.interests import interest_of
from webvigil.document import PageDigest
from webvigil.errors import WebVigilError
from webvigil.graph.compare import Compared, Found, Step, at_rest, nothing_new, steps
from webvigil.graph.evaluate import Comparison
from webvigil.graph.nodes import Interest
from webvigil.graph.page import Graphs, PageGraph
from webvigil.model.work import DuePage, Watch
from webvigil.trigger.conditions import Case, measures_values, worth_telling
from webvigil.trigger.scores import Taste, taste

Digests = Callable[[int], PageDigest]


class Comparing:
    """Keeps the graphs of the pages it has seen."""

    def __init__(self) -> None:
        self.graphs = Graphs(interest_of)

    def compare(self, due: DuePage, watches: Sequence[Watch], newest: int, digest: Digests) -> list[Compared]:
        """`digest` gives a version of the page by its number."""
        if nothing_new(watches, newest):
            return [at_rest(watch, newest) for watch in watches]
        return _Round(self.graphs.of(due), watches, newest, digest).compared()


class _Round:
    """One look at a page: all its comparisons, each pair of versions once."""

    def __init__(self, graph: PageGraph, watches: Sequence[Watch], newest: int, digest: Digests) -> None:
        self._newest = newest
        self._digest = digest
        self._planned: list[tuple[Watch, Interest, list[Step]]] = []
        self._asked: dict[tuple[int, int], list[Interest]] = {}
        for watch in watches:
            interest = graph.interest_of(watch.sentinel)
            planned = steps(watch.reference, interest.compare, newest)
            self._planned.append((watch, interest, planned))
            for step in planned:
                self._asked.setdefault((step.old, step.new), []).append(interest)
        self._comparisons: dict[tuple[int, int], Comparison] = {}
        self._told: dict[tuple[Interest, str, int, Step], Found | None] = {}

    def compared(self) -> list[Compared]:
        return [self._compared(*planned) for planned in self._planned]

    def _compared(self, watch: Watch, interest: Interest, planned: list[Step]) -> Compared:
        done = at_rest(watch, self._newest)
        try:
            for step in planned:
                done = self._moved(done, interest, step)
        except WebVigilError as error:
            return replace(done, trouble=f"{watch.name}: {error}")
        return done

    def _moved(self, done: Compared, interest: Interest, step: Step) -> Compared:
        base = (done.measured_from or step.old) if measures_values(interest.when) else 0
        found = self._found(interest, done.watch.taste, base, step)
        if found is None:
            return replace(done, reference=step.next, measured_from=base)
        told = (*done.found, found)
        return replace(done, reference=step.next, measured_from=step.new if base else 0, found=told)

    def _found(self, interest: Interest, wanted: str, base: int, step: Step) -> Found | None:
        """Worked out once for all who have the same interest and taste."""
        key = interest, wanted, base, step
        if key not in self._told:
            self._told[key] = self._worth_telling(interest, taste(wanted), base, step)
        return self._told[key]

    def _worth_telling(self, interest: Interest, wanted: Taste, base: int, step: Step) -> Found | None:
        evaluated = self._comparison(step.old, step.new).of(interest)
        if not evaluated.changed:
            return None
        findings = evaluated.findings
        if not evaluated.vanished:
            changes = [node.change for node in interest.changes]
            findings = wanted.scored(evaluated.look, changes, findings)
        since = findings
        if base not in (0, step.old):
            since = self._comparison(base, step.new).of(interest).findings
        case = Case(findings=findings, since=since, look=evaluated.look, vanished=evaluated.vanished)
        if not worth_telling(interest.when, case):
            return None
        return Found(old=step.old, new=step.new, findings=findings)

    def _comparison(self, old: int, new: int) -> Comparison:
        key = old, new
        if key not in self._comparisons:
            made = Comparison(self._digest(old), self._digest(new), self._asked.get(key, ()))
            self._comparisons[key] = made
        return self._comparisons[key]
