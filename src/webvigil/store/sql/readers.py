"""Rows of the database in, values of the model out.

This module does without SQLAlchemy, because the small door (`store.door`) reads the same rows with the driver
alone.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

from webvigil.model.doubt import Doubt
from webvigil.model.installed import InstalledSentinel, WatchedPage
from webvigil.model.life import LifeRecord
from webvigil.model.moment import NEVER, Millis, as_datetime
from webvigil.model.sentinel import State
from webvigil.model.trouble import IN_TROUBLE
from webvigil.model.version import Version


@cache
def row_kind(names: tuple[str, ...]) -> Any:
    """Returns the class of named tuples for rows with these columns."""
    return namedtuple("Row", names, rename=True)


def read_sentinels(rows: Iterable[Any], pages: Mapping[int, list[WatchedPage]]) -> list[InstalledSentinel]:
    """Turns rows into sentinels. `pages` are the pages that each sentinel names, by the id of the
    sentinel."""
    return [
        InstalledSentinel(
            id=row.id,
            user=row.owner,
            name=row.name,
            text=row.text,
            own=row.own,
            state=State(row.state),
            enabled=bool(row.enabled),
            life=read_life(row),
            installed_at=as_datetime(row.installed_at),
            pages=tuple(pages.get(row.id, ())),
            changes=row.changes,
            priority=row.priority,
            topic=row.topic,
            linked=row.linked or 0,
            full=bool(row.overfull),
        )
        for row in rows
    ]


def read_life(row: Any) -> LifeRecord:
    return LifeRecord(
        installed_at=as_datetime(row.installed_at),
        span=row.span,
        within=bool(row.within),
        next_at=_time(row.life_at),
        started_at=_time(row.started_at),
        ended_at=_time(row.ended_at),
        warned=bool(row.warned),
        over=bool(row.over),
        failure=row.failure,
    )


def pages_by_sentinel(rows: Iterable[Any]) -> dict[int, list[WatchedPage]]:
    watched: dict[int, list[WatchedPage]] = {}
    for row in rows:
        watched.setdefault(row.sentinel_id, []).append(read_page(row))
    return watched


def read_page(row: Any) -> WatchedPage:
    return WatchedPage(
        id=row.id,
        url=row.url,
        title=row.title,
        due=None if row.due == NEVER else as_datetime(row.due),
        latest=row.latest,
        checks=row.checks,
        failures=row.failures,
        doubt=read_doubt(row),
        level=getattr(row, "level", 0),
        via=getattr(row, "via", None) or "",
        trouble=row.trouble_words if getattr(row, "trouble", "") in IN_TROUBLE else "",
        failing_since=as_datetime(row.failing_since) if row.failing_since else None,
    )


def read_doubt(row: Any) -> Doubt | None:
    """Returns the doubt of a page from the columns whose names begin with `doubt_`; None if the page is not
    in doubt."""
    if row.doubt_kind is None:
        return None
    return Doubt(
        kind=row.doubt_kind,
        said=row.doubt_said,
        clear=bool(row.doubt_clear),
        since=row.doubt_since,
        told=bool(row.doubt_told),
    )


def _time(moment: Millis | None) -> datetime | None:
    return None if moment is None else as_datetime(moment)


def version_of(row: Any, picture: str = "") -> Version:
    """Returns the version of a row: of one that we fetched, or of one from the past, which has no picture."""
    return Version(
        page=row.page_id,
        number=row.number,
        fetched_at=as_datetime(row.fetched_at),
        url=row.url,
        status=row.status,
        signature=row.signature,
        object=row.object,
        size=row.size,
        picture=picture,
        base=row.base,
        stored=row.stored,
    )
