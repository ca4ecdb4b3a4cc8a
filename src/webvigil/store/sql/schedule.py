"""The schedule in SQL: workers claim due pages by leasing their hosts.

A host is ready when its next page is due and its lease has run out. The lease also keeps the distance between
two visits: a host is given back with its delay still on the lease.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, partial
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    bindparam,
    exists,
    func,
    select,
    true,
    update,
)

from webvigil.model.moment import HOUR, Millis
from webvigil.model.pace import PaceRecord
from webvigil.model.work import (
    CheckResult,
    Claim,
    DuePage,
    HostAfter,
    LatestVersion,
    Visited,
    Watch,
    most_pages,
)
from webvigil.store.sql.bell import ring_when_written
from webvigil.store.sql.database import Database
from webvigil.store.sql.doubts import COLUMNS as DOUBT
from webvigil.store.sql.finish import write_visits
from webvigil.store.sql.following import links_read
from webvigil.store.sql.paces import read_paces
from webvigil.store.sql.page_row import page_of
from webvigil.store.sql.planning import lock_hosts, settle_hosts
from webvigil.store.sql.prepared import Prepared
from webvigil.store.sql.readers import read_doubt
from webvigil.store.sql.rows import as_parameter, given
from webvigil.store.sql.schema import IDLE, doubt, habit, host, later, page, page_about, version, watch
from webvigil.store.sql.watching import watches_of

_READY = later(host.c.next_at, host.c.lease)

PRIORITY_BONUS: Millis = 60_000
"""One step of priority is worth a minute of waiting, in milliseconds."""

FIRST_IN_LINE = 1000
"""How many due pages of a host are compared by priority. A longer queue takes longer to visit than any
priority is worth, and sorting it at every claim would take time."""
LONGEST_CHECK: Millis = 12 * HOUR
"""In milliseconds: results that come back later than this after the lease ended are refused, even if no other
worker took over. The collector removes objects that no version has named for a day, so a later result could
name removed objects."""


class SqlSchedule:
    def __init__(self, database: Database, *, delay: Millis, concurrency: int) -> None:
        self._database = database
        self._delay = delay
        self._concurrency = concurrency
        columns: list[ColumnElement[Any]] = [_READY.label("ready"), database.clock.label("clock")]
        first = select(*columns).where(_READY < IDLE).order_by(_READY).limit(1)
        self._first_ready = Prepared(first)

    def claim(
        self, worker: str, *, hosts: int, pages: int, lease: Millis, within: Millis | None = None
    ) -> list[Claim]:
        with self._database.write() as connection:
            now = self._database.now(connection)
            rows = _lease_hosts(connection, worker, hosts, now, now + lease)
            wanted: dict[int, list[int]] = {}
            for row in rows:
                wanted.setdefault(most_pages(pages, self._delay_of(row), within), []).append(row.id)
            due = _due_pages(connection, wanted, now) if rows else {}
        return [self._claim(row, due.get(row.id, ()), now) for row in rows]

    def renew(self, *claims: Claim, lease: Millis) -> list[Claim]:
        with self._database.write() as connection:
            now = self._database.now(connection)
            held = _lock(connection, claims, now)
            connection.execute(update(host).where(host.c.id.in_(held)).values(lease=now + lease))
        return [claim for claim in claims if claim.host in held]

    def finish(self, claim: Claim, results: Sequence[CheckResult], after: HostAfter | None = None) -> bool:
        after = after or HostAfter(rest=claim.delay)
        return self.finish_all([Visited(claim=claim, results=tuple(results), after=after)])[0]

    def finish_all(self, visits: Sequence[Visited]) -> list[bool]:
        with self._database.write() as connection:
            now = self._database.now(connection)
            held = _lock(connection, [visited.claim for visited in visits], now)
            ours = [visited.by_clock(now) for visited in visits if visited.claim.host in held]
            write_visits(connection, ours, now)
        return [visited.claim.host in held for visited in visits]

    def ask(self, page: int, why: str = "asked") -> None:
        with self._database.write() as connection:
            _ask(connection, page, why, self._database.now(connection))

    def look_by(self, page: int, at: Millis, why: str) -> None:
        """Makes the page due by then. Mostly it is due earlier anyway, so a read comes first, which does not
        wait for the write lock."""
        with self._database.read() as connection:
            due = connection.scalar(_DUE, {"page": page})
        if due is not None and at < due < IDLE:
            with self._database.write() as connection:
                _look_by(connection, page, at, why)

    def reserve(self, host: str, spell: Millis) -> Millis:
        with self._database.read() as connection:
            lease = connection.scalar(_LEASE, {"name": host})
            left = None if lease is None else int(lease) - self._database.now(connection)
        if left is None or left > 0:
            return max(0, left or 0)
        with self._database.write() as connection:
            now = self._database.now(connection)
            taken = connection.execute(_RESERVE, {"host": host, "now": now, "until": now + spell}).rowcount
        # Somebody else was quicker. How long that takes is known at the next attempt.
        return 0 if taken else min(spell, 1_000)

    def take_over(self) -> None:
        with self._database.write() as connection:
            leased = update(host).where(host.c.owner != "")
            connection.execute(leased.values(lease=0, owner="", token=host.c.token + 1))

    def next_at(self) -> Millis | None:
        with self._database.asking() as ask:
            found = ask(self._first_ready)
        return max(0, found[0].ready - found[0].clock) if found else None

    def age(self) -> Millis:
        with self._database.asking() as ask:
            found = ask(self._first_ready)
        return max(0, found[0].clock - found[0].ready) if found else 0

    def listen(self, ring: Callable[[], None]) -> AbstractContextManager[Millis]:
        return self._database.bell.heard(self._database.engine, ring)

    def written(self) -> str:
        return self._database.written()

    def now(self) -> Millis:
        with self._database.read() as connection:
            return self._database.now(connection)

    def _claim(self, row: Any, pages: Iterable[DuePage], now: Millis) -> Claim:
        return Claim(
            host=row.id,
            name=row.name,
            token=row.token,
            now=now,
            until=row.lease,
            delay=self._delay_of(row),
            pages=tuple(pages),
            concurrency=self._concurrency if row.concurrency is None else row.concurrency,
            failures=row.failures,
        )

    def _delay_of(self, row: Any) -> Millis:
        return self._delay if row.delay_ms is None else int(row.delay_ms)


# These statements are built once, because building one takes longer than running it.
_LEASE = select(host.c.lease).where(host.c.name == bindparam("name"))
_RESERVE = (
    update(host)
    .where(host.c.name == bindparam("host"), host.c.lease <= bindparam("now", type_=BigInteger()))
    .values(lease=bindparam("until", type_=BigInteger()))
)
_DUE = select(page.c.due).where(page.c.id == bindparam("page", type_=BigInteger()))


@cache
def _leasing() -> Prepared:
    number = partial(bindparam, type_=BigInteger())
    wanted = select(host.c.id).where(number("now") >= _READY).order_by(_READY).limit(number("count"))
    # SKIP LOCKED: workers that claim at the same time get different hosts and do not wait for each other.
    ready = wanted.with_for_update(skip_locked=True).cte("ready")
    return Prepared(
        update(host)
        .where(host.c.id == ready.c.id)
        .values(lease=number("until"), token=host.c.token + 1, owner=bindparam("worker"))
        .returning(host)
    )


def _lease_hosts(connection: Connection, worker: str, count: int, now: Millis, until: Millis) -> list[Any]:
    return _leasing().within(connection, worker=worker, count=count, now=now, until=until)


def _due_pages(
    connection: Connection, wanted: Mapping[int, Sequence[int]], now: Millis
) -> dict[int, list[DuePage]]:
    """Returns, by host, its most urgent pages in order. `wanted` are the hosts by how many pages each of them
    comes with."""
    rows: list[Any] = []
    for count, hosts in wanted.items():
        parameters = {"now": now, "count": count, **as_parameter([{"id": one} for one in hosts])}
        rows += _urgent(connection.dialect.name).within(connection, **parameters)
    watches = watches_of(connection, [row.id for row in rows])
    paces = read_paces(connection, watches)
    links = _links_of(connection, watches)
    found: dict[int, list[DuePage]] = {}
    for row in sorted(rows, key=_urgency):
        mine = watches.get(row.id, ()), paces.get(row.id), links.get(row.id, {})
        found.setdefault(row.host_id, []).append(_due_page(row, *mine))
    return found


def _links_of(connection: Connection, watches: Mapping[int, Sequence[Watch]]) -> dict[int, dict[str, int]]:
    """Returns the versions whose links were read, for pages whose links somebody follows."""
    followed = [id_ for id_, some in watches.items() if any(one.follows is not None for one in some)]
    return links_read(connection, followed) if followed else {}


def _urgency(row: Any) -> Millis:
    return int(row.due - row.priority * PRIORITY_BONUS)


@cache
def _urgent(dialect: str) -> Prepared:
    hosts = given(dialect, {"id": BigInteger()})
    line = (
        select(page)
        .where(page.c.host_id == hosts.c.id, page.c.due <= bindparam("now", type_=BigInteger))
        .order_by(page.c.due)
        .limit(FIRST_IN_LINE)
        .correlate(hosts)
        .subquery("line")
    )
    first = (
        select(line)
        .order_by(line.c.due - line.c.priority * PRIORITY_BONUS)
        .limit(bindparam("count", type_=BigInteger))
    )
    urgent: FromClause
    if dialect == "postgresql":
        urgent = first.lateral("urgent")
        source = hosts.join(urgent, true())
    else:  # SQLite has no LATERAL: first the ids of each host, then their rows
        urgent = page.alias("urgent")
        source = hosts.join(urgent, urgent.c.id.in_(first.with_only_columns(line.c.id)))
    newest = (version.c.page_id == urgent.c.id) & (version.c.number == urgent.c.latest)
    kept = (version.c.signature, version.c.object, version.c.picture)
    has_habits = exists().where(habit.c.page_id == urgent.c.id).label("has_habits")
    return Prepared(
        select(urgent, page_about, *kept, *DOUBT, has_habits).select_from(
            source.join(page_about, page_about.c.page_id == urgent.c.id)
            .outerjoin(version, newest)
            .outerjoin(doubt, doubt.c.page_id == urgent.c.id)
        )
    )


def _due_page(row: Any, watches: Iterable[Watch], pace: PaceRecord | None, links: dict[str, int]) -> DuePage:
    latest = row.latest and LatestVersion(
        number=row.latest, signature=row.signature, object=row.object, picture=row.picture
    )
    return DuePage(
        id=row.id,
        page=page_of(row),
        due=row.due,
        asked=row.asked,
        failures=row.failures,
        latest=latest or None,
        validators=row.validators,
        watches=tuple(watches),
        wish=row.wish,
        priority=row.priority,
        pace=pace,
        links=links,
        doubt=read_doubt(row),
        failing_since=row.failing_since,
        checks=row.checks,
        has_habits=row.has_habits,
    )


@cache
def _held(dialect: str) -> Prepared:
    claims = given(dialect, {"id": BigInteger(), "token": BigInteger()})
    mine = (host.c.id == claims.c.id) & (host.c.token == claims.c.token)
    not_before = bindparam("not_before", type_=BigInteger())
    query = select(host.c.id).join(claims, mine).where(host.c.lease > not_before)
    return Prepared(query.order_by(host.c.id).with_for_update(of=host))


def _lock(connection: Connection, claims: Iterable[Claim], now: Millis) -> set[int]:
    """Locks the hosts that are still leased under these tokens, and returns their ids."""
    rows = [{"id": claim.host, "token": claim.token} for claim in claims]
    asked = as_parameter(rows) | {"not_before": now - LONGEST_CHECK}
    return {row.id for row in _held(connection.dialect.name).within(connection, **asked)}


def _ask(connection: Connection, wanted: int, why: str, now: Millis) -> None:
    owner = connection.scalar(select(page.c.host_id).where(page.c.id == wanted))
    if owner is None:
        return
    lock_hosts(connection, [owner])
    watches = select(watch.c.sentinel_id).where(watch.c.page_id == wanted)
    if connection.scalar(select(func.count()).select_from(watches.subquery())):
        connection.execute(update(watch).where(watch.c.page_id == wanted).values(next_at=now))
        connection.execute(update(page).where(page.c.id == wanted).values(due=now, asked=page.c.asked + 1))
        connection.execute(update(page_about).where(page_about.c.page_id == wanted).values(wish=why))
        settle_hosts(connection, [owner])
        ring_when_written(connection)


def _look_by(connection: Connection, wanted: int, at: Millis, why: str) -> None:
    """Brings the next look forward. This does not count as asking: a check that is running may overwrite the
    time. A page that nobody watches is never due, and stays so."""
    owner = connection.scalar(select(page.c.host_id).where(page.c.id == wanted))
    if owner is None:
        return
    lock_hosts(connection, [owner])
    later_than = (page.c.due > at) & (page.c.due < IDLE)
    if connection.execute(update(page).where(page.c.id == wanted, later_than).values(due=at)).rowcount:
        connection.execute(update(page_about).where(page_about.c.page_id == wanted).values(wish=why))
        settle_hosts(connection, [owner])
        ring_when_written(connection)
