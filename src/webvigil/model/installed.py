"""A sentinel as it stands in the knowledge base: what the user said, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webvigil.model.doubt import Doubt
from webvigil.model.following import NO_REACH, Reach
from webvigil.model.joint import Joint
from webvigil.model.life import LifeRecord
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice
from webvigil.model.page import Page
from webvigil.model.sentinel import State


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSentinel:
    """A sentinel to install: its canonical text and the pages it watches, each at this interval.

    Interval 0: on change. `joint` says which of the pages must have changed; None: any. `reach` says how far
    it follows their links.
    """

    user: str
    name: str
    text: str
    pages: tuple[Page, ...]
    interval: Millis
    life: LifeRecord
    priority: int = 0
    topic: str = ""
    notices: tuple[Notice, ...] = ()
    joint: Joint | None = None
    reach: Reach = NO_REACH


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPage:
    """One page of an installed sentinel. `checks` counts all looks at the page, whoever asked for them.

    `level`: so many links away from a page that the sentinel names; `via`: the page that the link is on.
    `doubt`: what came last is not believed to be the page.
    `trouble` says what keeps the sentinel from seeing what it watches there.
    """

    id: int
    url: str
    due: datetime | None
    latest: int
    checks: int
    failures: int
    level: int = 0
    via: str = ""
    doubt: Doubt | None = None
    trouble: str = ""
    failing_since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """What a user may see of a page that others may watch, too: the version that was newest when they began
    to watch it, and later ones; looks since then; and what troubles their own sentinels."""

    first_version: int = 0
    since: Millis = 0
    sentinels: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldSentinel:
    """An installed sentinel as its user is told of it, here or by a server.

    `pages` are those that it names; beside them it watches so many `linked` ones, and is `full` when there
    are more than it may watch. `warnings` say what it names that is not on its pages; they are known where it
    is made.
    """

    name: str
    text: str
    state: State
    installed_at: datetime
    pages: tuple[WatchedPage, ...]
    changes: int
    linked: int = 0
    full: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def trouble(self) -> dict[str, str]:
        """By address, what keeps it from seeing what it watches."""
        return {page.url: page.trouble for page in self.pages if page.trouble}


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledSentinel(ToldSentinel):
    id: int
    user: str
    enabled: bool
    life: LifeRecord
    priority: int = 0
    topic: str = ""
