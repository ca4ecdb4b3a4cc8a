"""The habits of a page: what earlier looks taught about it, and what this look adds.

All who watch one part of a page are told by the same habits. A part learns once at a look, from the
comparison with the latest earlier version, whoever asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Protocol

from webvigil.detect.quiet.advance import DAY, Advances
from webvigil.errors import NotFound
from webvigil.graph.nodes import PartNode
from webvigil.model.change import ObjectChange
from webvigil.model.moment import Millis, as_millis
from webvigil.model.quiet import Habits, LeftOut, PageHabits
from webvigil.model.work import NOT_SEEN, DuePage
from webvigil.store.promises import Journal, Versions
from webvigil.trigger.clock import Apart, Ticking, ticking
from webvigil.trigger.restless import is_shell, learnt, place_of, unseen, usual


@dataclass(slots=True)
class _Lesson:
    """What differed in a part since version `old`."""

    old: int
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
        patience: int = 0,
    ) -> None:
        """`at_once`: this look comes right after the one before (a second look). `apart` tells how much time
        passed between two versions, None if that is not known; `unseen`, how many looks right before this one
        did not see the page. `latest`: the version that the look before saw; what differs from older versions
        was learnt at earlier looks. `patience`: for how many looks something that came back before may be
        missing again."""
        self._load = load
        self._unseen = unseen
        self._at_once = at_once
        self._apart = apart
        self.latest = latest
        self._patience = patience
        self._lessons: dict[str, _Lesson] = {}

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

    def weigh(
        self,
        part: PartNode,
        objects: Sequence[ObjectChange],
        old: int,
        loud: Callable[[ObjectChange], bool],
        name: Callable[[ObjectChange], str] = lambda _: "",
        ageing: Container[ObjectChange] = (),
    ) -> list[LeftOut]:
        """What of this is not told, as far as it is the habit of the part. `old`: compared with this
        version. `name` tells how a person calls the place of an object, and is asked once for a place.
        `ageing`: ages that went on as the clock did."""
        habits, look = self._habits(part.key), self._known.looks + 1
        lesson = self._lessons.get(part.key)
        is_late = old < self.latest
        habitual = usual(
            objects,
            habits,
            look,
            loud=loud,
            at_once=self._at_once,
            ageing=ageing,
            patience=self._patience,
            happened=_places(lesson) if is_late else None,
        )
        left_out = list(_named(habitual, name))
        if is_late:
            return left_out
        if lesson is None or old > lesson.old:
            lesson = self._lessons[part.key] = _Lesson(old)
        if old == lesson.old:
            lesson.objects |= dict.fromkeys(objects)
            lesson.left_out |= dict.fromkeys(left_out)
            lesson.ageing |= {one for one in objects if one in ageing}
        return left_out

    def learnt(self) -> dict[str, Habits]:
        """The habits of the parts that something happened to, as they are known by now."""
        look = self._known.looks + 1 if self._lessons else 0
        return {
            key: learnt(
                self._habits(key), one.objects, one.left_out, look, at_once=self._at_once, ageing=one.ageing
            )
            for key, one in self._lessons.items()
        }

    def _habits(self, key: str) -> Habits:
        return self._known.parts.get(key, Habits())


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
_MOST_UNSEEN = 200


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
        log = self._knowledge.journal.fetch_log(self._due.id, limit=_MOST_UNSEEN)
        return sum(1 for _ in takewhile(lambda look: look["decision"] in NOT_SEEN, log))

    def _seen(self, number: int) -> tuple[Millis, Millis]:
        """When a version may have been seen last: between these two times."""
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
