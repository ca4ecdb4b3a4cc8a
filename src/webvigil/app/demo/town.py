"""A seed and a step in, the news, prices and links of the demo town out. Equal arguments give equal results.

Nothing is remembered from step to step: everything is computed from the step alone. Any moment of a long run
can therefore be shown directly, and tests can jump to any step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

from webvigil.app.demo.words import (
    BLURBS,
    DEEDS,
    GOODS,
    MANNERS,
    OFFERS,
    OPENINGS,
    PLACES,
    REMARKS,
    SUBJECTS,
    TOPICS,
    UPDATES,
)

T = TypeVar("T")

# How many stories and links a page shows.
STORIES_SHOWN = 7
LINKS_SHOWN = 10
_FIRST = 100  # number of the newest story and link at step 0; older ones fill the pages from the start
_SETTLED = 3  # a story that is this many steps old shows an update
_OFFER_STAYS = 4  # an offer is in the shop for this many steps
_SHELF = 13  # stock counts from 12 down to 0 and starts again: 13 different numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    number: int
    topic: str
    headline: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ware:
    name: str
    cents: int
    stock: int
    offer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    number: int
    title: str
    blurb: str


def stories(seed: int, step: int) -> list[Story]:
    """Returns the stories on the news page, newest first. Each step adds one story, drops one, and updates an
    older one."""
    newest = _FIRST + step
    return [told(seed, newest - age, updated=age >= _SETTLED) for age in range(STORIES_SHOWN)]


def wares(seed: int, step: int) -> list[Ware]:
    """Returns the goods of the shop, the offer last. Each price changes in its own rhythm; stock falls at
    every step."""
    regular = [_ware(seed, step, shelf, *good) for shelf, good in enumerate(GOODS)]
    turn = step // _OFFER_STAYS
    name, usual = _in_turn(OFFERS, seed, "offer", turn)
    cents = round(usual * (80 + 10 * chance(seed, "offer price", turn)))
    return [*regular, Ware(name=name, cents=cents, stock=_OFFER_STAYS - step % _OFFER_STAYS, offer=True)]


def places(seed: int, step: int) -> list[Place]:
    """Returns the links of the link page, sorted by title, so that a new link can appear anywhere in the
    list. Each step adds one link and drops one."""
    numbers = range(_FIRST + step - LINKS_SHOWN + 1, _FIRST + step + 1)
    return sorted((place(seed, number) for number in numbers), key=lambda place: place.title)


def told(seed: int, number: int, *, updated: bool = False) -> Story:
    """Returns one story. Headlines use all subjects and all deeds in turn, so that neighbouring stories share
    neither."""
    update = f" Update: {_any(UPDATES, seed, 'update', number)}" if updated else ""
    opening, remark = _in_turn(OPENINGS, seed, "opening", number), _any(REMARKS, seed, "remark", number)
    return Story(
        number=number,
        topic=_any(TOPICS, seed, "topic", number),
        headline=f"{_in_turn(SUBJECTS, seed, 'subject', number)} {_in_turn(DEEDS, seed, 'deed', number)}",
        text=f"{opening} {remark}{update}",
    )


def _ware(seed: int, step: int, shelf: int, name: str, usual: float) -> Ware:
    """Returns one good. Shelf 0 sells at every step, shelf 1 at every second step, and so on up to every
    fifth step."""
    rhythm = 1 + shelf % 5
    beat = (step + shelf) // rhythm
    sold = beat + int(_SHELF * chance(seed, "stock", shelf))
    wander = 1 + 0.25 * (_wandering(seed, f"price {shelf}", beat) - 0.5)
    return Ware(name=name, cents=round(usual * wander * 10) * 10, stock=_SHELF - 1 - sold % _SHELF)


def place(seed: int, number: int) -> Place:
    title = f"{_in_turn(MANNERS, seed, 'manner', number)} {_in_turn(PLACES, seed, 'place', number)}"
    return Place(number=number, title=title, blurb=_any(BLURBS, seed, "blurb", number))


def chance(seed: int, *about: object) -> float:
    """Returns a number in [0, 1) that depends only on the arguments and looks random."""
    digest = blake2b(repr((seed, *about)).encode(), digest_size=7).digest()
    return int.from_bytes(digest) / 2**56


def _any(words: Sequence[T], seed: int, about: str, number: int) -> T:
    return words[int(len(words) * chance(seed, about, number))]


def _in_turn(words: Sequence[T], seed: int, about: str, number: int) -> T:
    """Picks a word so that successive numbers use every word once before any word comes again. The seed
    chooses the order."""
    strides = [stride for stride in range(1, len(words)) if math.gcd(stride, len(words)) == 1]
    stride = _any(strides, seed, f"stride of {about}", 0)
    return words[(number * stride + int(len(words) * chance(seed, about))) % len(words)]


def _wandering(seed: int, about: str, beat: int) -> float:
    """Returns a number in [0, 1) that wanders with `beat`: a slow, a medium and a fast random curve added
    up."""
    return (
        0.5 * _eased(seed, about, beat, 24)
        + 0.3 * _eased(seed, about, beat, 6)
        + 0.2 * _eased(seed, about, beat, 1)
    )


def _eased(seed: int, about: str, beat: int, stretch: int) -> float:
    at, past = divmod(beat, stretch)
    here, there = chance(seed, about, stretch, at), chance(seed, about, stretch, at + 1)
    return here + (there - here) * past / stretch
