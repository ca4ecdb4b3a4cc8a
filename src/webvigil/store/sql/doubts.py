"""Doubts in SQL: pages whose newest answer is not believed to be the page (Q6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from sqlalchemy import Connection, delete

from webvigil.model.work import CheckResult, DuePage
from webvigil.store.sql.rows import Where, insert_given
from webvigil.store.sql.schema import doubt

COLUMNS = tuple(column.label(f"doubt_{column.name}") for column in doubt.columns if column.name != "page_id")
"""What is read of a doubt beside its page."""


def write_doubts(
    connection: Connection, results: Iterable[tuple[DuePage | None, CheckResult]], known: Where
) -> None:
    """Writes the doubts about pages, and deletes doubts that have ended. Nothing is written for pages whose
    doubt is what it was, such as the many that are not in doubt. The caller holds the leases of the pages'
    hosts."""
    moved = [result for due, result in results if (due.doubt if due else None) != result.doubt]
    if moved:
        connection.execute(delete(doubt).where(doubt.c.page_id.in_([result.page for result in moved])))
        rows = [{"page_id": result.page, **asdict(result.doubt)} for result in moved if result.doubt]
        insert_given(connection, doubt, rows, known)
