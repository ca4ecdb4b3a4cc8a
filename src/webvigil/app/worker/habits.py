"""What a page taught us about itself before this look, read when it is first asked for, and what it teaches
now.

All who watch one part of a page are told by the same habits. A part learns once at a look, from the
comparison with the latest earlier version, whoever asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from webvigil.graph.nodes import PartNode
from webvigil.model.change import ObjectChange
from webvigil.model.quiet import Habits, LeftOut, PageHabits
from webvigil.trigger.restless import is_shell, learnt, usual


@dataclass(slots=True)
class _Lesson:
    """What differed in a part since version `old`."""

    old: int
    objects: dict[ObjectChange, None] = field(default_factory=dict)
    left_out: dict[LeftOut, None] = field(default_factory=dict)


class Memory:
    def __init__(self, load: Callable[[], PageHabits] = PageHabits, *, at_once: bool = False) -> None:
        """`at_once`: this look comes right after the one before (a second look)."""
        self._load = load
        self._at_once = at_once
        self._lessons: dict[str, _Lesson] = {}

    @cached_property
    def _known(self) -> PageHabits:
        return self._load()

    def weigh(
        self,
        part: PartNode,
        objects: Sequence[ObjectChange],
        old: int,
        loud: Callable[[ObjectChange], bool],
        name: Callable[[ObjectChange], str] = lambda _: "",
    ) -> list[LeftOut]:
        """What of this is not told, as far as it is the habit of the part. `old`: compared with this
        version. `name` tells how a person calls the place of an object, and is asked once for a place."""
        habits, look = self._habits(part.key), self._known.looks + 1
        left_out = list(_named(usual(objects, habits, look, loud=loud, at_once=self._at_once), name))
        lesson = self._lessons.get(part.key)
        if lesson is None or old > lesson.old:
            lesson = self._lessons[part.key] = _Lesson(old)
        if old == lesson.old:
            lesson.objects |= dict.fromkeys(objects)
            lesson.left_out |= dict.fromkeys(left_out)
        return left_out

    def learnt(self) -> dict[str, Habits]:
        """The habits of the parts that something happened to, as they are known by now."""
        look = self._known.looks + 1 if self._lessons else 0
        return {
            key: learnt(self._habits(key), one.objects, one.left_out, look, at_once=self._at_once)
            for key, one in self._lessons.items()
        }

    def _habits(self, key: str) -> Habits:
        return self._known.parts.get(key, Habits())


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
