"""The lives of sentinels in SQL: each step from one record to the next, and news for the keeper of lives."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    false,
    func,
    insert,
    not_,
    select,
    true,
    update,
)

from webvigil.errors import NotFound
from webvigil.model.life import (
    LONGEST_WARNING,
    WARNING_PART,
    LifeEvent,
    LifeNews,
    LifeRecord,
    LifeStep,
    LivingSentinel,
    state_of,
)
from webvigil.model.moment import Millis, as_millis
from webvigil.model.sentinel import State
from webvigil.store.sql.outbox import recount, write_notices
from webvigil.store.sql.planning import batched, lock_hosts_of, reschedule
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
        connection.execute(insert(event).values(**_event_row(one, step.user)))
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


def read_news(connection: Connection, since: int, until: Millis | None) -> LifeNews:
    revision = connection.scalar(_revision())
    if revision == since:
        return LifeNews(revision=revision, changed=(), removed=())
    changed = sentinel.c.revision > since
    awake = true() if until is None else _awake_by(until)
    removed = select(removal.c.sentinel_id).where(removal.c.revision > since)
    resting = select(sentinel.c.id).where(changed, PRESENT, not_(awake))
    return LifeNews(
        revision=revision or 0,
        changed=tuple(_living(row) for row in connection.execute(_lives().where(changed, awake))),
        removed=tuple(connection.scalars(removed)),
        resting=() if until is None else tuple(connection.scalars(resting)),
    )


def read_living(connection: Connection, owner: str, names: Collection[str]) -> list[LivingSentinel]:
    wanted = [
        _lives().where(user.c.name == owner, sentinel.c.name.in_(some)) for some in batched(list(names))
    ]
    return [_living(row) for query in wanted for row in connection.execute(query)]


def _lives() -> Select[Any]:
    query = select(sentinel, user.c.name.label("owner"), user.c.zone)
    return query.join(user, user.c.id == sentinel.c.user_id).where(PRESENT).order_by(sentinel.c.id)


def _awake_by(until: Millis) -> ColumnElement[bool]:
    """Returns the SQL condition that something happens in a life by then, or that the life waits for the life
    of another sentinel. `model.life.rests_until` decides the same for a value."""
    one = sentinel.c
    longest = LONGEST_WARNING // timedelta(milliseconds=1)
    # The warning comes a tenth of the span before the end. Both sides are multiplied by ten to avoid
    # rounding.
    tenth = (WARNING_PART - 1) * one.life_at + one.started_at <= WARNING_PART * until
    warned_by = one.within & ~one.warned & (one.life_at <= until + longest) & tenth
    moves = one.life_at.is_(None) | (one.life_at <= until) | func.coalesce(warned_by, false())
    return ~one.over & (one.failure == "") & moves


# Asked whenever something was written, and building the statement takes longer than running it.
@cache
def _revision() -> Select[Any]:
    return select(counter.c.value).where(counter.c.name == "revision")


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


def _event_row(one: LifeEvent, owner: str) -> dict[str, Any]:
    details = {name: text for name, text in (("user", owner), ("reason", one.reason)) if text}
    return {"at": as_millis(one.at), "name": str(one.what), "subject": one.sentinel, "details": details}


def _millis(time: datetime | None) -> Millis | None:
    return None if time is None else as_millis(time)
