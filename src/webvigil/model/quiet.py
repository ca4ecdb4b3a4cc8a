"""What is not told although it differs, each with its reason; and the habits of a page (Q3, Q7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from webvigil.model.change import ObjectChange, object_as_json

if TYPE_CHECKING:
    from webvigil.model.shapes import LeftOutShape


class Why(StrEnum):
    """Why a difference is left out, as people read it."""

    ADDRESS = "the address means the same"
    UNSEEN = "nobody sees it"
    TICKING = "a time that ticks"
    RESTLESS = "the place never rests"
    SEEN = "it was there before, and the place is restless"
    NOT_NEW = "it was on the page before"
    JUST_GONE = "it went away just now, and may be back at the next look"


class LeftOut(NamedTuple):
    """One difference that is not told. `place` is that of a restless place, "" for other reasons; `label`
    says how a person calls that place."""

    why: Why
    object: ObjectChange
    place: str = ""
    label: str = ""


def left_out_as_json(one: LeftOut) -> LeftOutShape:
    told: LeftOutShape = {**object_as_json(one.object), "why": str(one.why)}
    return {**told, "label": one.label} if one.label else told


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place of a page and one form of change there.

    `key`: where it is. `heat`: how often it changed of late, at look number `look`. `looks`: how many looks
    there were in that time, the older ones counting less. `times`: how often it changed in all. `most`: the
    words of its largest text. `left_out`: how often in a row it was not told. `example`: what last came
    there. What was seen there is kept as short numbers, the latest last. `label`: how a person calls the
    place, known once it was left out. `swapped`: what went at the last change there and what came in its
    place, as short numbers; `returned`: how often such a change was soon undone to the letter.
    """

    key: str
    form: str
    heat: float = 0.0
    look: int = 0
    times: int = 0
    most: int = 0
    left_out: int = 0
    seen_in_order: tuple[int, ...] = ()
    example: str = ""
    looks: float = 0.0
    label: str = ""
    swapped: tuple[int, ...] = ()
    returned: int = 0

    @property
    def seen(self) -> frozenset[int]:
        return frozenset(self.seen_in_order)


@dataclass(frozen=True, slots=True)
class Habits:
    """What sentinels that look for the same have learnt about a page, or about a part of it.

    `compared`: the version with which they were compared when they last learnt. `every`: how many looks at
    the page there are for one look of theirs, because other sentinels look more often.
    """

    places: tuple[Place, ...] = ()
    compared: int = 0
    every: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHabits:
    """The habits of a page by who learns together (`Interest.lesson`; "" for any change of all of it), and
    how often it was looked at."""

    looks: int = 0
    parts: Mapping[str, Habits] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftPlace:
    """A restless place of a page as its user sees it. `clause` brings it back."""

    url: str
    place: str
    form: str
    times: int
    left_out: int
    says: str
    clause: str
    label: str = ""


# The order of a place in a stored row. New columns go to the end, where older rows have none.
_COLUMNS = (
    *("key", "form", "heat", "look", "times", "most", "left_out", "seen_in_order", "example", "looks"),
    *("label", "swapped", "returned"),
)


def habits_as_json(habits: Habits) -> dict[str, Any]:
    """Returns a row without names for each place, because a page may have hundreds of them."""
    places = [[_plain(getattr(one, name)) for name in _COLUMNS] for one in habits.places]
    return {"places": places, "compared": habits.compared, "every": _plain(habits.every)}


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 3)
    return list(value) if isinstance(value, tuple) else value


def habits_from_json(plain: dict[str, Any] | list[list[Any]]) -> Habits:
    """Reads habits. In older stores they are the places alone."""
    known = {"places": plain} if isinstance(plain, list) else plain
    return Habits(**known | {"places": tuple(_place(row) for row in known["places"])})


def _place(row: list[Any]) -> Place:
    values = dict(zip(_COLUMNS, row, strict=False))
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return Place(**values | lists)
