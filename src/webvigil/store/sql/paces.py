"""Paces in SQL: the memory of each page's best-effort rule, and the steering that all workers share.

A page has a row here once a sentinel has looked at it on change. All such sentinels of a page look at the
same times, so their watches are updated together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cache, partial
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Float,
    LargeBinary,
    Select,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    select,
    update,
)

from webvigil.model.moment import Millis
from webvigil.model.pace import PaceRecord, Shares, Steering
from webvigil.model.sentinel import State
from webvigil.model.work import CheckResult, Watch
from webvigil.store.sql.database import Database, insert_new, insertion
from webvigil.store.sql.planning import lock_host_of, settle_hosts
from webvigil.store.sql.prepared import Order, Prepared
from webvigil.store.sql.rows import as_parameter, given, update_given
from webvigil.store.sql.schema import IDLE, host, pace, page, page_about, sentinel, setting, watch

_STEERING = "steering"
_KNOWN = {field.name for field in fields(Steering)}


class SqlPaces:
    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, page: int) -> PaceRecord | None:
        with self._database.read() as connection:
            return _records(connection, [page])[page] if _on_change(connection, page) else None

    def hint(self, page: int, at: Millis, why: str = "a hint") -> None:
        with self._database.write() as connection:
            lock_host_of(connection, page)
            if _on_change(connection, page):
                _hint(connection, page, at, why)

    def shares(self, hosts: int) -> Shares:
        total = func.sum(pace.c.share)
        by_host = _asking(host.c.name, total).join(host, host.c.id == page.c.host_id)
        heaviest = by_host.group_by(host.c.name).order_by(total.desc()).limit(hosts)
        with self._database.read() as connection:
            found = {name: float(share) for name, share in connection.execute(heaviest)} if hosts else {}
            return Shares(total=float(connection.scalar(_asking(total)) or 0.0), hosts=found)

    def host_share(self, host: str) -> float:
        with self._database.read() as connection:
            return float(connection.scalar(_of_host(host)) or 0.0)

    def steering(self) -> Steering:
        with self._database.read() as connection:
            return _steering(connection.scalar(_kept()))

    def steer(self, change: Callable[[Steering], Steering]) -> Steering:
        with self._database.write() as connection:
            # The row must exist before it can be locked below.
            connection.execute(insert_new(connection, setting).values(key=_STEERING, value=""))
            new = change(_steering(connection.scalar(_kept().with_for_update())))
            kept = update(setting).where(setting.c.key == _STEERING)
            connection.execute(kept.values(value=json.dumps(asdict(new))))
        return new


def read_paces(connection: Connection, watches: Mapping[int, Sequence[Watch]]) -> dict[int, PaceRecord]:
    """Returns the paces of the pages that a sentinel looks at on change."""
    wanted = [page_id for page_id, some in watches.items() if any(one.on_change for one in some)]
    return _records(connection, wanted) if wanted else {}


def write_paces(connection: Connection, results: Iterable[CheckResult]) -> None:
    """Writes the paces after checks, in the transaction of their results. The planned time of a page does not
    hold if somebody asked for a look in the meantime."""
    paced = [(one, new) for one in results if (new := one.pace)]
    if not paced:
        return
    # A memory is bytes, which JSON cannot hold, so its row is a row of parameters.
    _keeping(connection.dialect.name).each_within(
        connection,
        [
            {"its_id": one.page, "memory": new.memory, "share": new.share, "used": new.pings}
            for one, new in paced
        ],
    )
    update_given(
        connection,
        _update_shared,
        [{"page_id": one.page, "asked": one.asked, "next_at": new.next_at} for one, new in paced],
    )


@cache
def _keeping(dialect: str) -> Order:
    """Returns the statement that writes the pace of one page. The hints that came while the page was looked
    at stay."""
    number = partial(bindparam, type_=BigInteger())
    memory = bindparam("memory", type_=LargeBinary())
    share = bindparam("share", type_=Float())
    row = select(number("its_id"), memory, share, literal_column("0", BigInteger))
    rows = row.where(exists().where(page.c.id == number("its_id")))
    made = insertion(dialect)(pace).from_select(["page_id", "memory", "share", "pings"], rows)
    left = case((pace.c.pings > number("used"), pace.c.pings - number("used")), else_=0)
    new = made.excluded
    values = {"memory": new.memory, "share": new.share, "pings": left}
    return Order(made.on_conflict_do_update(index_elements=[pace.c.page_id], set_=values))


@cache
def _update_shared(dialect: str) -> Any:
    """Gives the sentinels that look at a page on change their next time."""
    rows = given(dialect, {name: BigInteger() for name in ("page_id", "asked", "next_at")})
    shared = (watch.c.page_id == rows.c.page_id) & (watch.c.interval_ms == 0)
    undisturbed = (page.c.id == rows.c.page_id) & (page.c.asked == rows.c.asked)
    return update(watch).where(shared, undisturbed).values(next_at=rows.c.next_at)


def _records(connection: Connection, pages: list[int]) -> dict[int, PaceRecord]:
    asked = as_parameter([{"id": one} for one in pages])
    found = _kept_of(connection.dialect.name).within(connection, **asked)
    kept = {row.page_id: PaceRecord(memory=bytes(row.memory), pings=row.pings) for row in found}
    return {page_id: kept.get(page_id, PaceRecord()) for page_id in pages}


@cache
def _kept_of(dialect: str) -> Prepared:
    pages = given(dialect, {"id": BigInteger()})
    return Prepared(
        select(pace.c.page_id, pace.c.memory, pace.c.pings).join(pages, pages.c.id == pace.c.page_id)
    )


def _on_change(connection: Connection, page_id: int) -> bool:
    query = (
        select(watch.c.sentinel_id)
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .where(watch.c.page_id == page_id, watch.c.interval_ms == 0, sentinel.c.state == str(State.ACTIVE))
        .limit(1)
    )
    return connection.scalar(query) is not None


def _hint(connection: Connection, page_id: int, at: Millis, why: str) -> None:
    """Counts a hint and brings the best-effort look forward. This counts as asking for a look, so that a
    check that is running does not overwrite the new time."""
    fresh = {"page_id": page_id, "memory": b"", "share": 0.0, "pings": 0}
    connection.execute(insert_new(connection, pace).values(**fresh))
    connection.execute(update(pace).where(pace.c.page_id == page_id).values(pings=pace.c.pings + 1))
    shared = (watch.c.page_id == page_id) & (watch.c.interval_ms == 0)
    connection.execute(update(watch).where(shared, watch.c.next_at > at).values(next_at=at))
    later = update(page).where(page.c.id == page_id, page.c.due > at)
    if connection.execute(later.values(due=at)).rowcount:
        connection.execute(update(page_about).where(page_about.c.page_id == page_id).values(wish=why))
    connection.execute(update(page).where(page.c.id == page_id).values(asked=page.c.asked + 1))
    settle_hosts(connection, [connection.scalar(select(page.c.host_id).where(page.c.id == page_id)) or 0])


def _asking(*columns: Any) -> Select[Any]:
    """Selects columns of the paces of all pages that are looked at."""
    return select(*columns).select_from(pace).join(page, page.c.id == pace.c.page_id).where(page.c.due < IDLE)


def _of_host(name: str) -> Select[Any]:
    of_host = _asking(func.sum(pace.c.share)).join(host, host.c.id == page.c.host_id)
    return of_host.where(host.c.name == name)


def _kept() -> Select[Any]:
    return select(setting.c.value).where(setting.c.key == _STEERING)


def _steering(text: str | None) -> Steering:
    """Reads the stored steering. Fields that only another version of WebVigil knows are left out."""
    kept = json.loads(text) if text else {}
    return Steering(**{name: value for name, value in kept.items() if name in _KNOWN})
