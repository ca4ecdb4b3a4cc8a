"""Due times in SQL: when pages and hosts are due, computed from the watches on them.

Every change of who watches a page ends here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from sqlalchemy import Connection, func, select, update

from webvigil.model.sentinel import State
from webvigil.store.sql.bell import ring_when_written
from webvigil.store.sql.schema import IDLE, PRESENT, host, page, sentinel, watch

T = TypeVar("T")

MOST_AT_ONCE = 1000
"""The most values in one statement; databases limit their number."""


def batched(values: list[T]) -> Iterator[list[T]]:
    return (values[start : start + MOST_AT_ONCE] for start in range(0, len(values), MOST_AT_ONCE))


def lock_hosts(connection: Connection, hosts: Iterable[int]) -> None:
    """Locks hosts in ascending order. All transactions lock hosts first and in this order, so that none of
    them wait for each other in a circle."""
    for some in batched(sorted(set(hosts))):
        query = select(host.c.id).where(host.c.id.in_(some)).order_by(host.c.id)
        connection.execute(query.with_for_update()).all()


def lock_hosts_of(connection: Connection, *sentinels: int) -> None:
    """Locks the hosts of the pages of these sentinels, before sentinels are changed whose pages may be looked
    at right now."""
    watched = select(page.c.host_id).join(watch, watch.c.page_id == page.c.id).distinct()
    found: set[int] = set()
    for some in batched(list(sentinels)):
        found.update(connection.scalars(watched.where(watch.c.sentinel_id.in_(some))))
    lock_hosts(connection, found)


def lock_host_of(connection: Connection, page_id: int) -> None:
    """Locks the host of a page; in every transaction hosts are locked before pages. Checks that end and
    installations on this host wait, so that nobody starts to use a version that is being dropped."""
    owner = select(page.c.host_id).where(page.c.id == page_id).scalar_subquery()
    connection.execute(select(host.c.id).where(host.c.id == owner).with_for_update())


def reschedule(connection: Connection, pages: Iterable[int]) -> None:
    """Makes each page due at the earliest time at which an active watch wants a look.

    This counts as asking for a look, so that a check that is running does not overwrite the new time.
    """
    touched = sorted(pages)
    hosts = {some[0]: hosts_of(connection, some) for some in batched(touched)}
    lock_hosts(connection, (one for some in hosts.values() for one in some))
    for some in batched(touched):
        _reschedule(connection, some, hosts[some[0]])
    ring_when_written(connection)


def hosts_of(connection: Connection, pages: list[int]) -> list[int]:
    return sorted(set(connection.scalars(select(page.c.host_id).where(page.c.id.in_(pages)))))


def _reschedule(connection: Connection, touched: list[int], hosts: list[int]) -> None:
    earliest = (
        select(func.coalesce(func.min(watch.c.next_at), IDLE))
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .where(watch.c.page_id == page.c.id, sentinel.c.state == str(State.ACTIVE))
        .scalar_subquery()
    )
    connection.execute(
        update(page).where(page.c.id.in_(touched)).values(due=earliest, asked=page.c.asked + 1)
    )
    settle_hosts(connection, hosts)


def settle_priorities(connection: Connection, pages: Iterable[int]) -> None:
    """Gives each page the priority of its most urgent sentinel."""
    most = (
        select(func.max(sentinel.c.priority))
        .join(watch, watch.c.sentinel_id == sentinel.c.id)
        .where(watch.c.page_id == page.c.id, PRESENT)
        .scalar_subquery()
    )
    for some in batched(sorted(pages)):
        connection.execute(update(page).where(page.c.id.in_(some)).values(priority=func.coalesce(most, 0)))


def settle_hosts(connection: Connection, hosts: Iterable[int]) -> None:
    """Makes each host ready when its first page is due."""
    first = (
        select(func.coalesce(func.min(page.c.due), IDLE)).where(page.c.host_id == host.c.id).scalar_subquery()
    )
    connection.execute(update(host).where(host.c.id.in_(list(hosts))).values(next_at=first))
