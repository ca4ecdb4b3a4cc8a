"""The knowledge base in memory: the twin that keeps the same promises as `sql`, for tests and experiments.

Rows are small mutable records behind one lock; what goes out is the same frozen values.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from typing import Any

from webvigil.errors import NameTaken, NotFound
from webvigil.model.change import Change
from webvigil.model.event import Event
from webvigil.model.history import History, KeptVersion, Need, Told, Use
from webvigil.model.installed import InstalledSentinel, NewSentinel, WatchedPage
from webvigil.model.joint import is_complete, joint_as_json
from webvigil.model.life import LifeEvent, LifeNews, LifeRecord, LifeStep, LivingSentinel, state_of
from webvigil.model.login import SealedLogin
from webvigil.model.moment import NEVER, Millis, as_datetime, as_millis
from webvigil.model.notice import AT_ONCE, Notice, OutboxRecord, Receipt, Waiting
from webvigil.model.notice import Told as ToldNotices
from webvigil.model.pace import PaceRecord, Shares, Steering
from webvigil.model.page import Page
from webvigil.model.push import Push
from webvigil.model.sentinel import State
from webvigil.model.user import Role, Scope, Token, User
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_ID, PIECE, WantedChanges, WantedSentinels
from webvigil.model.work import (
    Backlog,
    CheckResult,
    Claim,
    Counts,
    DuePage,
    HostAfter,
    LastLooks,
    LatestVersion,
    NewChange,
    OutboxItem,
    UndeliveredNotice,
    Visited,
    Watch,
)
from webvigil.store.memory_contacts import MemoryContacts
from webvigil.store.promises import (
    Changes,
    Contacts,
    Duties,
    Histories,
    Journal,
    Logins,
    Outbox,
    Paces,
    Pushes,
    Schedule,
    Search,
    Sentinels,
    Users,
    Versions,
)
from webvigil.store.searching import matches, phrases, words_of_change

_PRIORITY_BONUS: Millis = 60_000
_TRUSTED: Millis = 1_000
_LONGEST_CHECK: Millis = 12 * 3_600_000


@dataclass(slots=True)
class _Host:
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
class _PageRow:
    id: int
    host: _Host
    page: Page
    priority: int
    due: Millis = NEVER
    checks: int = 0
    asked: int = 0
    failures: int = 0
    wish: str = ""
    memory: bytes = b""
    share: float = 0.0
    pings: int = 0
    validators: dict[str, str] = field(default_factory=dict)
    versions: list[Version] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)
    looks: list[dict[str, Any]] = field(default_factory=list)

    @property
    def latest(self) -> int:
        return self.versions[-1].number if self.versions else 0


@dataclass(slots=True)
class _WatchRow:
    page: _PageRow
    interval: Millis
    next_at: Millis
    reference: int
    measured_from: int = 0


@dataclass(slots=True)
class _SentinelRow:
    id: int
    new: NewSentinel
    life: LifeRecord
    revision: int
    enabled: bool = True
    watches: dict[int, _WatchRow] = field(default_factory=dict)
    joint: Any = None
    held: dict[int, tuple[NewChange, Millis]] = field(default_factory=dict)

    @property
    def state(self) -> State:
        return state_of(self.life, enabled=self.enabled)


@dataclass(slots=True)
class _OutboxRow:
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


class _Rows:
    """All there is, and the lock around it."""

    def __init__(self, clock: Callable[[], Millis] | None) -> None:
        self.lock = threading.RLock()
        self.now: Callable[[], Millis] = clock or (lambda: time.time_ns() // 1_000_000)
        self.ids = count(1)
        self.users: dict[str, User] = {}
        self.passwords: dict[str, str] = {}
        self.tokens: dict[str, Token] = {}
        self.sentinels: dict[int, _SentinelRow] = {}
        self.hosts: dict[str, _Host] = {}
        self.pages: dict[int, _PageRow] = {}
        self.page_by_key: dict[str, _PageRow] = {}
        self.changes: dict[int, Change] = {}
        self.outbox: dict[str, _OutboxRow] = {}
        self.events: list[Event] = []
        self.facts: dict[str, str] = {}
        self.logins: dict[tuple[str, str], SealedLogin] = {}
        self.pushes: dict[str, Push] = {}
        self.revision = 0
        self.removals: dict[int, int] = {}
        self.duties: dict[str, tuple[str, Millis]] = {}
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
        """How many of them are new."""
        before, now = len(self.outbox), self.now()
        for notice in notices:
            state = "held" if notice.waits else "pending"
            row = _OutboxRow(id=next(self.ids), notice=notice, due=now, state=state, created_at=now)
            self.outbox.setdefault(notice.dedup, row)
        return len(self.outbox) - before

    def write_change(self, page: _PageRow, found: NewChange, now: Millis) -> None:
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
        )
        if not any(_same_change(change, known) for known in self.changes.values()):
            self.changes[change.id] = change
        self.write_notices(found.notices)

    def reschedule(self, pages: Iterable[_PageRow]) -> None:
        for page in pages:
            page.due = min((watch.next_at for watch in self.active_watches(page.id)), default=NEVER)
            page.asked += 1
            self.settle(page.host)
        self.ring()

    def ring(self) -> None:
        for hearer in tuple(self.hearers):
            hearer()

    def settle(self, host: _Host) -> None:
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
                )

    def active_watches(self, page: int) -> list[_WatchRow]:
        return [
            sentinel.watches[page]
            for sentinel in self.sentinels.values()
            if page in sentinel.watches and sentinel.state is State.ACTIVE
        ]

    def on_change(self, page: int) -> list[_WatchRow]:
        watches = (one.watches[page] for one in self.sentinels.values() if page in one.watches)
        return [watch for watch in watches if watch.interval == 0]


class MemoryKnowledge:
    def __init__(
        self, *, delay: Millis = 1_000, concurrency: int = 1, clock: Callable[[], Millis] | None = None
    ) -> None:
        rows = _Rows(clock)
        self.users: Users = _MemoryUsers(rows)
        self.sentinels: Sentinels = _MemorySentinels(rows)
        self.schedule: Schedule = _MemorySchedule(rows, delay, concurrency)
        self.versions: Versions = _MemoryVersions(rows)
        self.histories: Histories = _MemoryHistories(rows)
        self.changes: Changes = _MemoryChanges(rows)
        self.search: Search = _MemorySearch(rows)
        self.outbox: Outbox = _MemoryOutbox(rows)
        self.journal: Journal = _MemoryJournal(rows)
        self.logins: Logins = _MemoryLogins(rows)
        self.pushes: Pushes = _MemoryPushes(rows)
        self.duties: Duties = _MemoryDuties(rows)
        self.paces: Paces = _MemoryPaces(rows)
        self.contacts: Contacts = MemoryContacts(rows.user)

    def close(self) -> None:
        pass


class _Part:
    def __init__(self, rows: _Rows) -> None:
        self._rows = rows


class _MemoryUsers(_Part):
    def add(self, name: str, *, role: Role = "user", zone: str = "UTC") -> User:
        with self._rows.lock:
            if name in self._rows.users:
                raise NameTaken(f"there is a user {name!r} already")
            user = User(name=name, role=role, zone=zone, created_at=as_datetime(self._rows.now()))
            self._rows.users[name] = user
            return user

    def get(self, name: str) -> User:
        return self._rows.user(name)

    def all(self) -> list[User]:
        with self._rows.lock:
            return [self._rows.users[name] for name in sorted(self._rows.users)]

    def prefer(self, name: str, taste: str) -> None:
        with self._rows.lock:
            self._rows.users[name] = replace(self._rows.user(name), taste=taste)

    def change(self, name: str, *, role: Role | None = None, zone: str | None = None) -> User:
        with self._rows.lock:
            old = self._rows.user(name)
            self._rows.users[name] = replace(old, role=role or old.role, zone=zone or old.zone)
            return self._rows.users[name]

    def remove(self, name: str) -> None:
        rows = self._rows
        with rows.lock:
            rows.user(name)
            for row in [row for row in rows.sentinels.values() if row.new.user == name]:
                self._remove_sentinel(name, row.new.name)
            del rows.users[name]
            rows.passwords.pop(name, None)
            rows.tokens = {key: one for key, one in rows.tokens.items() if one.user.name != name}
            rows.outbox = {key: one for key, one in rows.outbox.items() if one.notice.user != name}
            rows.logins = {key: one for key, one in rows.logins.items() if key[0] != name}

    def _remove_sentinel(self, user: str, name: str) -> None:
        _MemorySentinels(self._rows).remove(user, name)

    def password(self, name: str) -> str:
        return self._rows.passwords.get(name, "")

    def set_password(self, name: str, hashed: str) -> None:
        self._rows.passwords[self._rows.user(name).name] = hashed

    def add_token(
        self,
        user: str,
        digest: str,
        *,
        purpose: str,
        expires: Millis,
        name: str = "",
        scope: Scope = "admin",
    ) -> None:
        with self._rows.lock:
            self._rows.tokens[digest] = Token(
                id=digest[:12],
                user=self._rows.user(user),
                purpose=purpose,
                name=name,
                scope=scope,
                created_at=as_datetime(self._rows.now()),
                expires_at=as_datetime(expires),
            )

    def token(self, digest: str, *, purpose: str) -> Token | None:
        with self._rows.lock:
            found = self._rows.tokens.get(digest)
            if found is None or found.purpose != purpose or found.expires_at <= self._now():
                return None
            self._rows.tokens[digest] = replace(found, used_at=self._now())
            return replace(found, user=self._rows.user(found.user.name))

    def tokens(self, user: str, *, purpose: str) -> list[Token]:
        with self._rows.lock:
            mine = (one for one in self._rows.tokens.values() if one.user.name == self._rows.user(user).name)
            found = [one for one in mine if one.purpose == purpose and one.expires_at > self._now()]
        return sorted(found, key=lambda one: (-one.created_at.timestamp(), one.id))

    def end_token(self, digest: str, *, expires: Millis) -> None:
        with self._rows.lock:
            if digest in self._rows.tokens:
                ended = replace(self._rows.tokens[digest], expires_at=as_datetime(expires))
                self._rows.tokens[digest] = ended

    def drop_token(self, user: str, token: str, *, purpose: str) -> None:
        with self._rows.lock:
            for digest, one in self._rows.tokens.items():
                if (one.id, one.user.name, one.purpose) == (token, user, purpose):
                    del self._rows.tokens[digest]
                    return
        raise NotFound(f"there is no token {token!r}")

    def drop_tokens(self, user: str, *, purpose: str) -> None:
        with self._rows.lock:
            mine = (self._rows.user(user).name, purpose)
            kept = {
                key: one for key, one in self._rows.tokens.items() if (one.user.name, one.purpose) != mine
            }
            self._rows.tokens = kept

    def _now(self) -> datetime:
        return as_datetime(self._rows.now())


class _MemorySentinels(_Part):
    def add(self, *new: NewSentinel) -> list[InstalledSentinel]:
        with self._rows.lock:
            names = set()
            for one in new:
                self._rows.user(one.user)
                if self._find(one.user, one.name) or (one.user, one.name) in names:
                    raise NameTaken(
                        f"there is a sentinel {one.name!r} already; choose another name or remove it"
                    )
                names.add((one.user, one.name))
            return [self._add(one) for one in new]

    def replace(self, *new: NewSentinel) -> list[InstalledSentinel]:
        with self._rows.lock:
            for row, one in [(self._row(one.user, one.name), one) for one in new]:
                self._replace(row, one)
            return [self.get(one.user, one.name) for one in new]

    def _replace(self, row: _SentinelRow, new: NewSentinel) -> None:
        rows = self._rows
        with rows.lock:
            touched = {watch.page.id: watch.page for watch in row.watches.values()}
            wanted = {page.id: page for page in (self._page_for(one, new.priority) for one in new.pages)}
            row.watches = {
                id_: self._watch_again(row.watches.get(id_), page, new.interval)
                for id_, page in wanted.items()
            }
            touched |= wanted
            self._move_on(row, lambda: _renew(row, new))
            self._join_again(row, wanted)
            for page in touched.values():
                page.priority = self._priority(page.id)
            told = {"user": new.user}
            rows.events.append(
                Event(at=as_datetime(rows.now()), name="SentinelEdited", subject=new.name, details=told)
            )
            rows.write_notices(new.notices)
            rows.reschedule(touched.values())
            self._retell_topic(new)

    def _watch_again(self, watch: _WatchRow | None, page: _PageRow, interval: Millis) -> _WatchRow:
        if watch and watch.interval == interval:
            return watch
        if watch:
            return replace(watch, interval=interval, next_at=self._rows.now())
        return _WatchRow(page=page, interval=interval, next_at=self._rows.now(), reference=page.latest)

    def _join_again(self, row: _SentinelRow, pages: Mapping[int, _PageRow]) -> None:
        rows = self._rows
        joint = row.new.joint
        row.joint = joint_as_json(joint, lambda page: rows.page_by_key[page.key].id) if joint else None
        row.held = {id_: one for id_, one in row.held.items() if id_ in pages}
        if row.held and (row.joint is None or is_complete(row.joint, set(row.held))):
            for id_, (found, at) in row.held.items():
                rows.write_change(rows.pages[id_], found, at)
            row.held.clear()

    def _priority(self, page: int) -> int:
        watching = (row.new.priority for row in self._rows.sentinels.values() if page in row.watches)
        return max(watching, default=0)

    def _retell_topic(self, new: NewSentinel) -> None:
        """A change has the topic of its sentinel."""
        changes = self._rows.changes
        for id_, one in changes.items():
            if (one.user, one.sentinel) == (new.user, new.name):
                changes[id_] = replace(one, topic=new.topic)

    def get(self, user: str, name: str) -> InstalledSentinel:
        with self._rows.lock:
            return self._installed(self._row(user, name))

    def all(self, user: str | None = None) -> list[InstalledSentinel]:
        with self._rows.lock:
            if user is not None:
                self._rows.user(user)
            newest_first = reversed(self._rows.sentinels.values())
            return [self._installed(row) for row in newest_first if user in (None, row.new.user)]

    def some(self, wanted: WantedSentinels) -> list[InstalledSentinel]:
        with self._rows.lock:
            found = (row for row in reversed(self._rows.sentinels.values()) if _is_wanted(row, wanted))
            older = (row for row in found if row.id < wanted.before)
            return [self._installed(row) for row, _ in zip(older, range(wanted.limit), strict=False)]

    def count(self, wanted: WantedSentinels) -> int:
        with self._rows.lock:
            return sum(_is_wanted(row, wanted) for row in self._rows.sentinels.values())

    def topics(self, user: str | None = None) -> list[str]:
        with self._rows.lock:
            mine = (row.new for row in self._rows.sentinels.values() if user in (None, row.new.user))
            return sorted({new.topic for new in mine if new.topic})

    def pages(
        self, user: str | None = None, *, words: str = "", before: int = LARGEST_ID, limit: int = PIECE
    ) -> list[WatchedPage]:
        with self._rows.lock:
            mine = {id_ for id_ in self._rows.pages if id_ < before and self.watch(user, id_)}
            found = [self._rows.pages[id_] for id_ in sorted(mine, reverse=True)]
        wanted = [row for row in found if all(word.lower() in row.page.url.lower() for word in words.split())]
        return [_watched(row) for row in wanted[:limit]]

    def watch(self, user: str | None, page: int) -> bool:
        with self._rows.lock:
            rows = self._rows.sentinels.values()
            return any(page in row.watches and user in (None, row.new.user) for row in rows)

    def enable(self, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
        with self._rows.lock:
            row = self._row(user, name)
            self._move_on(row, lambda: setattr(row, "enabled", enabled))
            return self._installed(row)

    def watching(self, page: int) -> list[Watch]:
        with self._rows.lock:
            return list(self._rows.watches(page))

    def live(self, step: LifeStep) -> bool:
        rows = self._rows
        with rows.lock:
            row = rows.sentinels.get(step.sentinel)
            if row is None or row.life != step.before:
                return False
            self._move_on(row, lambda: setattr(row, "life", step.after))
            rows.events += [_life_event(event) for event in step.events]
            rows.write_notices(step.notices)
            return True

    def news(self, since: int) -> LifeNews:
        rows = self._rows
        with rows.lock:
            return LifeNews(
                revision=rows.revision,
                changed=tuple(self._living(row) for row in rows.sentinels.values() if row.revision > since),
                removed=tuple(id_ for id_, revision in rows.removals.items() if revision > since),
            )

    def _move_on(self, row: _SentinelRow, change: Callable[[], None]) -> None:
        before = row.state
        change()
        row.revision = self._rows.next_revision()
        if (before is State.ACTIVE) == (row.state is State.ACTIVE):
            return
        if row.state is State.ACTIVE:
            for watch in row.watches.values():
                watch.next_at = self._rows.now()
        self._rows.reschedule(watch.page for watch in row.watches.values())

    def _living(self, row: _SentinelRow) -> LivingSentinel:
        return LivingSentinel(
            id=row.id,
            user=row.new.user,
            zone=self._rows.user(row.new.user).zone,
            name=row.new.name,
            text=row.new.text,
            enabled=row.enabled,
            life=row.life,
        )

    def remove(self, user: str, name: str) -> None:
        rows = self._rows
        with rows.lock:
            row = rows.sentinels.pop(self._row(user, name).id)
            rows.removals[row.id] = rows.next_revision()
            gone = [
                key for key, change in rows.changes.items() if (change.user, change.sentinel) == (user, name)
            ]
            for key in gone:
                del rows.changes[key]
            rows.reschedule(watch.page for watch in row.watches.values())

    def rewatch(self, user: str, instead: Mapping[int, Page]) -> None:
        rows = self._rows
        with rows.lock:
            rows.user(user)
            mine = [row for row in rows.sentinels.values() if row.new.user == user]
            for old, wanted in instead.items():
                page = self._page_for(wanted, 0)
                for row in mine:
                    if watch := row.watches.pop(old, None):
                        moved = replace(watch, page=page, reference=len(page.versions), next_at=rows.now())
                        row.watches.setdefault(page.id, moved)
                rows.reschedule([rows.pages[old], page])

    def _add(self, new: NewSentinel) -> InstalledSentinel:
        rows = self._rows
        with rows.lock:
            now = rows.now()
            row = _SentinelRow(id=next(rows.ids), new=new, life=new.life, revision=rows.next_revision())
            for one in new.pages:
                page = self._page_for(one, new.priority)
                watch = _WatchRow(page=page, interval=new.interval, next_at=now, reference=page.latest)
                row.watches.setdefault(page.id, watch)
            if new.joint:
                row.joint = joint_as_json(new.joint, lambda page: rows.page_by_key[page.key].id)
            rows.sentinels[row.id] = row
            told = {"user": new.user}
            rows.events.append(
                Event(at=as_datetime(now), name="SentinelInstalled", subject=new.name, details=told)
            )
            rows.write_notices(new.notices)
            rows.reschedule(watch.page for watch in row.watches.values())
            return self._installed(row)

    def _find(self, user: str, name: str) -> _SentinelRow | None:
        rows = self._rows.sentinels.values()
        return next((row for row in rows if (row.new.user, row.new.name) == (user, name)), None)

    def _row(self, user: str, name: str) -> _SentinelRow:
        self._rows.user(user)
        row = self._find(user, name)
        if row is None:
            raise NotFound(f"there is no sentinel {name!r}")
        return row

    def _page_for(self, wanted: Page, priority: int) -> _PageRow:
        rows = self._rows
        known = rows.page_by_key.get(wanted.key)
        if known:
            known.priority = max(known.priority, priority)
            return known
        host = rows.hosts.setdefault(wanted.host, _Host(id=len(rows.hosts) + 1, name=wanted.host))
        page = _PageRow(id=next(rows.ids), host=host, page=wanted, priority=priority)
        rows.pages[page.id] = rows.page_by_key[wanted.key] = page
        return page

    def _installed(self, row: _SentinelRow) -> InstalledSentinel:
        name = (row.new.user, row.new.name)
        return InstalledSentinel(
            id=row.id,
            user=row.new.user,
            name=row.new.name,
            text=row.new.text,
            state=row.state,
            enabled=row.enabled,
            life=row.life,
            installed_at=row.life.installed_at,
            pages=tuple(_watched(watch.page) for _, watch in sorted(row.watches.items())),
            changes=sum((one.user, one.sentinel) == name for one in self._rows.changes.values()),
        )


def _renew(row: _SentinelRow, new: NewSentinel) -> None:
    row.new, row.life = new, new.life


def _life_event(one: LifeEvent) -> Event:
    details = {"reason": one.reason} if one.reason else {}
    return Event(at=one.at, name=str(one.what), subject=one.sentinel, details=details)


def _watched(page: _PageRow) -> WatchedPage:
    return WatchedPage(
        id=page.id,
        url=page.page.url,
        due=None if page.due == NEVER else as_datetime(page.due),
        latest=page.latest,
        checks=page.checks,
        failures=page.failures,
    )


class _MemorySchedule(_Part):
    def __init__(self, rows: _Rows, delay: Millis, concurrency: int) -> None:
        super().__init__(rows)
        self._delay = delay
        self._concurrency = concurrency

    def claim(self, worker: str, *, hosts: int, pages: int, lease: Millis) -> list[Claim]:
        with self._rows.lock:
            now = self._rows.now()
            ready = sorted((host for host in self._rows.hosts.values() if host.ready <= now), key=_readiness)
            return [self._claim(worker, host, pages, now, lease) for host in ready[:hosts]]

    def renew(self, *claims: Claim, lease: Millis) -> list[Claim]:
        with self._rows.lock:
            held = [claim for claim in claims if self._rows.hosts[claim.name].token == claim.token]
            for claim in held:
                self._rows.hosts[claim.name].lease = self._rows.now() + lease
            return held

    def finish(self, claim: Claim, results: Sequence[CheckResult], after: HostAfter | None = None) -> bool:
        after = after or HostAfter(rest=claim.delay)
        with self._rows.lock:
            host = self._rows.hosts[claim.name]
            now = self._rows.now()
            if host.token != claim.token or host.lease <= now - _LONGEST_CHECK:
                return False
            for result in results:
                self._write(self._rows.pages[result.page], result, now)
            self._rows.settle(host)
            host.lease, host.owner, host.failures = now + after.rest, "", after.failures
            host.token += 1
            return True

    def finish_all(self, visits: Sequence[Visited]) -> list[bool]:
        with self._rows.lock:
            return [self.finish(one.claim, one.results, one.after) for one in visits]

    def ask(self, page: int, why: str = "asked") -> None:
        with self._rows.lock:
            row = self._rows.pages.get(page)
            watches = [one.watches[page] for one in self._rows.sentinels.values() if page in one.watches]
            if row is None or not watches:
                return
            for watch in watches:
                watch.next_at = self._rows.now()
            row.due = self._rows.now()
            row.asked += 1
            row.wish = why
            self._rows.settle(row.host)
        self._rows.ring()

    def take_over(self) -> None:
        with self._rows.lock:
            for host in self._rows.hosts.values():
                if host.owner:
                    host.lease, host.owner = 0, ""
                    host.token += 1

    def next_at(self) -> Millis | None:
        with self._rows.lock:
            first = min((host.ready for host in self._rows.hosts.values()), default=NEVER)
            return None if first >= NEVER else max(0, first - self._rows.now())

    def age(self) -> Millis:
        with self._rows.lock:
            first = min((host.ready for host in self._rows.hosts.values()), default=NEVER)
            return max(0, self._rows.now() - first)

    @contextmanager
    def listen(self, ring: Callable[[], None]) -> Iterator[Millis]:
        self._rows.hearers.append(ring)
        try:
            yield _TRUSTED
        finally:
            self._rows.hearers.remove(ring)

    def now(self) -> Millis:
        return self._rows.now()

    def _claim(self, worker: str, host: _Host, pages: int, now: Millis, lease: Millis) -> Claim:
        host.lease, host.owner = now + lease, worker
        host.token += 1
        due = [page for page in self._rows.pages.values() if page.host is host and page.due <= now]
        due.sort(key=lambda page: page.due - page.priority * _PRIORITY_BONUS)
        return Claim(
            host=host.id,
            name=host.name,
            token=host.token,
            now=now,
            until=host.lease,
            delay=self._delay,
            pages=tuple(self._due_page(page) for page in due[:pages]),
            concurrency=self._concurrency,
            failures=host.failures,
        )

    def _due_page(self, row: _PageRow) -> DuePage:
        last = row.versions[-1] if row.versions else None
        latest = None
        if last:
            latest = LatestVersion(
                number=last.number, signature=last.signature, object=last.object, picture=last.picture
            )
        watches = tuple(self._rows.watches(row.id))
        return DuePage(
            id=row.id,
            page=row.page,
            due=row.due,
            asked=row.asked,
            failures=row.failures,
            latest=latest,
            validators=row.validators,
            watches=watches,
            wish=row.wish,
            priority=row.priority,
            pace=_pace(row) if any(watch.on_change for watch in watches) else None,
        )

    def _write(self, page: _PageRow, result: CheckResult, now: Millis) -> None:
        undisturbed = page.asked == result.asked
        if result.version:
            page.versions.append(_version(page, result, now))
        for update in result.watches:
            sentinel = self._rows.sentinels.get(update.sentinel)
            if sentinel and (watch := sentinel.watches.get(page.id)):
                watch.reference = update.reference
                watch.measured_from = update.measured_from
                watch.next_at = update.next_at if undisturbed else watch.next_at
        self._write_pace(page, result, undisturbed)
        for change in result.changes:
            for where, found, at in self._what_fires(page, change, now):
                self._rows.write_change(where, found, at)
        self._rows.write_notices(result.notices)
        page.looks.append(_look(result, now))
        page.checks += 1
        page.failures = result.failures
        page.validators = result.validators
        page.wish = "" if undisturbed else page.wish
        page.due = result.due if undisturbed else page.due

    def _write_pace(self, page: _PageRow, result: CheckResult, undisturbed: bool) -> None:
        new = result.pace
        if new is None:
            return
        page.memory, page.share = new.memory, new.share
        page.pings = max(0, page.pings - new.pings)
        for watch in self._rows.on_change(page.id) if undisturbed else ():
            watch.next_at = new.next_at

    def _what_fires(
        self, page: _PageRow, change: NewChange, now: Millis
    ) -> list[tuple[_PageRow, NewChange, Millis]]:
        """A change, and those that were held back for it; none if it is to be held back as well."""
        row = self._rows.sentinels.get(change.sentinel)
        if row is None or row.joint is None:
            return [(page, change, now)]
        if not is_complete(row.joint, {page.id, *row.held}):
            row.held[page.id] = change, now
            return []
        fired = [(self._rows.pages[id_], found, at) for id_, (found, at) in row.held.items()]
        row.held.clear()
        return [*fired, (page, change, now)]


def _pace(page: _PageRow) -> PaceRecord:
    return PaceRecord(memory=page.memory, pings=page.pings)


def _readiness(host: _Host) -> Millis:
    return host.ready


def _same_change(one: Change, other: Change) -> bool:
    return (one.user, one.sentinel, one.page, one.old_version, one.new_version) == (
        other.user,
        other.sentinel,
        other.page,
        other.old_version,
        other.new_version,
    )


def _version(page: _PageRow, result: CheckResult, now: Millis) -> Version:
    new = result.version
    assert new is not None
    return Version(
        page=page.id,
        number=new.number,
        fetched_at=as_datetime(now),
        url=new.url,
        status=new.status,
        signature=new.signature,
        object=new.object,
        size=new.size,
        picture=new.picture,
        base=new.base,
        stored=new.stored,
    )


def _look(result: CheckResult, now: Millis) -> dict[str, Any]:
    look = result.look
    return {
        "at": as_datetime(now),
        "why": look.why,
        "decision": look.decision,
        "status": look.status,
        "bytes": look.bytes,
        "duration": look.duration,
        "error": look.error,
        "reason": look.reason,
        "plan": look.plan,
    }


class _MemoryVersions(_Part):
    def of(self, page: int) -> list[Version]:
        row = self._rows.pages.get(page)
        return [one for one in reversed(row.versions) if one.number not in row.dropped] if row else []

    def get(self, page: int, number: int) -> Version:
        found = next((one for one in self.of(page) if one.number == number), None)
        if found is None:
            raise NotFound(f"page {page} has no version {number}")
        return found

    def page_id(self, page: Page) -> int:
        row = self._rows.page_by_key.get(page.key)
        if row is None:
            raise NotFound(f"nobody watches {page.url}")
        return row.id

    def page(self, page: int) -> Page:
        if page not in self._rows.pages:
            raise NotFound(f"there is no page {page}")
        return self._rows.pages[page].page


class _MemoryHistories(_Part):
    def pages(self, *, after: int, limit: int) -> list[int]:
        with self._rows.lock:
            return sorted(row.id for row in self._rows.pages.values() if row.versions and row.id > after)[
                :limit
            ]

    def of(self, page: int) -> History:
        with self._rows.lock:
            row = self._rows.pages[page]
            changes = [one for one in self._rows.changes.values() if one.page == page]
            return History(
                page=page,
                latest=row.latest,
                versions=tuple(_kept(one, one.number in row.dropped) for one in row.versions),
                needs=tuple(self._needs(page)),
                told=tuple(
                    Told(one.old_version, one.new_version, as_millis(one.found_at)) for one in changes
                ),
            )

    def drop(self, page: int, numbers: Sequence[int]) -> list[int]:
        with self._rows.lock:
            row = self._rows.pages[page]
            spared = {row.latest, *row.dropped, *(need.reference for need in self._needs(page))}
            chosen = {one.number for one in row.versions if one.number in numbers} - spared
            row.dropped |= chosen
            return sorted(chosen)

    def forget(self, page: int, numbers: Sequence[int]) -> list[str]:
        with self._rows.lock:
            row = self._rows.pages[page]
            doomed = row.dropped & set(numbers)
            for one in reversed(row.versions):
                above = {other.base for other in row.versions if other.number not in doomed}
                if one.number in doomed and one.object in above:
                    doomed.discard(one.number)
            gone = [one.object for one in row.versions if one.number in doomed]
            row.versions = [one for one in row.versions if one.number not in doomed]
            row.dropped -= doomed
            return gone

    def uses(self, objects: Sequence[str]) -> dict[str, Use]:
        with self._rows.lock:
            found = {key: use for row in self._rows.pages.values() for key, use in self._used(row)}
            return {key: found[key] for key in objects if key in found}

    def _used(self, row: _PageRow) -> Iterable[tuple[str, Use]]:
        compared = {row.latest, *(need.reference for need in self._needs(row.id))}
        for one in row.versions:
            if one.number in row.dropped:
                yield one.object, Use.RESTED_ON
                continue
            yield one.object, Use.COMPARED if one.number in compared else Use.KEPT
            if one.picture:
                yield one.picture, Use.KEPT

    def _needs(self, page: int) -> Iterable[Need]:
        for row in self._rows.sentinels.values():
            if page in row.watches and not row.life.over:
                watch = row.watches[page]
                yield Need(watch.reference, row.new.text)
                if watch.measured_from:
                    yield Need(watch.measured_from, row.new.text)


def _kept(version: Version, dropped: bool) -> KeptVersion:
    return KeptVersion(
        number=version.number,
        fetched_at=as_millis(version.fetched_at),
        object=version.object,
        base=version.base,
        picture="" if dropped else version.picture,
        stored=version.stored or version.size,
        dropped=dropped,
    )


class _MemoryChanges(_Part):
    def all(
        self,
        user: str | None = None,
        *,
        sentinel: str | None = None,
        since: datetime | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> list[Change]:
        return self.some(WantedChanges(user=user, sentinel=sentinel, since=since, after=after, limit=limit))

    def some(self, wanted: WantedChanges) -> list[Change]:
        with self._rows.lock:
            newest_first = list(reversed(self._rows.changes.values()))
        found = (one for one in newest_first if one.id < wanted.before and _is_wanted_change(one, wanted))
        return [change for change, _ in zip(found, range(wanted.limit), strict=False)]

    def count(self, wanted: WantedChanges, *, most: int | None = None) -> int:
        with self._rows.lock:
            found = sum(_is_wanted_change(one, wanted) for one in self._rows.changes.values())
        return found if most is None else min(found, most)

    def mark(self, user: str, ids: Sequence[int], *, seen: bool) -> int:
        with self._rows.lock:
            mine = [one for id_ in set(ids) if (one := self._rows.changes.get(id_)) and one.user == user]
            for one in mine:
                self._rows.changes[one.id] = replace(one, seen=seen)
            return len(mine)

    def note(self, user: str, change_id: int, text: str) -> None:
        with self._rows.lock:
            change = self.get(change_id)
            if change.user != user:
                raise NotFound(f"there is no change {change_id}")
            self._rows.changes[change_id] = replace(change, note=text)

    def get(self, change_id: int) -> Change:
        if change_id not in self._rows.changes:
            raise NotFound(f"there is no change {change_id}")
        return self._rows.changes[change_id]


def _is_wanted(row: _SentinelRow, wanted: WantedSentinels) -> bool:
    text = f"{row.new.name}\n{row.new.topic}\n{row.new.text}".lower()
    return (
        wanted.user in (None, row.new.user)
        and wanted.state in (None, str(row.state))
        and wanted.topic in (None, row.new.topic)
        and (not wanted.trouble or any(one.page.failures for one in row.watches.values()))
        and all(word.lower() in text for word in wanted.words.split())
    )


def _is_wanted_change(one: Change, wanted: WantedChanges) -> bool:
    return (
        one.id > wanted.after
        and wanted.user in (None, one.user)
        and wanted.sentinel in (None, one.sentinel)
        and wanted.topic in (None, one.topic)
        and wanted.page in (None, one.page)
        and wanted.seen in (None, one.seen)
        and (wanted.type is None or any(finding.type == wanted.type for finding in one.findings))
        and (wanted.since is None or one.found_at >= wanted.since)
        and (wanted.until is None or one.found_at < wanted.until)
    )


class _MemorySearch(_Part):
    def find(
        self,
        user_name: str | None,
        words: str = "",
        *,
        sentinel_name: str | None = None,
        topic: str | None = None,
        kind: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
    ) -> list[Change]:
        asked = phrases(words, kind)
        with self._rows.lock:
            newest_first = list(reversed(self._rows.changes.values()))
            topics = {(row.new.user, row.new.name): row.new.topic for row in self._rows.sentinels.values()}
        found = (
            change
            for change in newest_first
            if user_name in (None, change.user)
            and sentinel_name in (None, change.sentinel)
            and topic in (None, topics.get((change.user, change.sentinel)))
            and (since is None or change.found_at >= since)
            and (until is None or change.found_at < until)
            and matches(words_of_change(change.sentinel, change.url, change.findings), asked)
        )
        return [change for change, _ in zip(found, range(limit), strict=False)]


class _MemoryOutbox(_Part):
    def add(self, notice: Notice) -> bool:
        with self._rows.lock:
            return bool(self._rows.write_notices([notice]))

    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]:
        with self._rows.lock:
            now = self._rows.now()
            ready = sorted(self._first_of_queues(now), key=_urgency)[:count]
            for row in ready:
                row.lease, row.owner = now + lease, worker
                row.token += 1
            return [
                OutboxItem(id=row.id, token=row.token, attempts=row.attempts, notice=row.notice)
                for row in ready
            ]

    def _first_of_queues(self, now: Millis) -> Iterable[_OutboxRow]:
        blocked: set[str] = set()
        for row in self._unsettled():
            if row.ready > now or row.state == "held":
                blocked.add(row.notice.queue)
            elif row.notice.queue not in blocked:
                yield row

    def _unsettled(self) -> list[_OutboxRow]:
        return sorted((row for row in self._rows.outbox.values() if row.unsettled), key=lambda row: row.id)

    def delivered(self, item: OutboxItem, receipt: Receipt) -> bool:
        return self._settle(item, state="delivered", settled_at=as_millis(receipt.delivered_at))

    def retry(self, item: OutboxItem, *, wait: Millis, error: str) -> bool:
        return self._settle(item, state="pending", due=self._rows.now() + wait, error=error)

    def give_up(self, item: OutboxItem, *, error: str) -> bool:
        return self._settle(item, state="given up", error=error)

    def hold(self, item: OutboxItem, *, until: Millis) -> bool:
        return self._settle(item, state="held", due=until, attempts=item.attempts)

    def put_back(self, items: Sequence[OutboxItem]) -> None:
        for item in items:
            self._settle(item, state="pending", due=self._rows.now(), attempts=item.attempts)

    def delivered_all(self, told: Sequence[tuple[OutboxItem, Receipt]]) -> None:
        for item, receipt in told:
            self.delivered(item, receipt)

    def ripe(self, *, limit: int) -> list[Notice]:
        with self._rows.lock:
            now = self._rows.now()
            ready = [row for row in self._unsettled() if row.state == "held" and row.ready <= now]
            first = {row.notice.queue: row.notice for row in reversed(ready)}
            return list(first.values())[:limit]

    def waiting(self, queue: str, *, due: bool, limit: int) -> list[Waiting]:
        with self._rows.lock:
            now = self._rows.now()
            return [
                Waiting(id=row.id, since=row.created_at, due=row.due, notice=row.notice)
                for row in self._unsettled()
                if row.notice.queue == queue and row.lease <= now and (row.due <= now or not due)
            ][:limit]

    def place(self, ids: Iterable[int], *, until: Millis) -> None:
        with self._rows.lock:
            for row in self._among(ids):
                row.due = until

    def merge(self, ids: Sequence[int], summary: Notice) -> bool:
        with self._rows.lock:
            now = self._rows.now()
            found = [row for row in self._among(ids) if row.lease <= now]
            if len(found) != len(ids):
                return False
            for row in found:
                row.state, row.due, row.settled_at, row.merged_into = "merged", NEVER, now, summary.dedup
            self._rows.write_notices([summary])
            return True

    def let_go(self, waiting: Waiting) -> bool:
        with self._rows.lock:
            found = [row for row in self._among([waiting.id]) if row.lease <= self._rows.now()]
            for row in found:
                row.notice, row.state, row.due = row.notice.at_once(), "pending", self._rows.now()
            return bool(found)

    def wake(self, user: str, channel: str, address: str) -> int:
        with self._rows.lock:
            found = [
                row
                for row in self._unsettled()
                if row.state == "held"
                and not row.notice.waits
                and (row.notice.user, row.notice.channel, row.notice.address) == (user, channel, address)
            ]
            for row in found:
                row.due = self._rows.now()
            return len(found)

    def sent(self, user: str, channels: Sequence[str], *, since: Millis) -> list[Millis]:
        with self._rows.lock:
            return sorted(
                row.settled_at
                for row in self._rows.outbox.values()
                if row.state == "delivered"
                and row.notice.user == user
                and row.notice.channel in channels
                and row.settled_at is not None
                and row.settled_at > since
            )

    def given_up(self, user: str | None = None) -> list[UndeliveredNotice]:
        return [
            UndeliveredNotice(id=one.id, notice=one.notice, attempts=one.attempts, error=one.error)
            for one in self.all(user, state="given up", limit=NEVER)
        ]

    def all(
        self, user: str | None = None, *, state: str | None = None, limit: int = 100
    ) -> list[OutboxRecord]:
        with self._rows.lock:
            rows = sorted(self._rows.outbox.values(), key=lambda row: -row.id)
            found = (row for row in rows if user in (None, row.notice.user) and state in (None, row.state))
            return [_record(row) for row, _ in zip(found, range(limit), strict=False)]

    def revive(self, user: str | None = None, *, notice: int | None = None) -> int:
        with self._rows.lock:
            found = [
                row
                for row in self._rows.outbox.values()
                if row.state == "given up" and user in (None, row.notice.user) and notice in (None, row.id)
            ]
            for row in found:
                row.state, row.attempts, row.due, row.lease = "pending", 0, self._rows.now(), 0
            return len(found)

    def told(self, user: str) -> dict[str, ToldNotices]:
        with self._rows.lock:
            times: dict[str, list[Millis]] = {}
            for row in self._rows.outbox.values():
                mine = row.notice.user == user and row.notice.sentinel
                if mine and row.state in ("delivered", "merged") and row.settled_at is not None:
                    times.setdefault(row.notice.sentinel, []).append(row.settled_at)
            return {
                name: ToldNotices(count=len(found), last=as_datetime(max(found)))
                for name, found in times.items()
            }

    def take_over(self) -> None:
        with self._rows.lock:
            for row in self._rows.outbox.values():
                if row.owner:
                    row.lease, row.owner = 0, ""
                    row.token += 1

    def next_at(self) -> Millis | None:
        with self._rows.lock:
            first = min((row.ready for row in self._rows.outbox.values()), default=NEVER)
            return None if first >= NEVER else max(0, first - self._rows.now())

    def backlog(self) -> Backlog:
        states = [row.state for row in self._rows.outbox.values()]
        waiting = states.count("pending") + states.count("held")
        return Backlog(pending=waiting, given_up=states.count("given up"))

    def _among(self, ids: Iterable[int]) -> list[_OutboxRow]:
        wanted = set(ids)
        return [row for row in self._unsettled() if row.id in wanted]

    def _settle(
        self,
        item: OutboxItem,
        *,
        state: str,
        due: Millis = NEVER,
        error: str = "",
        settled_at: Millis | None = None,
        attempts: int | None = None,
    ) -> bool:
        with self._rows.lock:
            row = self._rows.outbox[item.notice.dedup]
            if row.token != item.token:
                return False
            row.state, row.due, row.lease, row.owner, row.error = state, due, 0, "", error
            row.attempts = item.attempts + 1 if attempts is None else attempts
            row.settled_at = settled_at
            return True


def _urgency(row: _OutboxRow) -> tuple[bool, int]:
    return row.notice.lane != AT_ONCE, row.id


def _record(row: _OutboxRow) -> OutboxRecord:
    return OutboxRecord(
        id=row.id,
        notice=row.notice,
        state=row.state,
        attempts=row.attempts,
        error=row.error,
        created_at=as_datetime(row.created_at),
        due=None if row.due >= NEVER else as_datetime(row.due),
        settled_at=None if row.settled_at is None else as_datetime(row.settled_at),
        merged_into=row.merged_into,
    )


class _MemoryJournal(_Part):
    def record(self, name: str, subject: str, details: dict[str, Any] | None = None) -> None:
        at = as_datetime(self._rows.now())
        self._rows.events.append(Event(at=at, name=name, subject=subject, details=details or {}))

    def events(self, *, subject: str | None = None, limit: int = 100) -> list[Event]:
        found = [event for event in reversed(self._rows.events) if subject in (None, event.subject)]
        return found[:limit]

    def fetch_log(self, page: int, *, limit: int = 100) -> list[dict[str, Any]]:
        row = self._rows.pages.get(page)
        return list(reversed(row.looks))[:limit] if row else []

    def fetch_logs(self, pages: Iterable[int], *, limit: int = 100) -> dict[int, list[dict[str, Any]]]:
        with self._rows.lock:
            found = {page: self.fetch_log(page, limit=limit) for page in pages}
        return {page: looks for page, looks in found.items() if looks}

    def last_looks(self, pages: Iterable[int]) -> dict[int, LastLooks]:
        wanted = set(pages)
        with self._rows.lock:
            found = {id_: row.looks for id_, row in self._rows.pages.items() if id_ in wanted and row.looks}
        return {id_: _last_looks(looks) for id_, looks in found.items()}

    def fact(self, key: str) -> str | None:
        return self._rows.facts.get(key)

    def remember(self, key: str, value: str) -> None:
        self._rows.facts[key] = value

    def counts(self) -> Counts:
        rows = self._rows
        return Counts(
            sentinels=len(rows.sentinels),
            pages=len(rows.pages),
            versions=sum(len(page.versions) - len(page.dropped) for page in rows.pages.values()),
            changes=len(rows.changes),
            pending_notices=sum(row.state == "pending" for row in rows.outbox.values()),
        )


def _last_looks(looks: list[dict[str, Any]]) -> LastLooks:
    there = [one["at"] for one in looks if one["decision"] not in ("failed", "postponed")]
    last = max(one["at"] for one in looks)
    return LastLooks(at=as_millis(last), seen=as_millis(max(there)) if there else None)


class _MemoryLogins(_Part):
    def put(self, user: str, url: str, sealed: str) -> None:
        with self._rows.lock:
            known = self._rows.logins.get((self._rows.user(user).name, url))
            id_ = known.id if known else next(self._rows.ids)
            self._rows.logins[user, url] = SealedLogin(id=id_, user=user, url=url, sealed=sealed)

    def get(self, login_id: int) -> SealedLogin:
        found = next((one for one in self._rows.logins.values() if one.id == login_id), None)
        if found is None:
            raise NotFound("there is no such log-in any more")
        return found

    def all(self, user: str) -> list[SealedLogin]:
        self._rows.user(user)
        mine = [one for one in self._rows.logins.values() if one.user == user]
        return sorted(mine, key=lambda one: one.url)

    def remove(self, user: str, url: str) -> None:
        with self._rows.lock:
            if self._rows.logins.pop((self._rows.user(user).name, url), None) is None:
                raise NotFound(f"there is no log-in for {url}")


class _MemoryPushes(_Part):
    def put(self, one: Push) -> None:
        self._rows.pushes[one.digest] = one

    def get(self, digest: str) -> Push | None:
        return self._rows.pushes.get(digest)

    def all(self, *, page: int | None = None, kind: str | None = None) -> list[Push]:
        found = [
            one for one in self._rows.pushes.values() if page in (None, one.page) and kind in (None, one.kind)
        ]
        return sorted(found, key=lambda one: (one.page, one.digest))

    def remove(self, digest: str) -> None:
        self._rows.pushes.pop(digest, None)


class _MemoryDuties(_Part):
    def take(self, name: str, worker: str, *, lease: Millis) -> bool:
        with self._rows.lock:
            now = self._rows.now()
            owner, until = self._rows.duties.get(name, (worker, 0))
            if owner != worker and until > now:
                return False
            self._rows.duties[name] = (worker, now + lease)
            return True

    def lay_down(self, name: str, worker: str) -> None:
        with self._rows.lock:
            if self._rows.duties.get(name, ("", 0))[0] == worker:
                del self._rows.duties[name]

    def take_over(self) -> None:
        with self._rows.lock:
            self._rows.duties.clear()


class _MemoryPaces(_Part):
    def get(self, page: int) -> PaceRecord | None:
        with self._rows.lock:
            active = any(watch.interval == 0 for watch in self._rows.active_watches(page))
            return _pace(self._rows.pages[page]) if active else None

    def hint(self, page: int, at: Millis, why: str = "a hint") -> None:
        rows = self._rows
        with rows.lock:
            if self.get(page) is None:
                return
            row = rows.pages[page]
            row.pings += 1
            row.asked += 1
            for watch in rows.on_change(page):
                watch.next_at = min(watch.next_at, at)
            if row.due > at:
                row.due, row.wish = at, why
            rows.settle(row.host)

    def shares(self, hosts: int) -> Shares:
        with self._rows.lock:
            asking = [page for page in self._rows.pages.values() if page.due < NEVER]
            sums: dict[str, float] = {}
            for page in asking:
                sums[page.host.name] = sums.get(page.host.name, 0.0) + page.share
            heaviest = sorted(sums, key=sums.__getitem__, reverse=True)[:hosts]
            return Shares(total=sum(sums.values()), hosts={name: sums[name] for name in heaviest})

    def host_share(self, host: str) -> float:
        return self.shares(len(self._rows.hosts)).hosts.get(host, 0.0)

    def steering(self) -> Steering:
        return self._rows.steering

    def steer(self, change: Callable[[Steering], Steering]) -> Steering:
        with self._rows.lock:
            self._rows.steering = change(self._rows.steering)
            return self._rows.steering
