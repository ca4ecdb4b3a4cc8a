"""Held changes in SQL: changes on several pages wait until enough of the pages have changed (G5).

The caller holds the transaction. Whoever writes a change of such a sentinel first locks its row in `joint`.
So if two workers bring the last two pages at the same time, the second one sees what the first held back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Connection, case, delete, select

from webvigil.model.change import finding_as_json, finding_from_json
from webvigil.model.following import root_of
from webvigil.model.joint import is_complete
from webvigil.model.moment import Millis
from webvigil.model.notice import Notice
from webvigil.model.work import CheckResult, NewChange
from webvigil.store.sql.database import insert_new
from webvigil.store.sql.prepared import Prepared
from webvigil.store.sql.rows import as_parameter, given, judgement_text
from webvigil.store.sql.schema import change, held, joint, watch
from webvigil.store.sql.search import FoundOnPage, remember_words

HELD_ROOT = case((held.c.root_id == 0, held.c.page_id), else_=held.c.root_id)


def with_what_fires(connection: Connection, results: Sequence[CheckResult], now: Millis) -> list[CheckResult]:
    """Returns the results with only those changes that are to be told now; the others are stored as held.

    When a sentinel fires, the changes held back on its other pages are written as well, and their notices are
    added to the result.
    """
    joints = _joints(connection, {found.sentinel for result in results for found in result.changes})
    return [_firing(connection, result, joints, now) if joints else result for result in results]


def _firing(
    connection: Connection, result: CheckResult, joints: Mapping[int, Any], now: Millis
) -> CheckResult:
    changes: list[NewChange] = []
    notices: list[Notice] = []
    for found in result.changes:
        if found.sentinel not in joints or _completes(connection, result.page, found, joints[found.sentinel]):
            changes.append(found)
            notices += released(connection, found.sentinel) if found.sentinel in joints else []
        else:
            _hold(connection, result.page, found, now)
    return replace(result, changes=tuple(changes), notices=(*result.notices, *notices))


def _joints(connection: Connection, sentinels: Iterable[int]) -> dict[int, Any]:
    """Returns the joints of these sentinels. Their rows stay locked until the end of the transaction, in
    ascending order."""
    asked = [{"id": one} for one in sentinels]
    locked = _locked(connection.dialect.name)
    found = locked.within(connection, **as_parameter(asked)) if asked else ()
    return {row.sentinel_id: row.pages for row in found}


@cache
def _locked(dialect: str) -> Prepared:
    asked = given(dialect, {"id": BigInteger()})
    query = select(joint).join(asked, asked.c.id == joint.c.sentinel_id)
    return Prepared(query.order_by(joint.c.sentinel_id).with_for_update(of=joint))


def _completes(connection: Connection, page_id: int, found: NewChange, pages: Any) -> bool:
    root = _root(connection, found.sentinel, page_id)
    return is_complete(pages, {root, *roots_waiting(connection, found.sentinel)})


def roots_waiting(connection: Connection, sentinel_id: int) -> set[int]:
    """Returns the pages, named by the sentinel, for which changes are held back."""
    return set(connection.scalars(select(HELD_ROOT).where(held.c.sentinel_id == sentinel_id)))


def _root(connection: Connection, sentinel_id: int, page_id: int) -> int:
    """Returns the page that a change counts for. A change on a linked page counts for the page that led to
    it."""
    mine = select(watch.c.page_id, watch.c.via_id).where(watch.c.sentinel_id == sentinel_id)
    above = {row.page_id: row.via_id for row in connection.execute(mine.where(watch.c.level > 0))}
    return root_of(page_id, above.get)


def _hold(connection: Connection, page_id: int, found: NewChange, now: Millis) -> None:
    mine = (held.c.sentinel_id == found.sentinel) & (held.c.page_id == page_id)
    connection.execute(delete(held).where(mine))
    connection.execute(
        insert_new(connection, held).values(
            sentinel_id=found.sentinel,
            page_id=page_id,
            old_version=found.old_version,
            new_version=found.new_version,
            found_at=now,
            findings=[finding_as_json(one) for one in found.findings],
            notices=[asdict(one) for one in found.notices],
            judgement=judgement_text(found.judgement),
            root_id=_root(connection, found.sentinel, page_id),
        )
    )


def released(connection: Connection, sentinel_id: int) -> list[Notice]:
    """Writes the held changes of a sentinel as changes, and returns the notices about them."""
    mine = held.c.sentinel_id == sentinel_id
    notices: list[Notice] = []
    for row in connection.execute(select(held).where(mine).order_by(held.c.found_at, held.c.page_id)).all():
        connection.execute(
            insert_new(connection, change).values(
                sentinel_id=sentinel_id,
                page_id=row.page_id,
                old_version=row.old_version,
                new_version=row.new_version,
                found_at=row.found_at,
                findings=row.findings,
                judgement=row.judgement,
            )
        )
        findings = tuple(finding_from_json(one) for one in row.findings)
        versions = row.old_version, row.new_version
        remember_words(connection, [FoundOnPage(sentinel_id, row.page_id, versions, findings)])
        notices += [Notice(**plain) for plain in row.notices]
    connection.execute(delete(held).where(mine))
    return notices
