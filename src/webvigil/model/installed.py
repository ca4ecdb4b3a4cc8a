"""A sentinel as it stands in the knowledge base: what the user wrote, and its state since then."""

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
    """A sentinel to install: its canonical text and its pages, all looked at with the same interval. `own` is
    what the user wrote, "" if topics add no clauses to it.

    Interval 0 means on change. `joint` says which of the pages must have changed together; None: any page is
    enough. `reach` says how far the sentinel follows links on its pages. `replan`: an edited sentinel has
    another Fetch clause than before, so that its next look is planned anew.
    """

    user: str
    name: str
    text: str
    pages: tuple[Page, ...]
    interval: Millis
    life: LifeRecord
    priority: int = 0
    topic: str = ""
    own: str = ""
    notices: tuple[Notice, ...] = ()
    joint: Joint | None = None
    reach: Reach = NO_REACH
    replan: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPage:
    """One page of an installed sentinel. `checks` counts all looks at the page, for any sentinel.

    `level` is the number of links between this page and a page that the sentinel names; `via` is the page
    with the link. `doubt` says why the newest answer is not believed to be the page. `trouble` says what
    keeps the sentinel from seeing what it watches on the page.
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
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """The part of a shared page's history that one user may see: the version that was newest when the user
    began to watch, all later versions, looks since then, and troubles of the user's own sentinels."""

    first_version: int = 0
    since: Millis = 0
    sentinels: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldSentinel:
    """An installed sentinel as it is shown to its user, read from this store or from a server.

    `text` is what counts; `own` is what the user wrote, "" if topics add no clauses to it.
    `pages` are the pages that the sentinel names. Beside them it watches `linked` further pages; `full` says
    that there are more links than it may follow. `warnings` say which things the sentinel names that are not
    on its pages; only the answer to installing it has them.
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
    own: str = ""

    @property
    def written(self) -> str:
        """What the user wrote: the text without the clauses that topics add to it."""
        return self.own or self.text

    @property
    def trouble(self) -> dict[str, str]:
        """Returns, by address of a page, what keeps the sentinel from seeing what it watches there."""
        return {page.url: page.trouble for page in self.pages if page.trouble}


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledSentinel(ToldSentinel):
    """An installed sentinel with the fields that only its own server knows."""

    id: int
    user: str
    enabled: bool
    life: LifeRecord
    priority: int = 0
    topic: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedSentinel:
    """A sentinel that its user removed a short while ago, and that can still be brought back with its
    changes. `title` and `url` are those of its first page."""

    id: int
    name: str
    removed_at: datetime
    changes: int
    title: str = ""
    url: str = ""
