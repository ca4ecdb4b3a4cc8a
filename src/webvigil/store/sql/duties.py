"""Duties in SQL: work that one worker does for all, leased like hosts; another worker takes it over."""

from __future__ import annotations

from sqlalchemy import delete, select

from webvigil.model.moment import Millis
from webvigil.store.sql.database import Database, insertion
from webvigil.store.sql.schema import duty


class SqlDuties:
    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, name: str, worker: str, *, lease: Millis) -> bool:
        with self._database.write() as connection:
            now = self._database.now(connection)
            row = {"name": name, "owner": worker, "lease": now + lease}
            # One statement, so that of two workers who try at the same moment only one gets the duty.
            statement = (
                insertion(connection.dialect.name)(duty)
                .values(**row)
                .on_conflict_do_update(
                    index_elements=[duty.c.name],
                    set_={"owner": worker, "lease": now + lease},
                    where=(duty.c.lease <= now) | (duty.c.owner == worker),
                )
                .returning(duty.c.name)
            )
            return connection.scalar(statement) is not None

    def lay_down(self, name: str, worker: str) -> None:
        with self._database.write() as connection:
            connection.execute(delete(duty).where(duty.c.name == name, duty.c.owner == worker))

    def is_held(self, name: str) -> bool:
        with self._database.read() as connection:
            now = self._database.now(connection)
            query = select(duty.c.name).where(duty.c.name == name, duty.c.lease > now)
            return connection.scalar(query) is not None

    def take_over(self) -> None:
        with self._database.write() as connection:
            connection.execute(delete(duty))
