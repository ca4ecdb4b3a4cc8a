"""Installed sentinels and the pages they share.

Whatever changes who watches a page ends in `reschedule`, which makes the page's due time the earliest of
its active watches and the host ready no later than that.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select, true, update

from webvigil.errors import NameTaken, NotFound
from webvigil.model.installed import InstalledSentinel, NewSentinel, WatchedPage
from webvigil.model.life import LifeNews, LifeStep, state_of
from webvigil.model.moment import Millis, as_datetime, as_millis
from webvigil.model.page import Page
from webvigil.model.sentinel import State
from webvigil.store.sql.database import Database, insert_new
from webvigil.store.sql.lives import (
    life_values,
    locked,
    move_on,
    next_revision,
    read_life,
    read_news,
    write_step,
)
from webvigil.store.sql.outbox import outbox_row
from webvigil.store.sql.planning import reschedule
from webvigil.store.sql.schema import (
    IDLE,
    change,
    host,
    outbox,
    page,
    page_about,
    removal,
    sentinel,
    user,
    watch,
)
from webvigil.store.sql.users import user_id


class SqlSentinels:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, *new: NewSentinel) -> list[InstalledSentinel]:
        with self._database.write() as connection:
            now = self._database.now(connection)
            for one in new:
                reschedule(connection, _add(connection, one, now))
        return [self.get(one.user, one.name) for one in new]

    def get(self, user: str, name: str) -> InstalledSentinel:
        with self._database.read() as connection:
            return _installed(connection, sentinel.c.id == self._id(connection, user, name))[0]

    def all(self, user: str | None = None) -> list[InstalledSentinel]:
        with self._database.read() as connection:
            if user is None:
                return _installed(connection, true())
            return _installed(connection, sentinel.c.user_id == user_id(connection, user))

    def enable(self, user: str, name: str, *, enabled: bool) -> InstalledSentinel:
        with self._database.write() as connection:
            found = self._id(connection, user, name)
            life = read_life(locked(connection, found))
            values = {"enabled": enabled, "state": str(state_of(life, enabled=enabled))}
            move_on(connection, found, values, self._database.now(connection))
        return self.get(user, name)

    def remove(self, user: str, name: str) -> None:
        with self._database.write() as connection:
            found = self._id(connection, user, name)
            pages = _pages_of(connection, found)
            connection.execute(delete(sentinel).where(sentinel.c.id == found))
            connection.execute(insert(removal).values(sentinel_id=found, revision=next_revision(connection)))
            reschedule(connection, pages)

    def live(self, step: LifeStep) -> bool:
        with self._database.write() as connection:
            return write_step(connection, step, self._database.now(connection))

    def news(self, since: int) -> LifeNews:
        with self._database.read() as connection:
            return read_news(connection, since)

    @staticmethod
    def _id(connection: Connection, user: str, name: str) -> int:
        found = _find(connection, user_id(connection, user), name)
        if found is None:
            raise NotFound(f"there is no sentinel {name!r}")
        return found


def _add(connection: Connection, new: NewSentinel, now: Millis) -> list[int]:
    """The pages it watches."""
    owner = user_id(connection, new.user, lock=True)
    if _find(connection, owner, new.name) is not None:
        raise NameTaken(f"there is a sentinel {new.name!r} already; choose another name or remove it")
    added = _insert_sentinel(connection, owner, new)
    pages = [_page_for(connection, one, new.priority) for one in dict.fromkeys(new.pages)]
    for page_id in pages:
        connection.execute(insert(watch).values(**_new_watch(connection, added, page_id, new, now)))
    for notice in new.notices:
        connection.execute(insert_new(connection, outbox).values(**outbox_row(notice, now)))
    return pages


def _insert_sentinel(connection: Connection, owner: int, new: NewSentinel) -> int:
    return _inserted(
        connection,
        insert(sentinel).values(
            user_id=owner,
            name=new.name,
            text=new.text,
            state=str(state_of(new.life, enabled=True)),
            priority=new.priority,
            topic=new.topic,
            installed_at=as_millis(new.life.installed_at),
            enabled=True,
            revision=next_revision(connection),
            **life_values(new.life),
        ),
    )


def _new_watch(
    connection: Connection, added: int, page_id: int, new: NewSentinel, now: Millis
) -> dict[str, Any]:
    """The newest version we have is what the sentinel is compared with first; 0 if there is none yet."""
    latest = connection.scalar(select(page.c.latest).where(page.c.id == page_id))
    return {
        "sentinel_id": added,
        "page_id": page_id,
        "interval_ms": new.interval,
        "next_at": now,
        "reference": latest,
    }


def _page_for(connection: Connection, wanted: Page, priority: int) -> int:
    """The page that all who watch the same share; made when it is new."""
    host_id = _host_for(connection, wanted.host)
    known = connection.scalar(select(page_about.c.page_id).where(page_about.c.key == wanted.key))
    if known is not None:
        raised = page.c.priority < priority
        connection.execute(update(page).where(page.c.id == known, raised).values(priority=priority))
        return int(known)
    made = _inserted(
        connection,
        insert(page).values(
            host_id=host_id,
            due=IDLE,
            priority=priority,
            checks=0,
            asked=0,
            failures=0,
            latest=0,
        ),
    )
    connection.execute(
        insert(page_about).values(
            page_id=made,
            key=wanted.key,
            url=wanted.url,
            method=wanted.method,
            fields=wanted.fields,
            render=wanted.render,
            validators={},
            login=wanted.login,
        )
    )
    return made


def _host_for(connection: Connection, name: str) -> int:
    """The host's row, locked: two who bring the same new page at the same time wait for each other."""
    row = insert_new(connection, host).values(name=name, next_at=IDLE, lease=0, token=0, owner="")
    connection.execute(row)
    return int(
        connection.execute(select(host.c.id).where(host.c.name == name).with_for_update()).scalar_one()
    )


