"""Replacing sentinels in SQL: they get other texts and keep the changes that they have found.

The caller holds the transaction. Users are locked first, then all hosts of the pages before and after, then
the sentinels. Installing, checking and life steps lock in the same order, so that nobody waits in a circle.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from webvigil.errors import NotFound
from webvigil.model.installed import NewSentinel
from webvigil.model.joint import is_complete, joint_as_json
from webvigil.model.life import state_of
from webvigil.model.moment import Millis, as_millis
from webvigil.model.trouble import Why
from webvigil.store.sql.following import write_reach
from webvigil.store.sql.holding import HELD_ROOT, released, roots_waiting
from webvigil.store.sql.installing import insert_watches, pages_for
from webvigil.store.sql.life import life_values, move_on
from webvigil.store.sql.outbox import write_notices
from webvigil.store.sql.planning import lock_hosts, reschedule, settle_priorities
from webvigil.store.sql.schema import PRESENT, event, held, host, joint, page, sentinel, watch


def replace(connection: Connection, new: Mapping[int, NewSentinel], now: Millis) -> None:
    """Replaces each sentinel, given by its id, with a new text."""
    before = {found: _pages_of(connection, found) for found in new}
    every = {page_id for pages in before.values() for page_id in pages}
    _lock(connection, new, every, {page.host for one in new.values() for page in one.pages})
    for found, one in new.items():
        every |= _replace(connection, found, one, before[found], now)
    settle_priorities(connection, every)
    reschedule(connection, every)


def _replace(connection: Connection, found: int, new: NewSentinel, before: set[int], now: Millis) -> set[int]:
    """Replaces one sentinel and returns the pages that it watches now."""
    pages = pages_for(connection, {one.key: one for one in new.pages}, new.priority)
    after = set(pages.values())
    _watch(connection, found, new, before, after, now)
    write_reach(connection, found, new.reach, now)
    _write(connection, found, new, now)
    _join(connection, found, new, pages, now)
    told = {"at": now, "name": "SentinelEdited", "subject": new.name, "details": {"user": new.user}}
    connection.execute(insert(event).values(**told))
    write_notices(connection, new.notices, now)
    return after


def _pages_of(connection: Connection, found: int) -> set[int]:
    return set(connection.scalars(select(watch.c.page_id).where(watch.c.sentinel_id == found)))


def _lock(connection: Connection, ids: Collection[int], pages: set[int], names: set[str]) -> None:
    theirs = select(page.c.host_id).where(page.c.id.in_(pages))
    named = select(host.c.id).where(host.c.name.in_(names))
    lock_hosts(connection, [*connection.scalars(theirs), *connection.scalars(named)])
    mine = select(sentinel.c.id).where(sentinel.c.id.in_(ids), PRESENT).order_by(sentinel.c.id)
    if len(connection.execute(mine.with_for_update()).all()) < len(ids):
        raise NotFound("there is no such sentinel any more; it was removed meanwhile")


def _watch(
    connection: Connection, found: int, new: NewSentinel, before: set[int], after: set[int], now: Millis
) -> None:
    """Updates the watches. Pages that stay are compared with the same version as before, and keep their next
    look unless the times of the looks changed. Linked pages are handled later, by `following.settle`."""
    mine = watch.c.sentinel_id == found
    left = mine & (watch.c.level == 0) & watch.c.page_id.in_(before - after)
    connection.execute(delete(watch).where(left))
    connection.execute(update(watch).where(mine & watch.c.page_id.in_(after)).values(level=0, via_id=None))
    connection.execute(update(watch).where(mine).values(trouble=str(Why.UNSEEN), trouble_words=""))
    other = mine if new.replan else mine & (watch.c.interval_ms != new.interval)
    connection.execute(update(watch).where(other).values(interval_ms=new.interval, next_at=now))
    insert_watches(connection, [(found, new, page_id) for page_id in sorted(after - before)], now)


def _write(connection: Connection, found: int, new: NewSentinel, now: Millis) -> None:
    enabled = connection.scalar(select(sentinel.c.enabled).where(sentinel.c.id == found))
    values: dict[str, Any] = {
        "text": new.text,
        "own": new.own,
        "priority": new.priority,
        "topic": new.topic,
        "state": str(state_of(new.life, enabled=bool(enabled))),
        "installed_at": as_millis(new.life.installed_at),
        **life_values(new.life),
    }
    move_on(connection, found, values, now)


def _join(connection: Connection, found: int, new: NewSentinel, pages: dict[str, int], now: Millis) -> None:
    """Writes the new joint. Changes held back for pages that are no longer watched are deleted; changes that
    need not wait any longer are written."""
    mine = held.c.sentinel_id == found
    connection.execute(delete(joint).where(joint.c.sentinel_id == found))
    connection.execute(delete(held).where(mine & HELD_ROOT.not_in(pages.values())))
    waiting = roots_waiting(connection, found)
    plain = joint_as_json(new.joint, lambda one: pages[one.key]) if new.joint else None
    if plain:
        connection.execute(insert(joint).values(sentinel_id=found, pages=plain))
    if waiting and (plain is None or is_complete(plain, waiting)):
        write_notices(connection, released(connection, found), now)
