"""Which linked pages a sentinel with a depth watches beside its own (B7).

Its own pages are level 0, the pages they link to level 1, the pages that those link to, at the same domain,
level 2. There are only so many places. Children come before grandchildren; within a level those that are
watched already come before new ones, so that a page which shuffles its links does not shuffle the watches;
and new ones come in turn, the first link of every page before the second of any. A link that vanished keeps
its place for a while: most come back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from typing import NamedTuple

from webvigil.model.moment import NEVER, Millis
from webvigil.model.page import Page

DEEPEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far a sentinel follows links, and which: those in a part of its own pages (`part`), and in a part
    of linked ones (`below`). Parts are named by a key; "" is the whole page. `most`: a bound of its own."""

    depth: int = 0
    part: str = ""
    below: str = ""
    most: int | None = None

    def part_at(self, level: int) -> str | None:
        """The part of a page of that level whose links are followed; None where none are."""
        if level >= self.depth:
            return None
        return self.below if level else self.part


NO_REACH = Reach()


@dataclass(frozen=True, slots=True)
class Lead:
    """A link that may be followed. `near`: to the same domain."""

    page: Page
    near: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """The links in a part of a page, in the order of the page; `more`: others are not listed."""

    part: str
    version: int
    leads: tuple[Lead, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class KnownLead:
    """A link as it is known, to the page of this key; `gone_at`: when it was missed first."""

    key: str
    near: bool
    gone_at: Millis | None = None


@dataclass(frozen=True, slots=True)
class KnownLinks:
    leads: tuple[KnownLead, ...] = ()
    more: bool = False


NO_LINKS = KnownLinks()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """So many linked pages at most for one sentinel; a link that is missing for longer than `patience` is
    gone for good."""

    most: int
    patience: Millis

    def within(self, reach: Reach) -> Limits:
        """With the bound that a sentinel has of its own."""
        return self if reach.most is None else replace(self, most=min(self.most, reach.most))


class Place(NamedTuple):
    """Where a linked page stands: how many links away, and on which page (by its key) its link is."""

    level: int
    via: str


@dataclass(frozen=True, slots=True)
class Followed:
    """`full`: there are more links than places. `until`: when the first missing one is gone for good."""

    places: dict[str, Place] = field(default_factory=dict)
    full: bool = False
    until: Millis = NEVER


LinksOf = Callable[[str, int], KnownLinks]
"""The key of a page and its level in, its links out."""


def follow(
    roots: Sequence[str],
    depth: int,
    links_of: LinksOf,
    watched: Collection[str],
    limits: Limits,
    now: Millis,
) -> Followed:
    """All linked pages that are to be watched; `watched` are those that are."""
    places: dict[str, Place] = {}
    full, until = False, NEVER
    above = list(roots)
    for level in range(1, depth + 1):
        links = {key: links_of(key, level - 1) for key in above}
        counting = _Counting(level, watched, now - limits.patience)
        offered: dict[str, str] = {}
        for via, lead in _in_turn((key, one.leads) for key, one in links.items()):
            if lead.key in places or lead.key in roots or not counting.counts(lead):
                continue
            offered.setdefault(lead.key, via)
            if lead.gone_at is not None:
                until = min(until, lead.gone_at + limits.patience)
        chosen = _first(offered, watched, limits.most - len(places))
        full = full or len(chosen) < len(offered) or any(one.more for one in links.values())
        above = [key for key in offered if key in chosen]
        places |= {key: Place(level, offered[key]) for key in above}
    return Followed(places, full, until)


@dataclass(frozen=True, slots=True)
class _Counting:
    """Which links count: grandchildren only at the domain of the child, missing ones only while there is hope
    for one that is watched."""

    level: int
    watched: Collection[str]
    missed_since: Millis

    def counts(self, lead: KnownLead) -> bool:
        if self.level > 1 and not lead.near:
            return False
        return lead.gone_at is None or (lead.key in self.watched and lead.gone_at > self.missed_since)


def root_of(page: int, via: Callable[[int], int | None]) -> int:
    """The page of its own that a sentinel came by to a linked one."""
    for _ in range(DEEPEST):
        above = via(page)
        if above is None:
            break
        page = above
    return page


def _first(offered: Iterable[str], watched: Collection[str], places: int) -> set[str]:
    """Those that are watched keep their place."""
    in_order = sorted(offered, key=lambda key: key not in watched)
    return set(in_order[: max(0, places)])


def _in_turn(pages: Iterable[tuple[str, tuple[KnownLead, ...]]]) -> Iterator[tuple[str, KnownLead]]:
    """The first link of every page, then the second; those that are there before those that are gone."""
    every = list(pages)
    for gone in (False, True):
        rows = [[(key, one) for one in leads if (one.gone_at is not None) is gone] for key, leads in every]
        yield from (one for one in chain.from_iterable(zip_longest(*rows)) if one is not None)
