"""Removing old log rows in SQL: looks, settled notices, the journal, and pages that nobody watches.

Ids grow with time. So each step reads the next rows by id, and the walk ends at the first step without an old
row: only the old end of a log is read, however long the log is. All conditions are evaluated by the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, exists, or_, select, update

from webvigil.model.history import Ages, Forgotten
from webvigil.model.moment import Millis
from webvigil.store.sql.database import Database
from webvigil.store.sql.planning import lock_host_of
from webvigil.store.sql.schema import change, event, held, host, look, outbox, page, push, version, watch

_NOT_SEEN = ("failed", "postponed")
_TOLD = ("delivered", "merged")


class SqlLogs:
    def __init__(self, database: Database) -> None:
        self._database = database

    def forget_looks(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        useless = look.c.at < ages.log, _has_a_later_look(), _saw_nothing_last(ages.versions)
        return self._step(look, look.c.at, ages.log, and_(*useless), after, limit, dry_run)

    def forget_notices(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        useless = outbox.c.settled_at < ages.log, outbox.c.state.in_(_TOLD), ~_summary_waits(), _told_later()
        return self._step(outbox, outbox.c.created_at, ages.log, and_(*useless), after, limit, dry_run)

    def forget_events(
        self,
        ages: Ages,
        *,
        after: int,
        limit: int,
        sparing: Mapping[str, Millis] | None = None,
        dry_run: bool = False,
    ) -> Forgotten:
        spared = sparing or {}
        old = [
            (event.c.subject == subject) & (event.c.at < min(at, ages.log)) for subject, at in spared.items()
        ]
        useless = or_(event.c.subject.not_in(list(spared)) & (event.c.at < ages.log), *old)
        return self._step(event, event.c.at, ages.log, useless, after, limit, dry_run)

    def forget_pages(self, ages: Ages, *, after: int, limit: int, dry_run: bool = False) -> Forgotten:
        query = select(page.c.id).where(page.c.id > after, ~_is_watched()).order_by(page.c.id).limit(limit)
        with self._database.read() as connection:
            found = list(connection.scalars(query))
        gone = [objects for one in found if (objects := self._forget_page(one, ages, dry_run)) is not None]
        return Forgotten(
            len(gone),
            found[-1] if len(found) == limit else None,
            tuple(key for objects in gone for key in objects),
        )

    def _forget_page(self, page_id: int, ages: Ages, dry_run: bool) -> list[str] | None:
        """Removes one page and returns the objects of its versions; returns None if the page stays.
        Installations on its host wait in the meantime."""
        with self._database.write() as connection:
            lock_host_of(connection, page_id)
            now = self._database.now(connection)
            query = select(page.c.id).where(page.c.id == page_id, *_abandoned(ages, now))
            if connection.scalar(query) is None:
                return None
            mine = select(version.c.object).where(version.c.page_id == page_id)
            objects = list(connection.scalars(mine))
            if not dry_run:
                # A worker may still have a result for the page. Raising the token makes the store refuse that
                # result.
                owner = select(page.c.host_id).where(page.c.id == page_id).scalar_subquery()
                connection.execute(update(host).where(host.c.id == owner).values(token=host.c.token + 1))
                connection.execute(delete(page).where(page.c.id == page_id))
            return objects

    def _step(
        self,
        table: Table,
        written: ColumnElement[Millis],
        border: Millis,
        useless: ColumnElement[bool],
        after: int,
        limit: int,
        dry_run: bool,
    ) -> Forgotten:
        """Examines the next `limit` rows after an id and removes those that are useless."""
        query = select(table.c.id, written).where(table.c.id > after).order_by(table.c.id).limit(limit)
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        old = [row.id for row in rows if row[1] < border]
        if not old:
            return Forgotten(0, None)
        removed = self._remove(table, (table.c.id > after) & (table.c.id <= old[-1]) & useless, dry_run)
        return Forgotten(removed, rows[-1].id if len(rows) == limit else None)

    def _remove(self, table: Table, which: ColumnElement[bool], dry_run: bool) -> int:
        with self._database.write() as connection:
            chosen = list(connection.scalars(select(table.c.id).where(which)))
            if chosen and not dry_run:
                _delete(connection, table, chosen)
            return len(chosen)


def _delete(connection: Connection, table: Table, ids: list[int]) -> None:
    connection.execute(delete(table).where(table.c.id.in_(ids)))


def _has_a_later_look() -> ColumnElement[bool]:
    later = look.alias("later")
    return exists().where(later.c.page_id == look.c.page_id, _after(later))


def _saw_nothing_last(versions: Millis) -> ColumnElement[bool]:
    """Returns the SQL condition that the look saw no version, or that a later look saw the same version.

    The last look that saw a version proves how long the page stayed the same. It is kept as long as versions
    of its age.
    """
    later = look.alias("next_seen")
    seen = select(later.c.decision).where(later.c.page_id == look.c.page_id, _after(later))
    seen = seen.where(later.c.decision.not_in(_NOT_SEEN)).order_by(later.c.at, later.c.id).limit(1)
    following = seen.scalar_subquery()
    same_later = following.is_not(None) & ((following != "new version") | (look.c.at < versions))
    return or_(look.c.decision.in_(_NOT_SEEN), same_later)


def _after(later: Any) -> ColumnElement[bool]:
    same_moment = and_(later.c.at == look.c.at, later.c.id > look.c.id)
    return and_(later.c.at >= look.c.at, or_(later.c.at > look.c.at, same_moment))


def _summary_waits() -> ColumnElement[bool]:
    summary = outbox.alias("summary")
    return exists().where(summary.c.dedup == outbox.c.merged_into, summary.c.state.not_in(_TOLD))


def _told_later() -> ColumnElement[bool]:
    """Returns the SQL condition that a later notice of the same sentinel was delivered. A notice without a
    sentinel needs no later one."""
    later = outbox.alias("later")
    mine = (later.c.user_name == outbox.c.user_name) & (later.c.sentinel == outbox.c.sentinel)
    same_moment = (later.c.settled_at == outbox.c.settled_at) & (later.c.id > outbox.c.id)
    after = (later.c.settled_at > outbox.c.settled_at) | same_moment
    told = exists().where(mine, later.c.settled_at >= outbox.c.settled_at, after, later.c.state.in_(_TOLD))
    return or_(outbox.c.sentinel == "", told)


def _is_watched() -> ColumnElement[bool]:
    return exists().where(watch.c.page_id == page.c.id)


def _abandoned(ages: Ages, now: Millis) -> tuple[ColumnElement[bool], ...]:
    """Returns the SQL conditions under which nothing needs the page any more."""
    return (
        ~_is_watched(),
        ~exists().where(host.c.id == page.c.host_id, host.c.lease > now),
        ~exists().where(watch.c.via_id == page.c.id),
        ~exists().where(change.c.page_id == page.c.id),
        ~exists().where(held.c.page_id == page.c.id),
        ~exists().where(push.c.page_id == page.c.id, push.c.until > now),
        ~exists().where(look.c.page_id == page.c.id, look.c.at >= ages.log),
        ~exists().where(version.c.page_id == page.c.id, version.c.fetched_at >= ages.versions),
    )
