"""Sentinels that were removed in SQL: hidden for a while, brought back, deleted for good.

A hidden sentinel keeps its rows, so that its changes, its references and the versions that they need stay.
Whatever shows sentinels or changes to somebody leaves hidden ones out by the condition `schema.PRESENT`;
`journal.counts` counts their changes, because they are stored.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select, true

from webvigil.errors import NameTaken, NotFound
from webvigil.model.installed import RemovedSentinel
from webvigil.model.life import state_of
from webvigil.model.moment import Millis, as_datetime
from webvigil.model.sentinel import State
from webvigil.store.sql.following import forget_unfollowed
from webvigil.store.sql.life import locked, locked_if, move_on, next_revision
from webvigil.store.sql.planning import lock_hosts_of, reschedule
from webvigil.store.sql.readers import read_life
from webvigil.store.sql.schema import PRESENT, change, page_about, removal, sentinel, user, watch

# The name of a hidden sentinel begins with a character that no name can hold.
_HIDDEN = "\x1f"


def hide(connection: Connection, found: int, now: Millis) -> None:
    """Hides a sentinel from everybody. Its pages are not looked at for it any more."""
    row = locked(connection, found)
    values = {
        "state": str(State.DISABLED),
        "removed_at": now,
        "removed_name": row.name,
        "name": f"{_HIDDEN}{found}",
    }
    move_on(connection, found, values, now)
    connection.execute(insert(removal).values(sentinel_id=found, revision=next_revision(connection)))


def bring_back(connection: Connection, owner: int, found: int, now: Millis) -> str:
    """Shows a hidden sentinel of this owner again and returns its name. The caller has locked the owner, so
    that nobody takes the name meanwhile."""
    row = locked_if(connection, found, ~PRESENT)
    if row is None or row.user_id != owner:
        raise NotFound(f"there is no removed sentinel {found}; it may be gone for good")
    same = select(sentinel.c.id).where(sentinel.c.user_id == owner, sentinel.c.name == row.removed_name)
    if connection.scalar(same) is not None:
        raise NameTaken(f"there is another sentinel {row.removed_name!r} now; remove it first")
    connection.execute(delete(removal).where(removal.c.sentinel_id == found))
    state = state_of(read_life(row), enabled=row.enabled)
    values = {"state": str(state), "removed_at": None, "removed_name": "", "name": row.removed_name}
    move_on(connection, found, values, now)
    return str(row.removed_name)


def removed_by(connection: Connection, name: str, found: int | None = None) -> list[RemovedSentinel]:
    """Returns the hidden sentinels of a user, the one that was removed last first, or one of them."""
    one = true() if found is None else sentinel.c.id == found
    rows = connection.execute(_hidden().where(user.c.name == name, one))
    return [
        RemovedSentinel(
            id=row.id,
            name=row.removed_name,
            removed_at=as_datetime(row.removed_at),
            changes=row.changes,
            title=row.title or "",
            url=row.url or "",
        )
        for row in rows
    ]


def forget_hidden(connection: Connection, before: Millis, limit: int) -> int:
    """Deletes up to `limit` sentinels for good that were removed before that time, and returns how many. One
    that its user brings back meanwhile stays."""
    old = sentinel.c.removed_at < before
    longest_gone = select(sentinel.c.id).where(old).order_by(sentinel.c.removed_at, sentinel.c.id)
    doomed = connection.scalars(longest_gone.limit(limit)).all()
    lock_hosts_of(connection, *doomed)
    watched = select(watch.c.page_id).where(watch.c.sentinel_id.in_(doomed)).distinct()
    pages = connection.scalars(watched).all()
    gone = connection.execute(delete(sentinel).where(sentinel.c.id.in_(doomed), old)).rowcount
    forget_unfollowed(connection, pages)
    reschedule(connection, pages)
    return gone


def _hidden() -> Select[Any]:
    changes = select(func.count()).select_from(change).where(change.c.sentinel_id == sentinel.c.id)
    named = (watch.c.sentinel_id == sentinel.c.id) & (watch.c.level == 0)
    first = select(func.min(watch.c.page_id)).where(named)
    return (
        select(
            sentinel.c.id,
            sentinel.c.removed_name,
            sentinel.c.removed_at,
            changes.correlate(sentinel).scalar_subquery().label("changes"),
            page_about.c.title,
            page_about.c.url,
        )
        .join(user, user.c.id == sentinel.c.user_id)
        .outerjoin(page_about, page_about.c.page_id == first.correlate(sentinel).scalar_subquery())
        .where(~PRESENT)
        .order_by(sentinel.c.removed_at.desc(), sentinel.c.id.desc())
    )
