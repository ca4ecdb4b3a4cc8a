"""Versions of pages in SQL, and pages by their identity."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from datetime import datetime
from functools import cache

from sqlalchemy import bindparam, func, select

from webvigil.errors import NotFound
from webvigil.model.moment import as_millis
from webvigil.model.page import Page
from webvigil.model.version import Version
from webvigil.model.wanted import LARGEST_ID, PIECE
from webvigil.store.sql.database import Database
from webvigil.store.sql.page_row import page_of
from webvigil.store.sql.prepared import Prepared
from webvigil.store.sql.readers import version_of
from webvigil.store.sql.schema import VERSION, page_about, past, version

# The largest number of a version, a 32-bit integer: PostgreSQL refuses to compare the column with a larger
# one.
_LARGEST = 2**31 - 1


class SqlVersions:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, page: int) -> list[Version]:
        kept = version.c.page_id == page, ~version.c.dropped
        query = select(*VERSION).where(*kept).order_by(version.c.number.desc())
        with self._database.read() as connection:
            return [version_of(row, row.picture) for row in connection.execute(query)]

    def some(
        self,
        page: int,
        *,
        after: int = 0,
        before: int = LARGEST_ID,
        until: datetime | None = None,
        oldest_first: bool = False,
        limit: int = PIECE,
    ) -> list[Version]:
        kept = version.c.page_id == page, ~version.c.dropped, version.c.number > min(after, _LARGEST)
        query = select(*VERSION).where(*kept, version.c.number < min(before, _LARGEST)).limit(limit)
        if until is not None:
            query = query.where(version.c.fetched_at <= as_millis(until))
        ordered = query.order_by(version.c.number if oldest_first else version.c.number.desc())
        with self._database.read() as connection:
            return [version_of(row, row.picture) for row in connection.execute(ordered)]

    def count(self, page: int, *, after: int = 0) -> int:
        kept = version.c.page_id == page, ~version.c.dropped, version.c.number > min(after, _LARGEST)
        with self._database.read() as connection:
            return connection.scalar(select(func.count()).select_from(version).where(*kept)) or 0

    def get(self, page: int, number: int) -> Version:
        wanted = version.c.page_id == page, version.c.number == number, ~version.c.dropped
        query = select(*VERSION).where(*wanted)
        if number < 0:
            query = select(past).where(past.c.page_id == page, past.c.number == number)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise NotFound(f"page {page} has no version {number}")
        return version_of(row, "" if number < 0 else row.picture)

    def pictured(self, versions: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
        wanted = set(versions)
        pages, numbers = {page for page, _ in wanted}, {number for _, number in wanted}
        query = select(version.c.page_id, version.c.number).where(
            version.c.page_id.in_(pages), version.c.number.in_(numbers), version.c.picture != ""
        )
        with self._database.read() as connection:
            found = {(row.page_id, row.number) for row in connection.execute(query)} if wanted else set()
        return found & wanted

    def deltas(self, key: str) -> dict[str, bytes]:
        with self._database.asking() as ask:
            return {row.object: delta_of(row.delta) for row in ask(_chain(), key=key) if row.delta}

    def page_id(self, page: Page) -> int:
        with self._database.read() as connection:
            found = connection.scalar(select(page_about.c.page_id).where(page_about.c.key == page.key))
        if found is None:
            raise NotFound(f"nobody watches {page.url}")
        return int(found)

    def page(self, page: int) -> Page:
        with self._database.read() as connection:
            row = connection.execute(select(page_about).where(page_about.c.page_id == page)).first()
        if row is None:
            raise NotFound(f"there is no page {page}")
        return page_of(row)


def delta_text(delta: bytes) -> str:
    """Returns a delta as rows hold it: many rows are sent as JSON, which has no bytes."""
    return b64encode(delta).decode()


def delta_of(text: str) -> bytes:
    """Returns the delta in a row, or no bytes for a damaged text."""
    try:
        return b64decode(text)
    except ValueError:
        return b""


@cache
def _chain() -> Prepared:
    """Finds the version of an object, and all versions that it is stored relative to."""
    chain = (
        select(version.c.object, version.c.base, version.c.delta)
        .where(version.c.object == bindparam("key"))
        .cte("chain", recursive=True)
    )
    below = select(version.c.object, version.c.base, version.c.delta)
    # UNION, not UNION ALL: rows of a damaged store may be relative to each other.
    chain = chain.union(below.join(chain, version.c.object == chain.c.base))
    return Prepared(select(chain.c.object, chain.c.delta))
