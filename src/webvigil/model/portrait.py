"""A portrait of one sentinel for its user: what comes next and why, how its pages change, what failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from webvigil.model.change import Finding
from webvigil.model.installed import ToldSentinel, WatchedPage
from webvigil.model.quiet import LeftPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """Everything that the detail view of a sentinel shows. By address of a page, `pace` says how the page
    changes, and `trouble` why the newest look failed, what came in place of the page, or what keeps the
    sentinel from seeing what it watches. `linked` are the linked pages that it watches, at most
    `most_linked`. `restless` are places whose usual changes it is not told; `left_out` says by address what
    was last left out, and why. `looks` are the next times at which its schedule wants a look, on the clock of
    its user. `from_topics` are the clauses that its topics add, by topic."""

    sentinel: ToldSentinel
    next: str
    pace: Mapping[str, str]
    trouble: Mapping[str, str]
    linked: tuple[WatchedPage, ...]
    most_linked: int
    restless: tuple[LeftPlace, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    looks: tuple[datetime, ...] = ()
    from_topics: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """A block of a page that `Within main` leaves out, in words; `clause` would watch it, too."""

    place: str
    says: str
    clause: str


@dataclass(frozen=True, slots=True)
class WatchedNow:
    """The things that a sentinel watches, as found on one version of a page; version 0 is the page as
    fetched just now. `missing` names the things that are not there, `trouble` says why the version cannot
    be shown. `outside` are the blocks that `Within main` leaves out."""

    url: str
    version: int
    findings: tuple[Finding, ...]
    sentinel: str = ""
    missing: tuple[str, ...] = ()
    trouble: str = ""
    outside: tuple[Outside, ...] = ()
