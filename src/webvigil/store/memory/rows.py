"""The rows of the knowledge base in memory: small mutable records, and the lock around them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from webvigil.errors import NotFound
from webvigil.model.agent import Agent
from webvigil.model.change import Change
from webvigil.model.contact import KnownContact, Preferences
from webvigil.model.discovery import Discovery, FoundService
from webvigil.model.doubt import Doubt
from webvigil.model.event import Event
from webvigil.model.following import root_of
from webvigil.model.installed import NewSentinel
from webvigil.model.life import LifeRecord, state_of
from webvigil.model.login import SealedLogin
from webvigil.model.meaning import Answer, Judgement, NewQuestion, Spent
from webvigil.model.moment import NEVER, Millis, as_datetime
from webvigil.model.notice import Notice
from webvigil.model.pace import PaceRecord, Steering
from webvigil.model.page import Page
from webvigil.model.peer import Peer
from webvigil.model.push import Push
from webvigil.model.quiet import Habits
from webvigil.model.sentinel import State
from webvigil.model.trouble import UNSEEN, Trouble
from webvigil.model.user import Token, User
from webvigil.model.version import Version
from webvigil.model.work import NewChange, Watch


@dataclass(slots=True)
class Host:
    id: int
    name: str
    next_at: Millis = NEVER
    lease: Millis = 0
    token: int = 0
    owner: str = ""
    failures: int = 0

    @property
    def ready(self) -> Millis:
        return max(self.next_at, self.lease)


@dataclass(slots=True)
class PageRow:
    id: int
    host: Host
    page: Page
    priority: int
    due: Millis = NEVER
    checks: int = 0
    asked: int = 0
    failures: int = 0
    failing_since: Millis = 0
    wish: str = ""
    title: str = ""
    doubt: Doubt | None = None
    memory: bytes = b""
    share: float = 0.0
    pings: int = 0
    validators: dict[str, str] = field(default_factory=dict)
    versions: list[Version] = field(default_factory=list)
    deltas: dict[str, bytes] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    looks: list[dict[str, Any]] = field(default_factory=list)
    habits: dict[str, Habits] = field(default_factory=dict)

    @property
    def latest(self) -> int:
        return self.versions[-1].number if self.versions else 0

    @property
    def pace(self) -> PaceRecord:
        return PaceRecord(memory=self.memory, pings=self.pings)


@dataclass(slots=True)
class WatchRow:
    page: PageRow
    interval: Millis
    next_at: Millis
    reference: int
    measured_from: int = 0
    first_version: int = 0
    since: Millis = 0
    level: int = 0
    via: int | None = None
    trouble: Trouble = UNSEEN

    @classmethod
    def begun(cls, page: PageRow, interval: Millis, now: Millis, *, level: int = 0) -> WatchRow:
        """Returns a new watch. The newest stored version is the first that it is compared with, and the first
        that its user may see."""
        return cls(
            page=page,
            interval=interval,
            next_at=now,
            reference=page.latest,
            first_version=page.latest,
            since=now,
            level=level,
        )


@dataclass(slots=True)
class LinkRow:
    page: Page
    near: bool
    position: int
    gone_at: Millis | None = None


@dataclass(slots=True)
class LinkedRow:
    """The links in a part of a page, by the key of the page that each leads to."""

    version: int
    more: bool
    links: dict[str, LinkRow] = field(default_factory=dict)


@dataclass(slots=True)
class Held:
    """A change that waits for changes of other pages, and the page of the joint that it counts for."""

    change: NewChange
    at: Millis
    root: int


@dataclass(slots=True)
class SentinelRow:
    id: int
    new: NewSentinel
    life: LifeRecord
    revision: int
    enabled: bool = True
    watches: dict[int, WatchRow] = field(default_factory=dict)
    joint: Any = None
    held: dict[int, Held] = field(default_factory=dict)
    follow_at: Millis = NEVER
    linked: int = 0
    full: bool = False

    @property
    def state(self) -> State:
        return state_of(self.life, enabled=self.enabled)

    def follows(self, page: int) -> str | None:
        return self.new.reach.part_at(self.watches[page].level)

    def root_of(self, page: int) -> int:
        return root_of(page, lambda one: self.watches[one].via if one in self.watches else None)

    def roots_waiting(self) -> set[int]:
        return {one.root for one in self.held.values()}


@dataclass(slots=True)
class Aside:
    """A sentinel that its user removed, with its changes: it can be brought back."""

    row: SentinelRow
    at: Millis
    changes: dict[int, Change]


@dataclass(slots=True)
class OutboxRow:
    id: int
    notice: Notice
    due: Millis
    lease: Millis = 0
    token: int = 0
    owner: str = ""
    attempts: int = 0
    state: str = "pending"
    error: str = ""
    created_at: Millis = 0
    settled_at: Millis | None = None
    merged_into: str = ""

    @property
    def ready(self) -> Millis:
        return max(self.due, self.lease)

    @property
    def unsettled(self) -> bool:
        return self.state in ("pending", "held")


@dataclass(slots=True)
class QuestionRow:
    id: int
    change: NewChange
    page: PageRow
    found_at: Millis
    due: Millis
    lease: Millis = 0
    token: int = 0
    owner: str = ""
    attempts: int = 0
    judgement: Judgement | None = None

    @property
    def question(self) -> NewQuestion:
        assert self.change.question is not None, "only a change with a question waits"
        return self.change.question

    @property
    def ready(self) -> Millis:
        return max(self.due, self.lease)


@dataclass(slots=True)
class DiscoveryRow:
    discovery: Discovery
    steps: list[dict[str, Any]] = field(default_factory=list)
    services: list[FoundService] = field(default_factory=list)


class Rows:
    """All rows of the knowledge base, and the lock around them."""

    def __init__(self, clock: Callable[[], Millis] | None) -> None:
        self.lock = threading.RLock()
        self.now: Callable[[], Millis] = clock or (lambda: time.time_ns() // 1_000_000)
        self.ids = count(1)
        self.users: dict[str, User] = {}
        self.passwords: dict[str, str] = {}
        self.topics: dict[str, dict[str, str]] = {}
        self.tokens: dict[str, Token] = {}
        self.sentinels: dict[int, SentinelRow] = {}
        self.hosts: dict[str, Host] = {}
        self.pages: dict[int, PageRow] = {}
        self.page_by_key: dict[str, PageRow] = {}
        self.links: dict[tuple[int, str], LinkedRow] = {}
        self.pasts: dict[int, list[tuple[str, Version]]] = {}
        self.changes: dict[int, Change] = {}
        self.outbox: dict[str, OutboxRow] = {}
        self.questions: dict[int, QuestionRow] = {}
        self.answers: dict[str, tuple[Millis, Answer]] = {}
        self.spendings: dict[tuple[str, int], Spent] = {}
        self.events: list[Event] = []
        self.facts: dict[str, str] = {}
        self.logins: dict[tuple[str, str], SealedLogin] = {}
        self.pushes: dict[str, Push] = {}
        self.contacts: dict[tuple[str, str, str], KnownContact] = {}
        self.preferences: dict[str, Preferences] = {}
        self.peers: dict[str, Peer] = {}
        self.agents: dict[str, Agent] = {}
        self.peer_pages: dict[str, dict[str, Millis]] = {}
        self.peer_messages: dict[str, Millis] = {}
        self.revision = 0
        self.removals: dict[int, int] = {}
        self.aside: dict[int, Aside] = {}
        self.duties: dict[str, tuple[str, Millis]] = {}
        self.discoveries: dict[int, DiscoveryRow] = {}
        self.hearers: list[Callable[[], None]] = []
        self.steering = Steering()

    def next_revision(self) -> int:
        self.revision += 1
        return self.revision

    def user(self, name: str) -> User:
        if name not in self.users:
            raise NotFound(f"there is no user {name!r}")
        return self.users[name]

    def write_notices(self, notices: Iterable[Notice]) -> int:
        """Adds notices and returns how many of them are new."""
        before, now = len(self.outbox), self.now()
        for notice in notices:
            state = "held" if notice.waits else "pending"
            row = OutboxRow(id=next(self.ids), notice=notice, due=now, state=state, created_at=now)
            self.outbox.setdefault(notice.dedup, row)
        return len(self.outbox) - before

    def recount(self, user: str, sentinel: str) -> None:
        """Makes notices that wait for more changes of this sentinel due now, because no further change may
        come."""
        for row in self.outbox.values():
            of_it = (row.notice.user, row.notice.sentinel) == (user, sentinel)
            if of_it and row.state == "held" and row.notice.needs:
                row.due = self.now()

    def kept_sentinels(self) -> list[SentinelRow]:
        """Returns all sentinels whose versions have to stay, also those that can be brought back."""
        return [*self.sentinels.values(), *(one.row for one in self.aside.values())]

    def kept_changes(self) -> list[Change]:
        aside = [change for one in self.aside.values() for change in one.changes.values()]
        return [*self.changes.values(), *aside]

    def write_change(self, page: PageRow, found: NewChange, now: Millis) -> None:
        sentinel = self.sentinels.get(found.sentinel)
        if sentinel is None:
            return
        change = Change(
            id=next(self.ids),
            sentinel=sentinel.new.name,
            user=sentinel.new.user,
            page=page.id,
            url=page.page.url,
            old_version=found.old_version,
            new_version=found.new_version,
            found_at=as_datetime(now),
            findings=found.findings,
            topic=sentinel.new.topic,
            title=page.title,
            judgement=found.judgement,
        )
        if not any(_same_change(change, known) for known in self.changes.values()):
            self.changes[change.id] = change
        self.write_notices(found.notices)

    def page_for(self, wanted: Page, priority: int) -> PageRow:
        known = self.page_by_key.get(wanted.key)
        if known:
            known.priority = max(known.priority, priority)
            return known
        host = self.hosts.setdefault(wanted.host, Host(id=len(self.hosts) + 1, name=wanted.host))
        page = PageRow(id=next(self.ids), host=host, page=wanted, priority=priority)
        self.pages[page.id] = self.page_by_key[wanted.key] = page
        return page

    def priority_of(self, page: int) -> int:
        """Returns the priority of the most urgent sentinel on the page."""
        watching = (row.new.priority for row in self.sentinels.values() if page in row.watches)
        return max(watching, default=0)

    def reschedule(self, pages: Iterable[PageRow]) -> None:
        for page in pages:
            page.due = min((watch.next_at for watch in self.active_watches(page.id)), default=NEVER)
            page.asked += 1
            self.settle(page.host)
        self.ring()

    def ring(self) -> None:
        for hearer in tuple(self.hearers):
            hearer()

    def settle(self, host: Host) -> None:
        host.next_at = min((page.due for page in self.pages.values() if page.host is host), default=NEVER)

    def watches(self, page: int) -> Iterable[Watch]:
        for row in self.sentinels.values():
            watch = row.watches.get(page)
            if watch and row.state is State.ACTIVE:
                yield Watch(
                    sentinel=row.id,
                    user=row.new.user,
                    name=row.new.name,
                    text=row.new.text,
                    interval=watch.interval,
                    next_at=watch.next_at,
                    reference=watch.reference,
                    measured_from=watch.measured_from,
                    taste=self.user(row.new.user).taste,
                    level=watch.level,
                    follows=row.follows(page),
                    trouble=watch.trouble,
                    zone=self.user(row.new.user).zone,
                )

    def active_watches(self, page: int) -> list[WatchRow]:
        return [
            sentinel.watches[page]
            for sentinel in self.sentinels.values()
            if page in sentinel.watches and sentinel.state is State.ACTIVE
        ]

    def on_change(self, page: int) -> list[WatchRow]:
        watches = (one.watches[page] for one in self.sentinels.values() if page in one.watches)
        return [watch for watch in watches if watch.interval == 0]


class Part:
    """One interface of the knowledge base, implemented over the rows that all parts share."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows


def _same_change(one: Change, other: Change) -> bool:
    return (one.user, one.sentinel, one.page, one.old_version, one.new_version) == (
        other.user,
        other.sentinel,
        other.page,
        other.old_version,
        other.new_version,
    )
