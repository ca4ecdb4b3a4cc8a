"""The knowledge base in memory: the twin that keeps the same promises as `sql`, for tests and experiments.

Rows are small mutable records behind one lock; what goes out is the same frozen values.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from typing import Any

from webvigil.errors import NameTaken, NotFound
from webvigil.model.change import Change
from webvigil.model.event import Event
from webvigil.model.installed import InstalledSentinel, NewSentinel, WatchedPage
from webvigil.model.life import LifeEvent, LifeNews, LifeRecord, LifeStep, LivingSentinel, state_of
from webvigil.model.login import SealedLogin
from webvigil.model.moment import NEVER, Millis, as_datetime
from webvigil.model.notice import Notice, Receipt
from webvigil.model.pace import PaceRecord, Shares, Steering
from webvigil.model.page import Page
from webvigil.model.push import Push
from webvigil.model.sentinel import State
from webvigil.model.user import Role, Scope, Token, User
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_ID, PIECE, WantedChanges, WantedSentinels
from webvigil.model.work import (
    CheckResult,
    Claim,
    Counts,
    DuePage,
    HostAfter,
    LatestVersion,
    NewChange,
    OutboxItem,
    UndeliveredNotice,
    Watch,
)
from webvigil.store.promises import (
    Changes,
    Journal,
    Logins,
    Outbox,
    Paces,
    Pushes,
    Schedule,
    Sentinels,
    Users,
    Versions,
)

_PRIORITY_BONUS: Millis = 60_000


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
    looks: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class _WatchRow:
    page: _PageRow
    interval: Millis
    next_at: Millis
    reference: int


@dataclass(slots=True)
class _SentinelRow:
    id: int
    new: NewSentinel
    life: LifeRecord
    revision: int
    enabled: bool = True
    watches: dict[int, _WatchRow] = field(default_factory=dict)

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

    @property
    def ready(self) -> Millis:
        return max(self.due, self.lease)


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
        self.steering = Steering()

    def next_revision(self) -> int:
        self.revision += 1
        return self.revision

    def user(self, name: str) -> User:
        if name not in self.users:
            raise NotFound(f"there is no user {name!r}")
        return self.users[name]

    def reschedule(self, pages: Iterable[_PageRow]) -> None:
        for page in pages:
            page.due = min((watch.next_at for watch in self.active_watches(page.id)), default=NEVER)
            page.asked += 1
            self.settle(page.host)

    def settle(self, host: _Host) -> None:
        host.next_at = min((page.due for page in self.pages.values() if page.host is host), default=NEVER)

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
        self.changes: Changes = _MemoryChanges(rows)
        self.outbox: Outbox = _MemoryOutbox(rows)
        self.journal: Journal = _MemoryJournal(rows)
        self.logins: Logins = _MemoryLogins(rows)
        self.pushes: Pushes = _MemoryPushes(rows)
        self.paces: Paces = _MemoryPaces(rows)

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

    def live(self, step: LifeStep) -> bool:
        rows = self._rows
        with rows.lock:
            row = rows.sentinels.get(step.sentinel)
            if row is None or row.life != step.before:
                return False
            self._move_on(row, lambda: setattr(row, "life", step.after))
            rows.events += [_life_event(event) for event in step.events]
            for notice in step.notices:
                new = _OutboxRow(id=next(rows.ids), notice=notice, due=rows.now())
                rows.outbox.setdefault(notice.dedup, new)
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
                watch = _WatchRow(page=page, interval=new.interval, next_at=now, reference=len(page.versions))
                row.watches.setdefault(page.id, watch)
            rows.sentinels[row.id] = row
            told = {"user": new.user}
            rows.events.append(
                Event(at=as_datetime(now), name="SentinelInstalled", subject=new.name, details=told)
            )
            for notice in new.notices:
                rows.outbox.setdefault(notice.dedup, _OutboxRow(id=next(rows.ids), notice=notice, due=now))
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


def _life_event(one: LifeEvent) -> Event:
    details = {"reason": one.reason} if one.reason else {}
    return Event(at=one.at, name=str(one.what), subject=one.sentinel, details=details)


def _watched(page: _PageRow) -> WatchedPage:
    return WatchedPage(
        id=page.id,
        url=page.page.url,
        due=None if page.due == NEVER else as_datetime(page.due),
        latest=len(page.versions),
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

    def renew(self, claim: Claim, *, lease: Millis) -> bool:
        with self._rows.lock:
            host = self._rows.hosts[claim.name]
            if host.token != claim.token:
                return False
            host.lease = self._rows.now() + lease
            return True

    def finish(self, claim: Claim, results: Sequence[CheckResult], after: HostAfter | None = None) -> bool:
        after = after or HostAfter(rest=claim.delay)
        with self._rows.lock:
            host = self._rows.hosts[claim.name]
            if host.token != claim.token:
                return False
            now = self._rows.now()
            for result in results:
                self._write(self._rows.pages[result.page], result, now)
            self._rows.settle(host)
            host.lease, host.owner, host.failures = now + after.rest, "", after.failures
            return True

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
        watches = tuple(self._watches(row))
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

    def _watches(self, page: _PageRow) -> Iterable[Watch]:
        for row in self._rows.sentinels.values():
            watch = row.watches.get(page.id)
            if watch and row.state is State.ACTIVE:
                yield Watch(
                    sentinel=row.id,
                    user=row.new.user,
                    name=row.new.name,
                    text=row.new.text,
                    interval=watch.interval,
                    next_at=watch.next_at,
                    reference=watch.reference,
                )

    def _write(self, page: _PageRow, result: CheckResult, now: Millis) -> None:
        undisturbed = page.asked == result.asked
        if result.version:
            page.versions.append(_version(page, result, now))
        for update in result.watches:
            sentinel = self._rows.sentinels.get(update.sentinel)
            if sentinel:
                watch = sentinel.watches[page.id]
                watch.reference = update.reference
                watch.next_at = update.next_at if undisturbed else watch.next_at
        self._write_pace(page, result, undisturbed)
        for change in result.changes:
            self._write_change(page, change, now)
        for notice in result.notices:
            new = _OutboxRow(id=next(self._rows.ids), notice=notice, due=now)
            self._rows.outbox.setdefault(notice.dedup, new)
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

    def _write_change(self, page: _PageRow, found: NewChange, now: Millis) -> None:
        rows = self._rows
        sentinel = rows.sentinels.get(found.sentinel)
        if sentinel is None:
            return
        change = Change(
            id=next(rows.ids),
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
        if not any(_same_change(change, known) for known in rows.changes.values()):
            rows.changes[change.id] = change
        for notice in found.notices:
            rows.outbox.setdefault(notice.dedup, _OutboxRow(id=next(rows.ids), notice=notice, due=now))


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
        return list(reversed(row.versions)) if row else []

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

    def count(self, wanted: WantedChanges) -> int:
        with self._rows.lock:
            return sum(_is_wanted_change(one, wanted) for one in self._rows.changes.values())

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


class _MemoryOutbox(_Part):
    def add(self, notice: Notice) -> bool:
        rows = self._rows
        with rows.lock:
            if notice.dedup in rows.outbox:
                return False
            rows.outbox[notice.dedup] = _OutboxRow(id=next(rows.ids), notice=notice, due=rows.now())
            return True

    def claim(self, worker: str, *, count: int, lease: Millis) -> list[OutboxItem]:
        with self._rows.lock:
            now = self._rows.now()
            ready = sorted((row for row in self._rows.outbox.values() if row.ready <= now), key=_urgency)
            for row in ready[:count]:
                row.lease, row.owner = now + lease, worker
                row.token += 1
            items = [
                OutboxItem(id=row.id, token=row.token, attempts=row.attempts, notice=row.notice)
                for row in ready[:count]
            ]
        return sorted(items, key=lambda item: item.id)

    def delivered(self, item: OutboxItem, receipt: Receipt) -> bool:
        return self._settle(item, state="delivered", due=NEVER)

    def retry(self, item: OutboxItem, *, wait: Millis, error: str) -> bool:
        return self._settle(item, state="pending", due=self._rows.now() + wait, error=error)

    def give_up(self, item: OutboxItem, *, error: str) -> bool:
        return self._settle(item, state="given up", due=NEVER, error=error)

    def given_up(self, user: str | None = None) -> list[UndeliveredNotice]:
        with self._rows.lock:
            rows = sorted(self._rows.outbox.values(), key=lambda row: -row.id)
            return [
                UndeliveredNotice(id=row.id, notice=row.notice, attempts=row.attempts, error=row.error)
                for row in rows
                if row.state == "given up" and user in (None, row.notice.user)
            ]

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

    def _settle(self, item: OutboxItem, *, state: str, due: Millis, error: str = "") -> bool:
        with self._rows.lock:
            row = self._rows.outbox[item.notice.dedup]
            if row.token != item.token:
                return False
            row.state, row.due, row.lease, row.owner, row.error = state, due, 0, "", error
            row.attempts = item.attempts + 1
            return True


def _urgency(row: _OutboxRow) -> Millis:
    return row.ready


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

    def fact(self, key: str) -> str | None:
        return self._rows.facts.get(key)

    def remember(self, key: str, value: str) -> None:
        self._rows.facts[key] = value

    def counts(self) -> Counts:
        rows = self._rows
        return Counts(
            sentinels=len(rows.sentinels),
            pages=len(rows.pages),
            versions=sum(len(page.versions) for page in rows.pages.values()),
            changes=len(rows.changes),
            pending_notices=sum(row.state == "pending" for row in rows.outbox.values()),
        )


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
