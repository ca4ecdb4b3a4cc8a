"""One sentinel in all that its user may want to know of it: what comes next and why, how its pages change,
what failed, what it watches on them now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from webvigil.model.change import Finding
from webvigil.model.installed import ToldSentinel, WatchedPage
from webvigil.model.quiet import LeftPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """`pace` says by address how a page changes, `trouble` why its newest look failed, what came in place of
    the page, or what keeps the sentinel from seeing what it watches there. `linked` are pages that it watches
    beside its own, at most `most_linked`. `restless` are places whose usual changes it is not told;
    `left_out` says by address what was last left out, and why."""

    sentinel: ToldSentinel
    next: str
    pace: Mapping[str, str]
    trouble: Mapping[str, str]
    linked: tuple[WatchedPage, ...]
    most_linked: int
    restless: tuple[LeftPlace, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WatchedNow:
    """What a sentinel watches on a version of a page; version 0: on the page as it is. `missing` says what it
    names that is not there, `trouble` why the version cannot be shown."""

    url: str
    version: int
    findings: tuple[Finding, ...]
    sentinel: str = ""
    missing: tuple[str, ...] = ()
    trouble: str = ""