def _inserted(connection: Connection, statement: Any) -> int:
    key = connection.execute(statement).inserted_primary_key
    assert key is not None
    return int(key[0])


def _find(connection: Connection, owner: int, name: str) -> int | None:
    return connection.scalar(
        select(sentinel.c.id).where(sentinel.c.user_id == owner, sentinel.c.name == name)
    )


def _pages_of(connection: Connection, found: int) -> list[int]:
    return list(connection.scalars(select(watch.c.page_id).where(watch.c.sentinel_id == found)))


def _installed(connection: Connection, which: ColumnElement[bool]) -> list[InstalledSentinel]:
    pages = _watched(connection, which)
    return [
        InstalledSentinel(
            id=row.id,
            user=row.owner,
            name=row.name,
            text=row.text,
            state=State(row.state),
            enabled=row.enabled,
            life=read_life(row),
            installed_at=as_datetime(row.installed_at),
            pages=tuple(pages.get(row.id, ())),
            changes=row.changes,
        )
        for row in connection.execute(_sentinels().where(which))
    ]


def _sentinels() -> Select[Any]:
    count = (
        select(func.count())
        .select_from(change)
        .where(change.c.sentinel_id == sentinel.c.id)
        .correlate(sentinel)
        .scalar_subquery()
    )
    query = select(sentinel, user.c.name.label("owner"), count.label("changes"))
    return query.join(user, user.c.id == sentinel.c.user_id).order_by(sentinel.c.id.desc())


def _watched(connection: Connection, which: ColumnElement[bool]) -> dict[int, list[WatchedPage]]:
    query = (
        select(watch.c.sentinel_id, page, page_about.c.url)
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .join(page, page.c.id == watch.c.page_id)
        .join(page_about, page_about.c.page_id == page.c.id)
        .where(which)
        .order_by(page.c.id)
    )
    watched: dict[int, list[WatchedPage]] = {}
    for row in connection.execute(query):
        watched.setdefault(row.sentinel_id, []).append(_watched_page(row))
    return watched


def _watched_page(row: Any) -> WatchedPage:
    return WatchedPage(
        id=row.id,
        url=row.url,
        due=None if row.due == IDLE else as_datetime(row.due),
        latest=row.latest,
        checks=row.checks,
        failures=row.failures,
    )
