"""The due watches of a page and its versions in, what is worth telling each of them out.

Watches that need the same two versions are compared in one pass (`graph`), whatever they look for. Each
finding is then judged by what its user wants to hear (`trigger`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from webvigil.app.worker.habits import Learners, Memory
from webvigil.app.worker.interests import interest_of
from webvigil.detect.in_context import Context
from webvigil.detect.quiet.advance import Advances
from webvigil.document import PageDigest
from webvigil.errors import NotFound, ObjectLost, WebVigilError
from webvigil.graph.due import Compared, Found, Step, at_rest, nothing_new, steps
from webvigil.graph.evaluate import Comparison, Evaluated, lessened
from webvigil.graph.nodes import Graphs, Interest, PageGraph
from webvigil.graph.part import loud
from webvigil.model.change import Finding, ObjectChange
from webvigil.model.change_types import KINDS
from webvigil.model.memo import Once
from webvigil.model.quiet import LeftOut, Why
from webvigil.model.sentinel import WhenCondition
from webvigil.model.work import DuePage, Watch
from webvigil.trigger.conditions import Case, measures_values, worth_telling
from webvigil.trigger.novelty import not_new
from webvigil.trigger.scores import NO_TASTE, Taste, taste

Digests = Callable[[int], PageDigest]
# Interest, taste, reference, measured from: watches that agree in all four get the same result.
_Wish = tuple[Interest, str, int, int]
_REST_OF_WISH = [attrgetter(name) for name in ("taste", "reference", "measured_from")]
_SENTINEL = attrgetter("sentinel")
# Versions that are looked through for what `Only new` asks; about 3 ms for each that is not in memory.
_LOOKED_BACK = 50


class _Outcome(NamedTuple):
    """The result for all watches with the same wish."""

    reference: int
    measured_from: int
    found: tuple[Found, ...] = ()
    trouble: str = ""
    lost: str = ""
    left_out: tuple[LeftOut, ...] = ()


# Errors for a version that cannot be read: it was removed (R1), or its object is lost.
_GONE = (NotFound, ObjectLost)


class Evaluator:
    """Compares versions for watches. Keeps the graphs of the pages it has seen."""

    def __init__(self) -> None:
        self.graphs = Graphs(interest_of)

    def compare(
        self,
        due: DuePage,
        watches: Sequence[Watch],
        newest: int,
        digest: Digests,
        memory: Memory | None = None,
    ) -> list[Compared]:
        """Returns the result for each watch. `digest` returns a version of the page by its number; `memory`
        knows the habits of the page, and learns from what is found."""
        if nothing_new(watches, newest):
            return [at_rest(watch, newest) for watch in watches]
        return _Round(self.graphs.of(due), due, watches, newest, digest, memory or Memory()).compared()


class _Round:
    """All comparisons of one look at a page. Each pair of versions is compared once, and each wish is
    evaluated once."""

    def __init__(
        self,
        graph: PageGraph,
        due: DuePage,
        watches: Sequence[Watch],
        newest: int,
        digest: Digests,
        memory: Memory,
    ) -> None:
        self._graph = graph
        self._all_watches = due.watches
        self._newest = newest
        self._digest = digest
        self._memory = memory
        self._watches = watches
        # There may be a great many watches. Work for each of them is done by map and zip, which loop in C.
        interests = graph.interests_of(map(_SENTINEL, watches))
        others = (map(get, watches) for get in _REST_OF_WISH)
        self._wishes: list[_Wish] = list(zip(interests, *others, strict=True))
        self._asked: dict[tuple[int, int], list[Interest]] = {}
        self._steps = {wish: steps(wish[2], wish[0].compare, newest) for wish in dict.fromkeys(self._wishes)}
        for (interest, _, reference, _), asked in self._steps.items():
            for step in (*asked, *self._lesson(interest, reference)):
                self._asked.setdefault((step.old, step.new), []).append(interest)
        self._comparisons: dict[tuple[int, int], Comparison] = {}
        self._contexts: dict[tuple[int, int], Context] = {}
        self._described_once: dict[tuple[int, int], Once[Finding, Finding]] = {}

    def compared(self) -> list[Compared]:
        """Returns the results in the order of the watches."""
        done = {wish: self._outcome(asked, *wish) for wish, asked in self._steps.items()}
        outcomes = map(done.__getitem__, self._wishes)
        if any(outcome.trouble for outcome in done.values()):
            return [_told(*both) for both in zip(self._watches, outcomes, strict=True)]
        return list(map(Compared._make, zip(self._watches, *zip(*outcomes, strict=True), strict=True)))

    def _outcome(
        self, asked: list[Step], interest: Interest, wanted: str, reference: int, measured_from: int
    ) -> _Outcome:
        """Makes the comparisons of one wish, step by step. Trouble in a step keeps the results of the steps
        before."""
        done, seen = _Outcome(reference or self._newest, measured_from), reference
        for lesson in self._lesson(interest, reference):
            with suppress(WebVigilError):
                self._calm(interest, lesson)
        try:
            for step in asked:
                done, seen = self._moved(done, interest, taste(wanted), step), step.new
        except _GONE as error:
            return self._over_the_gap(done, interest, taste(wanted), seen, error)
        except WebVigilError as error:
            return done._replace(trouble=str(error))
        return done

    def _lesson(self, interest: Interest, reference: int) -> list[Step]:
        """Returns the comparison that shows what happened at this look, for a watch that is compared with an
        older version: a place is learnt by what it does from look to look."""
        if not interest.quiet or not 0 < reference < self._memory.latest:
            return []
        seen = self._memory.seen(self._learners(interest))
        return [Step(seen, self._newest, self._newest)] if reference < seen < self._newest else []

    def _learners(self, interest: Interest) -> Learners:
        """Returns the watches of this page that learn with this interest, due or not."""
        mine = self._by_lesson[interest.lesson]
        return Learners(interest.lesson, interest.part.key, mine, len(mine) == len(self._all_watches))

    @cached_property
    def _by_lesson(self) -> Mapping[str, Sequence[Watch]]:
        found: dict[str, list[Watch]] = {}
        interests = self._graph.interests_of(map(_SENTINEL, self._all_watches))
        for watch, interest in zip(self._all_watches, interests, strict=True):
            if interest.quiet:
                found.setdefault(interest.lesson, []).append(watch)
        return found

    def _over_the_gap(
        self, done: _Outcome, interest: Interest, wanted: Taste, seen: int, gone: WebVigilError
    ) -> _Outcome:
        """Compares `seen` with the newest version directly, because a version between them cannot be read. If
        the version that values are measured from is the missing one, the comparison goes without it. If
        `seen` itself is missing, nothing can be compared, and the watch continues with the newest version."""
        step = Step(seen, self._newest, self._newest)
        lost = str(gone) if isinstance(gone, ObjectLost) else ""
        try:
            for base in dict.fromkeys((done.measured_from, 0)):
                with suppress(*_GONE):
                    moved = self._moved(done._replace(measured_from=base), interest, wanted, step)
                    return moved._replace(lost=lost)
            self._digest(self._newest)
        except WebVigilError as error:  # also if the newest version is the lost one
            return done._replace(trouble=str(error))
        unknown = f"{gone}; what changed between versions {seen} and {self._newest} is not known"
        return done._replace(reference=self._newest, measured_from=0, lost=unknown)

    def _moved(self, done: _Outcome, interest: Interest, wanted: Taste, step: Step) -> _Outcome:
        measures = interest.when is not None and measures_values(interest.when)
        base = (done.measured_from or step.old) if measures else 0
        evaluated = self._calm(interest, step)
        findings, unjudged = self._worth_telling(evaluated, interest, wanted, base, step)
        left_out = (*done.left_out, *evaluated.left_out)
        if not findings and _is_unsettled(interest, evaluated):
            return done._replace(left_out=left_out)
        if not findings:
            return _Outcome(step.next, base, done.found, left_out=left_out)
        found = Found(old=step.old, new=step.new, findings=findings, unjudged=unjudged)
        return _Outcome(step.next, step.new if base else 0, (*done.found, found), left_out=left_out)

    def _calm(self, interest: Interest, step: Step) -> Evaluated:
        """Returns the findings of an interest without those that are not told: what its place always does
        (Q3), and for `Only new` what was on the page before (Q4)."""
        evaluated = self._comparison(step.old, step.new).of(interest)
        if evaluated.vanished or not evaluated.findings:
            return evaluated
        if interest.quiet:
            objects = [
                one
                for node, found in zip(interest.changes, evaluated.findings, strict=True)
                if KINDS[node.change.kind].quieted
                for one in found.objects
            ]
            left_out = self._habitual(interest, step, objects, evaluated.advances) if objects else []
            evaluated = lessened(interest, evaluated, left_out) if left_out else evaluated
        if interest.only_new and evaluated.changed:
            evaluated = lessened(interest, evaluated, not_new(evaluated.findings, self._earlier(step)))
        return evaluated

    def _habitual(
        self,
        interest: Interest,
        step: Step,
        objects: Sequence[ObjectChange],
        advances: Mapping[ObjectChange, Advances],
    ) -> list[LeftOut]:
        """Returns what is not told because of the clock, or of what the page usually does."""
        is_loud, clock = self._loud(interest, step), self._memory.ticking(advances, step.old, step.new)
        ticked = [one for one in objects if one in clock.surely and not is_loud(one)]
        others = [one for one in objects if one not in clock.surely or is_loud(one)] if ticked else objects
        name = self._context(step).label
        learners = self._learners(interest)
        usual = self._memory.weigh(learners, others, step.old, step.new, is_loud, name, clock.maybe)
        return [*(LeftOut(Why.TICKING, one) for one in ticked), *usual]

    def _loud(self, interest: Interest, step: Step) -> Callable[[ObjectChange], bool]:
        if not interest.loud:
            return lambda _: False
        compared = self._comparison(step.old, step.new)
        return loud(compared.old, compared.new, interest.loud)

    def _earlier(self, step: Step) -> Iterator[PageDigest]:
        """Yields the kept versions before a new one, the latest first."""
        for number in range(step.new - 1, max(0, step.new - 1 - _LOOKED_BACK), -1):
            with suppress(*_GONE):
                yield self._digest(number)

    def _worth_telling(
        self, evaluated: Evaluated, interest: Interest, wanted: Taste, base: int, step: Step
    ) -> tuple[tuple[Finding, ...], WhenCondition | None]:
        """Returns what was found, as its user scores it, or nothing if it is not worth telling. The second
        part is what is left of the condition if it depends on what the change means."""
        if not evaluated.changed:
            return (), None
        findings = evaluated.findings
        changes = tuple(node.change for node in interest.changes)
        if wanted is not NO_TASTE and not evaluated.vanished:
            findings = wanted.scored(evaluated.look, changes, findings)
        if interest.when is None:
            return self._described(findings, step), None
        since, look_since = findings, evaluated.look
        if base not in (0, step.old):
            measured = self._comparison(base, step.new).of(interest)
            since, look_since = measured.findings, measured.look
        case = Case(
            findings=findings,
            since=since,
            look=evaluated.look,
            vanished=evaluated.vanished,
            changes=changes,
            look_since=look_since,
        )
        worth = worth_telling(interest.when, case)
        if worth is False:
            return (), None
        return self._described(findings, step), None if worth is True else worth

    def _described(self, findings: tuple[Finding, ...], step: Step) -> tuple[Finding, ...]:
        """Returns the findings with what names their objects. Wishes that share findings share this, too."""
        key = step.old, step.new
        if key not in self._described_once:
            self._described_once[key] = Once(self._context(step).described)
        return tuple(map(self._described_once[key], findings))

    def _context(self, step: Step) -> Context:
        key = step.old, step.new
        if key not in self._contexts:
            compared = self._comparison(*key)
            self._contexts[key] = Context(compared.old, compared.new)
        return self._contexts[key]

    def _comparison(self, old: int, new: int) -> Comparison:
        key = old, new
        if key not in self._comparisons:
            made = Comparison(self._digest(old), self._digest(new), self._asked.get(key, ()))
            self._comparisons[key] = made
        return self._comparisons[key]


def _is_unsettled(interest: Interest, evaluated: Evaluated) -> bool:
    """Tells whether something is left out only because it takes turns. The watch stays with its version: what
    is there when the place has come to rest is told, unless it is what was there before. A sentinel with
    `Only new` is not told in the end, either, so its watch does not wait."""
    waits = interest.compare.how == "pairwise" and not interest.only_new
    return waits and any(one.why is Why.SEEN for one in evaluated.left_out)


def _told(watch: Watch, outcome: _Outcome) -> Compared:
    told = Compared(watch, *outcome)
    return told._replace(trouble=f"{watch.name}: {outcome.trouble}") if outcome.trouble else told
