"""The lives of sentinels in SQL: each step from one record to the next, and news for the process that moves
lives."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, insert, select, update

from webvigil.errors import NotFound
from webvigil.model.life import LifeEvent, LifeNews, LifeRecord, LifeStep, LivingSentinel, state_of
from webvigil.model.moment import Millis, as_millis
from webvigil.model.sentinel import State
from webvigil.store.sql.outbox import recount, write_notices
from webvigil.store.sql.planning import lock_hosts_of, reschedule
from webvigil.store.sql.readers import read_life
from webvigil.store.sql.schema import PRESENT, counter, event, removal, sentinel, user, watch


def write_step(connection: Connection, step: LifeStep, now: Millis) -> bool:
    """Writes a step of a life with its events and notices. Returns False if the sentinel is not at the step's
    beginning any more."""
    row = locked_if(connection, step.sentinel, PRESENT)
    if row is None or read_life(row) != step.before:
        return False
    state = state_of(step.after, enabled=row.enabled)
    move_on(connection, step.sentinel, {"state": str(state), **life_values(step.after)}, now)
    for one in step.events:
        connection.execute(insert(event).values(**_event_row(one)))
    write_notices(connection, step.notices, now)
    return True


def move_on(connection: Connection, found: int, values: dict[str, Any], now: Millis) -> None:
    """Writes new values of a sentinel. If it becomes active, its pages are due at once. If it was active,
    notices that wait for more of its changes are examined again, because no more changes may come."""
    mine = select(sentinel.c.state, sentinel.c.name, user.c.name.label("owner")).join(user)
    before, name, owner = connection.execute(mine.where(sentinel.c.id == found)).one()
    revision = next_revision(connection)
    connection.execute(update(sentinel).where(sentinel.c.id == found).values(revision=revision, **values))
    after = values.get("state", before)
    if before == State.ACTIVE:
        recount(connection, owner, name, now)
    if (before == State.ACTIVE) == (after == State.ACTIVE):
        return
    if after == State.ACTIVE:
        connection.execute(update(watch).where(watch.c.sentinel_id == found).values(next_at=now))
    reschedule(connection, connection.scalars(select(watch.c.page_id).where(watch.c.sentinel_id == found)))


def read_news(connection: Connection, since: int) -> LifeNews:
    revision = connection.scalar(select(counter.c.value).where(counter.c.name == "revision"))
    changed = (
        select(sentinel, user.c.name.label("owner"), user.c.zone)
        .join(user, user.c.id == sentinel.c.user_id)
        .where(sentinel.c.revision > since, PRESENT)
        .order_by(sentinel.c.id)
    )
    removed = select(removal.c.sentinel_id).where(removal.c.revision > since)
    return LifeNews(
        revision=revision or 0,
        changed=tuple(_living(row) for row in connection.execute(changed)),
        removed=tuple(connection.scalars(removed)),
    )


def next_revision(connection: Connection) -> int:
    """Raises the revision of all sentinels by one and returns it. The counter's row stays locked until the
    transaction ends, so that revisions become visible in order."""
    statement = update(counter).where(counter.c.name == "revision").values(value=counter.c.value + 1)
    return int(connection.execute(statement.returning(counter.c.value)).scalar_one())


def locked(connection: Connection, found: int) -> Any:
    """Returns the row of a sentinel, locked with the hosts of its pages. Raises NotFound if somebody removed
    the sentinel after it was looked up."""
    row = locked_if(connection, found, PRESENT)
    if row is None:
        raise NotFound("there is no such sentinel any more; it was removed meanwhile")
    return row


def locked_if(connection: Connection, found: int, condition: ColumnElement[bool]) -> Any:
    """Returns the row of a sentinel, locked with the hosts of its pages; None if the condition does not hold
    once the row is locked."""
    lock_hosts_of(connection, found)
    query = select(sentinel).where(sentinel.c.id == found, condition)
    return connection.execute(query.with_for_update()).first()


def life_values(life: LifeRecord) -> dict[str, Any]:
    return {
        "span": life.span,
        "within": life.within,
        "life_at": _millis(life.next_at),
        "started_at": _millis(life.started_at),
        "ended_at": _millis(life.ended_at),
        "warned": life.warned,
        "over": life.over,
        "failure": life.failure,
    }


def _living(row: Any) -> LivingSentinel:
    return LivingSentinel(
        id=row.id,
        user=row.owner,
        zone=row.zone,
        name=row.name,
        text=row.text,
        enabled=row.enabled,
        life=read_life(row),
    )


def _event_row(one: LifeEvent) -> dict[str, Any]:
    details = {"reason": one.reason} if one.reason else {}
    return {"at": as_millis(one.at), "name": str(one.what), "subject": one.sentinel, "details": details}


def _millis(time: datetime | None) -> Millis | None:
    return None if time is None else as_millis(time)
