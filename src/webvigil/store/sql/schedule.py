"""Claiming due pages by leasing their hosts.

A host is ready when its next page is due and its lease has run out. The lease also keeps the distance
between two visits: it is given back with the host's delay still on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, func, select, update

from webvigil.model.moment import Millis
from webvigil.model.pace import PaceRecord
from webvigil.model.page import Page
from webvigil.model.sentinel import State
from webvigil.model.work import CheckResult, Claim, DuePage, HostAfter, LatestVersion, Watch
from webvigil.store.sql.database import Database
from webvigil.store.sql.finish import write_results
from webvigil.store.sql.paces import read_paces
from webvigil.store.sql.planning import settle_hosts
from webvigil.store.sql.schema import IDLE, host, later, page, page_about, sentinel, user, version, watch

_READY = later(host.c.next_at, host.c.lease)

PRIORITY_BONUS: Millis = 60_000
"""One step of priority is worth a minute of waiting."""


class SqlSchedule:
    def __init__(self, database: Database, *, delay: Millis, concurrency: int) -> None:
        self._database = database
        self._delay = delay
        self._concurrency = concurrency

    def claim(self, worker: str, *, hosts: int, pages: int, lease: Millis) -> list[Claim]:
        with self._database.write() as connection:
            now = self._database.now(connection)
            rows = _lease_hosts(connection, worker, hosts, now, now + lease)
            return [self._claim(connection, row, pages, now) for row in rows]

    def renew(self, claim: Claim, *, lease: Millis) -> bool:
        with self._database.write() as connection:
            until = self._database.now(connection) + lease
            return connection.execute(_held(claim).values(lease=until)).rowcount == 1

    def finish(self, claim: Claim, results: Sequence[CheckResult], after: HostAfter | None = None) -> bool:
        after = after or HostAfter(rest=claim.delay)
        with self._database.write() as connection:
            if not _lock(connection, claim):
                return False
            now = self._database.now(connection)
            write_results(connection, results, now)
            settle_hosts(connection, [claim.host])
            rested = {"lease": now + after.rest, "failures": after.failures, "owner": ""}
            connection.execute(_held(claim).values(**rested))
        return True

    def ask(self, page: int, why: str = "asked") -> None:
        with self._database.write() as connection:
            _ask(connection, page, why, self._database.now(connection))

    def take_over(self) -> None:
        with self._database.write() as connection:
            leased = update(host).where(host.c.owner != "")
            connection.execute(leased.values(lease=0, owner="", token=host.c.token + 1))

    def next_at(self) -> Millis | None:
        with self._database.read() as connection:
            first = connection.scalar(select(_READY).where(_READY < IDLE).order_by(_READY).limit(1))
            return None if first is None else max(0, first - self._database.now(connection))

    def now(self) -> Millis:
        with self._database.read() as connection:
            return self._database.now(connection)

    def _claim(self, connection: Connection, row: Any, pages: int, now: Millis) -> Claim:
        return Claim(
            host=row.id,
            name=row.name,
            token=row.token,
            now=now,
            until=row.lease,
            delay=self._delay if row.delay_ms is None else row.delay_ms,
            pages=tuple(_due_pages(connection, row.id, pages, now)),
            concurrency=self._concurrency if row.concurrency is None else row.concurrency,
            failures=row.failures,
        )


def _lease_hosts(connection: Connection, worker: str, count: int, now: Millis, until: Millis) -> list[Any]:
    ready = select(host.c.id).where(now >= _READY).order_by(_READY).limit(count)
    statement = (
        update(host)
        .where(host.c.id.in_(ready.with_for_update(skip_locked=True)))
        .values(lease=until, token=host.c.token + 1, owner=worker)
        .returning(host)
    )
    return list(connection.execute(statement))


def _due_pages(connection: Connection, host_id: int, count: int, now: Millis) -> Iterable[DuePage]:
    query = (
        select(page, page_about, version.c.signature, version.c.object, version.c.picture)
        .join(page_about, page_about.c.page_id == page.c.id)
        .outerjoin(version, (version.c.page_id == page.c.id) & (version.c.number == page.c.latest))
        .where(page.c.host_id == host_id, page.c.due <= now)
        .order_by(page.c.due - page.c.priority * PRIORITY_BONUS)
        .limit(count)
    )
    rows = connection.execute(query).all()
    watches = _watches(connection, [row.id for row in rows])
    paces = read_paces(connection, watches)
    return [_due_page(row, watches.get(row.id, ()), paces.get(row.id)) for row in rows]


def _due_page(row: Any, watches: Iterable[Watch], pace: PaceRecord | None) -> DuePage:
    fields = tuple((name, value) for name, value in row.fields)
    latest = row.latest and LatestVersion(
        number=row.latest, signature=row.signature, object=row.object, picture=row.picture
    )
    return DuePage(
        id=row.id,
        page=Page(url=row.url, method=row.method, fields=fields, render=row.render, login=row.login),
        due=row.due,
        asked=row.asked,
        failures=row.failures,
        latest=latest or None,
        validators=row.validators,
        watches=tuple(watches),
        wish=row.wish,
        priority=row.priority,
        pace=pace,
    )


def _watches(connection: Connection, pages: list[int]) -> dict[int, list[Watch]]:
    query = (
        select(watch, sentinel.c.name, sentinel.c.text, user.c.name.label("owner"))
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .join(user, user.c.id == sentinel.c.user_id)
        .where(watch.c.page_id.in_(pages), sentinel.c.state == str(State.ACTIVE))
        .order_by(watch.c.sentinel_id)
    )
    found: dict[int, list[Watch]] = {}
    for row in connection.execute(query):
        found.setdefault(row.page_id, []).append(_watch(row))
    return found


def _watch(row: Any) -> Watch:
    return Watch(
        sentinel=row.sentinel_id,
        user=row.owner,
        name=row.name,
        text=row.text,
        interval=row.interval_ms,
        next_at=row.next_at,
        reference=row.reference,
    )


def _lock(connection: Connection, claim: Claim) -> bool:
    held = select(host.c.id).where(host.c.id == claim.host, host.c.token == claim.token)
    return connection.scalar(held.with_for_update()) is not None


def _held(claim: Claim) -> Any:
    return update(host).where(host.c.id == claim.host, host.c.token == claim.token)


def _ask(connection: Connection, wanted: int, why: str, now: Millis) -> None:
    owner = select(page.c.host_id).where(page.c.id == wanted).scalar_subquery()
    connection.execute(select(host.c.id).where(host.c.id == owner).with_for_update())
    watches = select(watch.c.sentinel_id).where(watch.c.page_id == wanted)
    if connection.scalar(select(func.count()).select_from(watches.subquery())):
        connection.execute(update(watch).where(watch.c.page_id == wanted).values(next_at=now))
        connection.execute(update(page).where(page.c.id == wanted).values(due=now, asked=page.c.asked + 1))
        connection.execute(update(page_about).where(page_about.c.page_id == wanted).values(wish=why))
        settle_hosts(connection, [connection.scalar(select(page.c.host_id).where(page.c.id == wanted)) or 0])
