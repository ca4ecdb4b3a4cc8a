"""Which linked pages a sentinel with a depth watches beside its own pages (B7): known links in, places out.

The pages that a sentinel names are level 0, the pages they link to are level 1, and the pages that level 1
links to, at the same domain, are level 2. The number of places is limited. Level 1 comes before level 2.
Within a level, pages that are already watched come before new pages, so that a page which shuffles its links
does not shuffle the watches. New pages are taken in turn: the first link of every page before the second link
of any. A link that vanished keeps its place for a while, because most such links come back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from typing import NamedTuple

from webvigil.model.moment import NEVER, Millis
from webvigil.model.page import Page

# The deepest level of linked pages that a sentinel may watch.
DEEPEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far a sentinel follows links, and in which parts of pages: `part` of its own pages, `below` of
    linked pages. Parts are named by a key; "" is the whole page. `most` is the sentinel's own limit of linked
    pages."""

    depth: int = 0
    part: str = ""
    below: str = ""
    most: int | None = None

    def part_at(self, level: int) -> str | None:
        """Returns the part of a page of that level whose links are followed, or None if no links are."""
        if level >= self.depth:
            return None
        return self.below if level else self.part


NO_REACH = Reach()


@dataclass(frozen=True, slots=True)
class Lead:
    """A link that may be followed. `near` says whether it leads to the same domain."""

    page: Page
    near: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """The links in a part of a page, in the order of the page. `more` says that the part has further links,
    which are not listed."""

    part: str
    version: int
    leads: tuple[Lead, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class KnownLead:
    """A stored link to the page with this key. `gone_at` is when the link was first missing, None while it is
    there."""

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
    """How many linked pages one sentinel may watch, and how long a link may be missing (`patience`) before it
    counts as gone for good."""

    most: int
    patience: Millis

    def within(self, reach: Reach) -> Limits:
        """Returns these limits, lowered to the sentinel's own limit if it has one."""
        return self if reach.most is None else replace(self, most=min(self.most, reach.most))


class Place(NamedTuple):
    """The place of a linked page: how many links away it is, and the key of the page that links to it."""

    level: int
    via: str


@dataclass(frozen=True, slots=True)
class Followed:
    """The linked pages to watch. `full` says that there are more links than places. `until` is when the first
    missing link is gone for good, and the choice must be made again."""

    places: dict[str, Place] = field(default_factory=dict)
    full: bool = False
    until: Millis = NEVER


LinksOf = Callable[[str, int], KnownLinks]
"""A function that takes the key of a page and its level and returns its links."""


def follow(
    roots: Sequence[str],
    depth: int,
    links_of: LinksOf,
    watched: Collection[str],
    limits: Limits,
    now: Millis,
) -> Followed:
    """Chooses the linked pages to watch, level by level. `watched` are the keys of the linked pages that are
    watched now."""
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
    """Decides which links count. Level 2 only takes links to the same domain. A missing link only counts
    while its page is watched and its patience has not run out."""

    level: int
    watched: Collection[str]
    missed_since: Millis

    def counts(self, lead: KnownLead) -> bool:
        if self.level > 1 and not lead.near:
            return False
        return lead.gone_at is None or (lead.key in self.watched and lead.gone_at > self.missed_since)


def root_of(page: int, via: Callable[[int], int | None]) -> int:
    """Returns the page, named by the sentinel, from which links lead to this linked page."""
    for _ in range(DEEPEST):
        above = via(page)
        if above is None:
            break
        page = above
    return page


def _first(offered: Iterable[str], watched: Collection[str], places: int) -> set[str]:
    """Chooses as many pages as there are places, watched pages first."""
    in_order = sorted(offered, key=lambda key: key not in watched)
    return set(in_order[: max(0, places)])


def _in_turn(pages: Iterable[tuple[str, tuple[KnownLead, ...]]]) -> Iterator[tuple[str, KnownLead]]:
    """Yields the first link of every page, then the second of every page, and so on; all present links before
    all missing ones."""
    every = list(pages)
    for gone in (False, True):
        rows = [[(key, one) for one in leads if (one.gone_at is not None) is gone] for key, leads in every]
        yield from (one for one in chain.from_iterable(zip_longest(*rows)) if one is not None)
