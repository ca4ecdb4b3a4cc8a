"""Versions of a page in, the dots of the time machine out, at their true distances in time.

A page may have very many versions, so the time machine shows a piece of them around the version that is
shown, and leads on to older and newer pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from webvigil.model.version import Version
from webvigil.web.axis import Label, axis

OLDER, NEWER = 40, 20
"""How many versions before and after the shown one belong to one piece."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A version on the track: its place in per cent, the address that shows it, and whether the sentinel
    found something in it."""

    number: int
    at: datetime
    place: float
    address: str
    found: bool


@dataclass(frozen=True, slots=True)
class Track:
    """`before` and `after` are the two versions that are compared now. `older` and `newer` are addresses of
    the neighbouring versions, "" where there are none; `newest` is that of the newest version."""

    dots: tuple[Dot, ...]
    before: Dot | None
    after: Dot | None
    labels: tuple[Label, ...]
    found: int
    older: str = ""
    newer: str = ""
    newest: str = ""
    more: int = 0

    @property
    def thousandths(self) -> int:
        return round(self.after.place * 10) if self.after else 0


def track(
    versions: Sequence[Version],
    changes: Mapping[int, int],
    zone: tzinfo,
    *,
    page: int,
    old: int,
    new: int,
    query: str = "",
    view: str = "single",
    newest: int = 0,
    more: int = 0,
) -> Track:
    """Returns the track of some neighbouring versions, oldest first. `changes` maps the number of a version
    in which the sentinel found something to the change; `query` is added to the addresses of the others. All
    are shown in the same `view`, so that the page does not change its look from version to version.
    `more` is how many versions of the page are not among these."""
    first, last = versions[0].fetched_at, versions[-1].fetched_at
    span = max((last - first).total_seconds(), 1e-9)
    numbers = [one.number for one in versions]
    dots = []
    for place, one in enumerate(versions):
        previous = numbers[place - 1] if place else one.number
        dots.append(
            Dot(
                one.number,
                one.fetched_at,
                round(100 * (one.fetched_at - first).total_seconds() / span, 2) if len(versions) > 1 else 100,
                _address(page, previous, one.number, changes, query, view),
                one.number in changes,
            )
        )
    by_number = {one.number: one for one in dots}
    here = numbers.index(new) if new in numbers else len(numbers) - 1
    return Track(
        dots=tuple(dots),
        before=by_number.get(old) if old != new else None,
        after=by_number.get(new),
        labels=tuple(axis(first, last, zone)) if len(dots) > 1 else (),
        found=sum(one.found for one in dots),
        older=dots[here - 1].address if here > 0 else "",
        newer=dots[here + 1].address if here + 1 < len(dots) else "",
        newest=f"/pages/{page}/compare?a=previous&b=latest&view={view}{query}" if newest > new else "",
        more=more,
    )


def _address(page: int, old: int, new: int, changes: Mapping[int, int], query: str, view: str) -> str:
    view = f"view={view}"
    if new in changes:
        return f"/changes/{changes[new]}?{view}"
    return f"/pages/{page}/compare?a={old}&b={new}&{view}{query}"
