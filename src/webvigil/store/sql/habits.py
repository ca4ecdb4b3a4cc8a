"""The habits of pages in SQL (Q3): what earlier looks taught, for each part of a page that changed twice."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Connection, FromClause, Text, bindparam, delete, exists, select, update

from webvigil.model.quiet import PageHabits, habits_as_json, habits_from_json
from webvigil.model.work import CheckResult
from webvigil.store.sql.database import Database
from webvigil.store.sql.prepared import Prepared
from webvigil.store.sql.rows import given, insert_given, update_given
from webvigil.store.sql.schema import Json, habit, page


class SqlHabits:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, page_id: int) -> PageHabits:
        with self._database.asking() as ask:
            rows = ask(_of_page(), its_id=page_id)
        return PageHabits(
            looks=rows[0].checks if rows else 0,
            parts={row.part: habits_from_json(row.places) for row in rows if row.part is not None},
        )

    def forget(self, page_id: int) -> None:
        with self._database.write() as connection:
            connection.execute(delete(habit).where(habit.c.page_id == page_id))


def write_habits(connection: Connection, results: Iterable[CheckResult]) -> None:
    """Writes what checks taught about pages, in the transaction that writes what the checks found, under
    their leases."""
    rows = [
        {"page_id": result.page, "part": part, "places": habits_as_json(known)}
        for result in results
        for part, known in result.habits.items()
    ]
    update_given(connection, _update_habits, rows)
    insert_given(connection, habit, rows, _known_page)


# Run with every page that changed, and building a statement takes longer than running it.
@cache
def _of_page() -> Prepared:
    return Prepared(
        select(page.c.checks, habit.c.part, habit.c.places)
        .outerjoin(habit, habit.c.page_id == page.c.id)
        .where(page.c.id == bindparam("its_id"))
    )


@cache
def _update_habits(dialect: str) -> Any:
    rows = given(dialect, {"page_id": BigInteger(), "part": Text(), "places": Json()})
    mine = (habit.c.page_id == rows.c.page_id) & (habit.c.part == rows.c.part)
    return update(habit).where(mine).values(places=rows.c.places)


def _known_page(rows: FromClause) -> Any:
    return exists().where(page.c.id == rows.c.page_id)
