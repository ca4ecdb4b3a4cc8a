"""What a check found, written down: version, watches, changes, notices, the log and the next due time.

The caller holds the host's lease and the transaction. Every insert may meet its own row from an earlier
try; then that row stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from webvigil.model.change import finding_as_json
from webvigil.model.moment import Millis
from webvigil.model.work import CheckResult, NewChange
from webvigil.store.sql.database import insert_new
from webvigil.store.sql.outbox import outbox_row
from webvigil.store.sql.paces import write_pace
from webvigil.store.sql.schema import change, look, outbox, page, page_about, sentinel, version, watch


def write_results(connection: Connection, results: Sequence[CheckResult], now: Millis) -> None:
    for result in results:
        asked = connection.scalar(select(page.c.asked).where(page.c.id == result.page))
        undisturbed = asked == result.asked
        _write_version(connection, result, now)
        _write_watches(connection, result, undisturbed)
        write_pace(connection, result, undisturbed)
        for found in result.changes:
            _write_change(connection, result.page, found, now)
        for notice in result.notices:
            connection.execute(insert_new(connection, outbox).values(**outbox_row(notice, now)))
        _write_look(connection, result, now)
        _write_page(connection, result, undisturbed)


def _write_version(connection: Connection, result: CheckResult, now: Millis) -> None:
    new = result.version
    if new is None:
        return
    connection.execute(
        insert(version).values(
            page_id=result.page,
            number=new.number,
            fetched_at=now,
            url=new.url,
            status=new.status,
            signature=new.signature,
            object=new.object,
            size=new.size,
            picture=new.picture,
        )
    )


def _write_watches(connection: Connection, result: CheckResult, undisturbed: bool) -> None:
    for one in result.watches:
        mine = (watch.c.sentinel_id == one.sentinel) & (watch.c.page_id == result.page)
        values = {"reference": one.reference} | ({"next_at": one.next_at} if undisturbed else {})
        connection.execute(update(watch).where(mine).values(**values))


def _write_change(connection: Connection, page_id: int, found: NewChange, now: Millis) -> None:
    """A sentinel removed while its page was looked at takes its finding with it."""
    if connection.scalar(select(sentinel.c.id).where(sentinel.c.id == found.sentinel)) is None:
        return
    connection.execute(
        insert_new(connection, change).values(
            sentinel_id=found.sentinel,
            page_id=page_id,
            old_version=found.old_version,
            new_version=found.new_version,
            found_at=now,
            findings=[finding_as_json(one) for one in found.findings],
        )
    )
    for notice in found.notices:
        connection.execute(insert_new(connection, outbox).values(**outbox_row(notice, now)))


def _write_look(connection: Connection, result: CheckResult, now: Millis) -> None:
    seen = result.look
    connection.execute(
        insert(look).values(
            page_id=result.page,
            at=now,
            why=seen.why,
            decision=seen.decision,
            status=seen.status,
            bytes=seen.bytes,
            duration_ms=seen.duration,
            error=seen.error,
            reason=seen.reason,
            plan=seen.plan,
        )
    )


def _write_page(connection: Connection, result: CheckResult, undisturbed: bool) -> None:
    """The new due time holds unless somebody asked for a look meanwhile."""
    values: dict[str, Any] = {"checks": page.c.checks + 1, "failures": result.failures}
    if undisturbed:
        values["due"] = result.due
    if result.version:
        values["latest"] = result.version.number
    connection.execute(update(page).where(page.c.id == result.page).values(**values))
    about = page_about.c.page_id == result.page
    learnt: dict[str, Any] = {"validators": result.validators} | ({"wish": ""} if undisturbed else {})
    connection.execute(update(page_about).where(about).values(**learnt))
