"""How far a time on a page and the clock moved between two looks in, whether that time ticks out (Q2).

A clock that shows the time of the look, and an age that went on by as much as the looks are apart, are known
at first sight if a coincidence is unlikely. An age in units that are large beside the time between the looks
("3 days", a few hours later "4 days") may as well be a term that somebody changed: it is told once, and left
out when it goes on with the clock again (`restless`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from webvigil.detect.quiet.advance import DAY, Advance, Advances
from webvigil.model.change import ObjectChange

# A look is noted when its whole visit to the host is over, which may be so many seconds late; and the clock
# of the page may go wrong by this share.
_LATE = 10.0
_WRONG = 0.01
# An age is sure to tick if it went on by so many units.
_MANY = 5
# The time zones of the world are whole multiples of this apart (but for Nepal and a few islands).
_ZONES = 1800


class Apart(NamedTuple):
    """The seconds between the last look that saw an old version and the look that sees a new one: at least
    `least`, at most `most`. `now` is the time of the latter, in seconds since the last midnight in UTC."""

    least: float
    most: float
    now: float

    @property
    def slack(self) -> float:
        return _LATE + _WRONG * self.most


class Ticking(NamedTuple):
    """The objects that went on as the clock did: those that surely tick, and the ages that may."""

    surely: frozenset[ObjectChange] = frozenset()
    maybe: frozenset[ObjectChange] = frozenset()


def ticking(advances: Mapping[ObjectChange, Advances], apart: Apart) -> Ticking:
    surely = {one for one, found in advances.items() if any(_surely(way, apart) for way in found)}
    maybe = {one for one, found in advances.items() if any(_maybe(way, apart) for way in found)}
    return Ticking(frozenset(surely), frozenset(maybe - surely))


def _maybe(way: Advance, apart: Apart) -> bool:
    """Tells whether a time went on by as much as the looks are apart."""
    fits = way.least <= apart.most + apart.slack and way.most >= apart.least - apart.slack
    return fits and way.most > 0


def _surely(way: Advance, apart: Apart) -> bool:
    if not _maybe(way, apart) or apart.most - apart.least > way.unit + apart.slack:
        return False
    if way.clock:
        return not way.even and apart.most < DAY / 4 and _shows_now(way, apart)
    return apart.least >= _MANY * (way.unit + apart.slack)


def _shows_now(way: Advance, apart: Apart) -> bool:
    """Tells whether a clock shows the time of the look, in whatever time zone."""
    off = (apart.now - way.shown) % _ZONES
    return min(off, _ZONES - off) <= way.unit + apart.slack
