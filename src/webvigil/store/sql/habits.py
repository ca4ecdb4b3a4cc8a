"""What pages taught us about themselves (Q3). A row for each part of a page that ever changed twice."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, select, update

from webvigil.model.quiet import PageHabits, habits_as_json, habits_from_json
from webvigil.model.work import CheckResult
from webvigil.store.sql.database import Database
from webvigil.store.sql.schema import habit, page


class SqlHabits:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, page_id: int) -> PageHabits:
        query = (
            select(page.c.checks, habit.c.part, habit.c.places)
            .outerjoin(habit, habit.c.page_id == page.c.id)
            .where(page.c.id == page_id)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return PageHabits(
            looks=rows[0].checks if rows else 0,
            parts={row.part: habits_from_json(row.places) for row in rows if row.part is not None},
        )

    def forget(self, page_id: int) -> None:
        with self._database.write() as connection:
            connection.execute(delete(habit).where(habit.c.page_id == page_id))


def write_habits(connection: Connection, results: Iterable[CheckResult]) -> None:
    """In the transaction that writes what the check found, under its lease."""
    for result in results:
        for part, known in result.habits.items():
            row = habit.c.page_id == result.page, habit.c.part == part
            places = habits_as_json(known)
            if not connection.execute(update(habit).where(*row).values(places=places)).rowcount:
                there = select(page.c.id).where(page.c.id == result.page)
                if connection.scalar(there) is not None:
                    connection.execute(insert(habit).values(page_id=result.page, part=part, places=places))
