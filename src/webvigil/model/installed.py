"""A sentinel as it stands in the knowledge base: what the user said, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webvigil.model.joint import Joint
from webvigil.model.life import LifeRecord
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice
from webvigil.model.page import Page
from webvigil.model.sentinel import State


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSentinel:
    """A sentinel to install: its canonical text and the pages it watches, each at this interval.

    Interval 0: on change. `joint` says which of the pages must have changed; None: any.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPage:
    """One page of an installed sentinel. `checks` counts all looks at the page, whoever asked for them."""

    id: int
    url: str
    due: datetime | None
    latest: int
    checks: int
    failures: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledSentinel:
    id: int
    user: str
    name: str
    text: str
    state: State
    enabled: bool
    life: LifeRecord
    installed_at: datetime
    pages: tuple[WatchedPage, ...]
    changes: int
    priority: int = 0
    topic: str = ""
