"""Histories of pages in SQL: what the collector of old versions asks, and what it may remove.

The database itself guards every removal. The newest version of a page, a version that a sentinel is to be
compared with, and a version that another is stored relative to stay, whatever the collector decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, delete, exists, or_, select, update

from webvigil.model.history import History, KeptVersion, Need, Told, Use
from webvigil.store.objects.keys import PICTURE
from webvigil.store.sql.database import Database
from webvigil.store.sql.planning import batched, lock_host_of
from webvigil.store.sql.schema import VERSION, change, look, page, past, sentinel, version, watch

# In older stores pictures had names of this length; today they have the name of their version with an ending.
_OLD_KEY = 64


class SqlHistories:
    def __init__(self, database: Database) -> None:
        self._database = database

    def pages(self, *, after: int, limit: int) -> list[int]:
        query = select(page.c.id).where(page.c.id > after, page.c.latest > 0).order_by(page.c.id).limit(limit)
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def of(self, page_id: int) -> History:
        """Returns the history of a page. Needs are read before versions, so that a need which comes up in
        between refers to a version at least as new."""
        with self._database.read() as connection:
            needs = [need for row in connection.execute(_needs(page_id)) for need in _needed(row)]
            told = connection.execute(
                select(change.c.old_version, change.c.new_version, change.c.found_at).where(
                    change.c.page_id == page_id
                )
            )
            latest = connection.scalar(select(page.c.latest).where(page.c.id == page_id)) or 0
            rows = connection.execute(
                select(*VERSION).where(version.c.page_id == page_id).order_by(version.c.number)
            )
            return History(
                page=page_id,
                latest=latest,
                versions=tuple(_kept(row) for row in rows if row.number <= latest),
                needs=tuple(needs),
                told=tuple(Told(*row) for row in told),
            )

    def drop(self, page_id: int, numbers: Sequence[int]) -> list[int]:
        newest = select(page.c.latest).where(page.c.id == page_id).scalar_subquery()
        statement = (
            update(version)
            .where(version.c.page_id == page_id, version.c.number.in_(numbers), ~version.c.dropped)
            .where(version.c.number < newest, ~_awaited())
            .values(dropped=True, picture="")
            .returning(version.c.number)
        )
        with self._database.write() as connection:
            lock_host_of(connection, page_id)
            return sorted(connection.scalars(statement))

    def forget(self, page_id: int, numbers: Sequence[int]) -> list[str]:
        with self._database.write() as connection:
            doomed = _doomed(connection, page_id, numbers)
            if doomed:
                chosen = version.c.page_id == page_id, version.c.number.in_(list(doomed))
                connection.execute(delete(version).where(*chosen))
            return list(doomed.values())

    def uses(self, objects: Sequence[str]) -> dict[str, Use]:
        with self._database.read() as connection:
            found: dict[str, Use] = {}
            for some in batched(list(objects)):
                # If several versions name an object, the last row counts, which is the most useful one.
                found |= {row.object: _use(row) for row in connection.execute(_named(some))}
                brought = select(past.c.object).where(past.c.object.in_(some))
                found |= dict.fromkeys(connection.scalars(brought), Use.KEPT)
                old = [key for key in some if len(key) == _OLD_KEY and key not in found]
                pictures = select(version.c.picture).where(version.c.picture.in_(old))
                found |= dict.fromkeys(connection.scalars(pictures) if old else (), Use.KEPT)
                found |= dict.fromkeys(_shown_by_looks(connection, some), Use.KEPT)
            return found


def _shown_by_looks(connection: Connection, objects: list[str]) -> Iterator[str]:
    """Yields those of the objects that hold the picture of a failed look."""
    pictures = [key + PICTURE for key in objects]
    named = select(look.c.picture).where(look.c.picture != "", look.c.picture.in_(pictures))
    for picture in connection.scalars(named):
        yield picture.removesuffix(PICTURE)


def _use(row: Any) -> Use:
    if row.dropped:
        return Use.RESTED_ON
    return Use.COMPARED if row.compared else Use.KEPT


def _needs(page_id: int) -> Select[Any]:
    return (
        select(watch.c.reference, watch.c.measured_from, sentinel.c.text)
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .where(watch.c.page_id == page_id, ~sentinel.c.over)
    )


def _needed(row: Any) -> Iterator[Need]:
    """Yields the versions that a watch needs: the one it is compared with, and the one its values are
    measured from."""
    yield Need(row.reference, row.text)
    if row.measured_from:
        yield Need(row.measured_from, row.text)


def _awaited() -> Any:
    """Returns the SQL condition that a sentinel whose life is not over is to be compared with this
    version."""
    return exists().where(
        watch.c.page_id == version.c.page_id,
        or_(watch.c.reference == version.c.number, watch.c.measured_from == version.c.number),
        sentinel.c.id == watch.c.sentinel_id,
        ~sentinel.c.over,
    )


def _doomed(connection: Connection, page_id: int, numbers: Sequence[int]) -> dict[int, str]:
    """Returns those of these versions that are dropped and that no remaining version is stored relative
    to."""
    rows = connection.execute(select(*VERSION).where(version.c.page_id == page_id)).all()
    doomed = {row.number: row.object for row in rows if row.dropped and row.number in set(numbers)}
    while True:
        bases = {row.base for row in rows if row.number not in doomed}
        spared = [number for number, key in doomed.items() if key in bases]
        if not spared:
            return doomed
        for number in spared:
            del doomed[number]


def _named(objects: list[str]) -> Select[Any]:
    compared = ((version.c.number == page.c.latest) | _awaited()).label("compared")
    return (
        select(version.c.object, version.c.dropped, compared)
        .join(page, page.c.id == version.c.page_id)
        .where(version.c.object.in_(objects))
        .order_by(version.c.dropped.desc(), compared)
    )


def _kept(row: Any) -> KeptVersion:
    return KeptVersion(
        number=row.number,
        fetched_at=row.fetched_at,
        object=row.object,
        base=row.base,
        picture=row.picture,
        stored=row.stored or row.size,
        dropped=row.dropped,
    )
