"""The habits of a page: what earlier looks taught about it, and what this look adds.

Watches that look at the same part for the same kinds of change are told by the same habits. They learn once
at a look, from the comparison with the version that they saw before, whoever asked for it. Looks that others
make in between do not count: a sentinel is told as it would be if nobody else watched the page.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Any, NamedTuple, Protocol

from webvigil.detect.quiet.advance import DAY, Advances
from webvigil.errors import NotFound
from webvigil.model.change import ObjectChange
from webvigil.model.moment import Millis, as_millis
from webvigil.model.quiet import Habits, LeftOut, PageHabits
from webvigil.model.work import NOT_SEEN, DuePage, Watch
from webvigil.rules.doubts import looks_of_patience
from webvigil.store.promises import Journal, Versions
from webvigil.trigger.clock import Apart, Ticking, ticking
from webvigil.trigger.restless import is_shell, known_to, learnt, place_of, thinned, unseen, usual


class Learners(NamedTuple):
    """The watches of a page that look at the same part for the same kinds of change. `key` and `part`: what
    these are. `alone`: nobody else watches the page."""

    key: str
    part: str
    watches: Sequence[Watch]
    alone: bool


class _OwnLooks(NamedTuple):
    """The looks of some watches: the version that they saw before; with how many looks at the page one of
    theirs comes; for how many of them something that came back before may be missing again."""

    seen: int
    every: float
    patience: int


@dataclass(slots=True)
class _Lesson:
    """What differed for its learners between two versions."""

    learners: Learners
    old: int
    new: int
    objects: dict[ObjectChange, None] = field(default_factory=dict)
    ageing: set[ObjectChange] = field(default_factory=set)
    left_out: dict[LeftOut, None] = field(default_factory=dict)


class Memory:
    def __init__(
        self,
        load: Callable[[], PageHabits] = PageHabits,
        *,
        at_once: bool = False,
        apart: Callable[[int, int], Apart | None] = lambda _old, _new: None,
        unseen: Callable[[], int] = int,
        latest: int = 0,
        every: Callable[[Sequence[Watch]], float] = lambda _: 1.0,
    ) -> None:
        """`at_once` says that this look comes right after the one before (a second look). `apart` tells how
        much time passed between two versions, None if that is not known. `unseen` tells how many looks right
        before this one did not see the page. `latest` is the version that the look before saw. `every` tells
        with how many looks at the page one look of these watches comes."""
        self._load = load
        self._unseen = unseen
        self._at_once = at_once
        self._apart = apart
        self.latest = latest
        self._every = every
        self._lessons: dict[str, _Lesson] = {}
        self._own_looks: dict[str, _OwnLooks] = {}

    @cached_property
    def _known(self) -> PageHabits:
        known, looks = self._load(), self._unseen()
        if not looks:
            return known
        return replace(known, parts={key: unseen(one, looks) for key, one in known.parts.items()})

    def ticking(self, advances: Mapping[ObjectChange, Advances], old: int, new: int) -> Ticking:
        """Returns which of these times went on as the clock did between two versions."""
        apart = self._apart(old, new) if advances else None
        return ticking(advances, apart) if apart else Ticking()

    def seen(self, learners: Learners) -> int:
        """Returns the version that these watches saw before; what differs from older ones was learnt then."""
        return self._own(learners).seen

    def weigh(
        self,
        learners: Learners,
        objects: Sequence[ObjectChange],
        old: int,
        new: int,
        loud: Callable[[ObjectChange], bool],
        name: Callable[[ObjectChange], str] = lambda _: "",
        ageing: Container[ObjectChange] = (),
    ) -> list[LeftOut]:
        """Returns which of these objects are not told because the page usually does this.

        `old` and `new` are the versions that were compared. `name` tells how a person calls the place of an
        object, and is asked once for a place. `ageing` are the ages that went on as the clock did.
        """
        lesson = self._lessons.get(learners.key)
        own = self._own(learners)
        is_late = old < own.seen
        habitual = usual(
            objects,
            self._theirs(learners),
            self._known.looks + 1,
            loud=loud,
            at_once=self._at_once,
            ageing=ageing,
            patience=own.patience,
            happened=_places(lesson) if is_late else None,
        )
        left_out = list(_named(habitual, name))
        if is_late:
            return left_out
        if lesson is None or old > lesson.old:
            lesson = self._lessons[learners.key] = _Lesson(learners, old, new)
        if old == lesson.old:
            lesson.objects |= dict.fromkeys(objects)
            lesson.left_out |= dict.fromkeys(left_out)
            lesson.ageing |= {one for one in objects if one in ageing}
        return left_out

    def learnt(self) -> dict[str, Habits]:
        """Returns, by lesson, the habits of the watches for which something differed at this look, as they
        are known by now."""
        return {key: self._taught(one) for key, one in self._lessons.items()}

    def _taught(self, lesson: _Lesson) -> Habits:
        look, learners = self._known.looks + 1, lesson.learners
        known = learnt(
            self._theirs(learners),
            lesson.objects,
            lesson.left_out,
            look,
            at_once=self._at_once,
            ageing=lesson.ageing,
        )
        # Where nothing happened now, the number of the look stays one of the page.
        before = {(one.key, one.form): one.look for one in self._habits(learners).places}
        places = (
            one if one.look == look else replace(one, look=before[one.key, one.form]) for one in known.places
        )
        return Habits(tuple(places), lesson.new, self._own(learners).every)

    def _theirs(self, learners: Learners) -> Habits:
        """Returns the habits as these watches know them: looks of others in between do not count."""
        return thinned(self._habits(learners), self._known.looks + 1, self._own(learners).every)

    def _own(self, learners: Learners) -> _OwnLooks:
        """Returns what the habits need to know about the looks of these watches, computed once: there may be
        very many watches. A watch that waits for a place to come to rest keeps an older reference, so the
        habits tell what the watch saw."""
        if learners.key not in self._own_looks:
            seen, every, watches = self.latest, 1.0, learners.watches
            if not learners.alone:
                known = self._habits(learners).compared
                seen, every = max(known, *(one.reference for one in watches)), self._every(watches)
            self._own_looks[learners.key] = _OwnLooks(seen, every, looks_of_patience(watches))
        return self._own_looks[learners.key]

    def _habits(self, learners: Learners) -> Habits:
        return known_to(self._known, learners.key, learners.part)


def _places(lesson: _Lesson | None) -> frozenset[str]:
    """Returns the places at which something happened at this look."""
    return frozenset(map(place_of, lesson.objects)) if lesson else frozenset()


def _named(left_out: Iterable[LeftOut], name: Callable[[ObjectChange], str]) -> Iterator[LeftOut]:
    """Yields what is left out with the names of places that have none yet."""
    known: dict[str, str] = {}
    for one in left_out:
        if one.label or not one.place or is_shell(one.place):
            yield one
            continue
        if one.place not in known:
            known[one.place] = name(one.object)
        yield one._replace(label=known[one.place])


# Looks that are counted; after so many a place would be forgotten ten times over.
_MOST_LOOKS = 200


class _Store(Protocol):
    """The parts of the knowledge base that know when a page was looked at."""

    journal: Journal
    versions: Versions


class Looks:
    """The looks at a page up to the one at `now`, which sees version `newest`. The store is asked when a time
    on the page is to be judged, and not before."""

    def __init__(self, knowledge: _Store, due: DuePage, newest: int, now: Millis) -> None:
        self._knowledge = knowledge
        self._due = due
        self._newest = newest
        self._now = now

    def apart(self, old: int, new: int) -> Apart | None:
        """Returns how much time passed between the last look that saw `old` and the look that saw `new`; None
        if that is not known, as for versions before the newest."""
        if new != self._newest:
            return None
        try:
            first, last = self._seen(old)
        except NotFound:
            return None
        now = self._now / 1000
        return Apart(now - last / 1000, now - first / 1000, now % DAY)

    def unseen(self) -> int:
        """Returns how many looks right before this one did not see the page: they failed, or saw something
        else in its place."""
        if not self._due.doubt and not self._due.failures:
            return 0
        return sum(1 for _ in takewhile(lambda look: look["decision"] in NOT_SEEN, self._log))

    def every(self, watches: Sequence[Watch]) -> float:
        """Returns with how many looks at the page one look of these watches came lately. Those that look on
        change take part in every look."""
        interval = min(watch.interval for watch in watches)
        if not interval:
            return 1.0
        before = self._now - interval
        theirs = {one.next_at - one.interval for one in watches if one.next_at > self._now}
        own = 1 + sum(before < at for at in theirs)
        seen = [as_millis(look["at"]) for look in self._log if look["decision"] not in NOT_SEEN]
        lately = sum(before < at for at in seen)
        if lately == len(seen) == _MOST_LOOKS:  # the log goes on: they looked as often before, supposedly
            lately = int(lately * interval / max(1, self._now - seen[-1]))
        return max(1.0, (1 + lately) / own)

    @cached_property
    def _log(self) -> list[dict[str, Any]]:
        """The latest looks before this one. A page may be watched in a thousand parts, so it is read once."""
        return self._knowledge.journal.fetch_log(self._due.id, limit=_MOST_LOOKS)

    def _seen(self, number: int) -> tuple[Millis, Millis]:
        """Returns two times between which a version may have been seen last."""
        latest = self._due.latest
        if latest and number == latest.number:
            looks = self._knowledge.journal.last_looks([self._due.id]).get(self._due.id)
            if looks and looks.seen:
                return looks.seen, looks.seen
        versions = self._knowledge.versions
        first = as_millis(versions.get(self._due.id, number).fetched_at)
        if latest and number < latest.number:
            return first, as_millis(versions.get(self._due.id, number + 1).fetched_at)
        return first, self._now
