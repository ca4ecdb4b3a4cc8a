"""The watches of active sentinels in SQL, by page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import BigInteger, Connection, select

from webvigil.model.following import Reach
from webvigil.model.sentinel import State
from webvigil.model.trouble import Trouble, Why
from webvigil.model.work import Watch
from webvigil.store.sql.prepared import Prepared
from webvigil.store.sql.rows import as_parameter, given
from webvigil.store.sql.schema import reach, sentinel, user, watch

_REACH = (reach.c.depth, reach.c.part, reach.c.below)


@cache
def _watching(dialect: str) -> Prepared:
    pages = given(dialect, {"id": BigInteger()})
    about = sentinel.c.name, sentinel.c.text, user.c.name.label("owner"), user.c.taste, user.c.zone
    return Prepared(
        select(watch, *about, *_REACH)
        .join(pages, pages.c.id == watch.c.page_id)
        .join(sentinel, sentinel.c.id == watch.c.sentinel_id)
        .outerjoin(reach, reach.c.sentinel_id == watch.c.sentinel_id)
        .join(user, user.c.id == sentinel.c.user_id)
        .where(sentinel.c.state == str(State.ACTIVE))
        .order_by(watch.c.sentinel_id)
    )


def watches_of(connection: Connection, pages: Iterable[int]) -> dict[int, list[Watch]]:
    """Returns the watches of these pages. Pages that nobody watches are left out."""
    found: dict[int, list[Watch]] = {}
    asked = as_parameter([{"id": one} for one in pages])
    for row in _watching(connection.dialect.name).within(connection, **asked):
        found.setdefault(row.page_id, []).append(_watch(row))
    return found


def _watch(row: Any) -> Watch:
    return Watch(
        sentinel=row.sentinel_id,
        user=row.owner,
        name=row.name,
        text=row.text,
        interval=row.interval_ms,
        next_at=row.next_at,
        reference=row.reference,
        measured_from=row.measured_from,
        taste=row.taste,
        level=row.level,
        follows=_follows(row) if row.depth else None,
        trouble=_trouble(row.trouble, row.trouble_words),
        zone=row.zone,
    )


@lru_cache(1024)
def _trouble(why: str, words: str) -> Trouble:
    """Returns one shared value for equal troubles: most watches have none."""
    return Trouble(Why(why), words)


def _follows(row: Any) -> str | None:
    return Reach(depth=row.depth, part=row.part, below=row.below).part_at(row.level)
