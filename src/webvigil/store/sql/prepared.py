"""Statements that run with every request or check: compiled once, and run by the driver directly.

SQLAlchemy takes several times as long from a statement to its rows as the database does. Here it still
compiles the statement and provides the types of the columns, but the driver executes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

from sqlalchemy import ClauseElement, Connection, Executable, Select
from sqlalchemy.engine import Dialect
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import ReturningUpdate

from webvigil.store.sql.readers import row_kind

Row = Any
T = TypeVar("T")


class Prepared:
    """A statement that returns rows, with named parameters, compiled once for each kind of database."""

    def __init__(self, statement: Select[Any] | ReturningUpdate[Any]) -> None:
        self._statement = statement
        self._written: dict[str, _Written] = {}

    def rows(self, connection: DBAPIConnection, dialect: Dialect, values: dict[str, Any]) -> list[Row]:
        """Runs the statement and returns its rows. Raises DBAPIError as SQLAlchemy would."""
        written = self._written.get(dialect.name)
        if written is None:
            written = self._written[dialect.name] = _Written(self._statement, dialect)
        return written.rows(connection, dialect, values)

    def within(self, connection: Connection, **values: Any) -> list[Row]:
        """Runs the statement in the transaction of a connection of SQLAlchemy, and returns its rows."""
        return self.rows(cast(DBAPIConnection, connection.connection), connection.dialect, values)


class Order:
    """An INSERT, UPDATE or DELETE with named parameters, compiled once for each kind of database."""

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._sent: dict[str, _Sent] = {}

    def within(self, connection: Connection, **values: Any) -> None:
        """Runs the statement in the transaction of a connection of SQLAlchemy. Raises DBAPIError as
        SQLAlchemy would."""
        dialect = connection.dialect
        self._written(dialect).run(cast(DBAPIConnection, connection.connection), dialect, values)

    def each_within(self, connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
        """Runs the statement once for each of the rows of values, which are sent together."""
        dialect = connection.dialect
        self._written(dialect).run_each(cast(DBAPIConnection, connection.connection), dialect, rows)

    def _written(self, dialect: Dialect) -> _Sent:
        written = self._sent.get(dialect.name)
        if written is None:
            written = self._sent[dialect.name] = _Sent(self._statement, dialect)
        return written


class _Sent:
    """The compiled text for one kind of database, and how values are passed."""

    def __init__(self, statement: Executable, dialect: Dialect) -> None:
        compiled: Any = cast(ClauseElement, statement).compile(dialect=dialect)
        self._text = str(compiled)
        names: Sequence[str] | None = getattr(compiled, "positiontup", None)
        fixed = compiled.params
        self._given: Callable[[dict[str, Any]], Any] = (
            (lambda values: [values.get(name, fixed[name]) for name in names])
            if names is not None
            else (lambda values: {**fixed, **values})
        )

    def run(self, connection: DBAPIConnection, dialect: Dialect, values: dict[str, Any]) -> None:
        given = self._given(values)
        self._sent(connection, dialect, given, lambda cursor: cursor.execute(self._text, given))

    def run_each(self, connection: DBAPIConnection, dialect: Dialect, rows: Iterable[dict[str, Any]]) -> None:
        given = [self._given(values) for values in rows]
        self._sent(connection, dialect, given, lambda cursor: cursor.executemany(self._text, given))

    def rows(self, connection: DBAPIConnection, dialect: Dialect, values: dict[str, Any]) -> Sequence[Any]:
        given = self._given(values)

        def asked(cursor: DBAPICursor) -> Sequence[Any]:
            cursor.execute(self._text, given)
            return cursor.fetchall()

        return self._sent(connection, dialect, given, asked)

    def _sent(
        self, connection: DBAPIConnection, dialect: Dialect, given: Any, send: Callable[[DBAPICursor], T]
    ) -> T:
        """Sends the statement by a cursor. Raises the errors of the driver as SQLAlchemy would."""
        driver = dialect.loaded_dbapi
        cursor = connection.cursor()
        try:
            return send(cursor)
        except driver.Error as error:
            lost = dialect.is_disconnect(error, connection, cursor)
            raise DBAPIError.instance(
                self._text, given, error, driver.Error, connection_invalidated=lost, dialect=dialect
            ) from error
        finally:
            cursor.close()


class _Written:
    """A compiled statement that returns rows, and how their columns are converted."""

    def __init__(self, statement: Select[Any] | ReturningUpdate[Any], dialect: Dialect) -> None:
        self._sent = _Sent(statement, dialect)
        columns = list(statement.exported_columns)
        self._make = row_kind(tuple(one.key for one in columns))._make
        read = [one.type.dialect_impl(dialect).result_processor(dialect, None) for one in columns]
        self._read = [(place, one) for place, one in enumerate(read) if one is not None]

    def rows(self, connection: DBAPIConnection, dialect: Dialect, values: dict[str, Any]) -> list[Row]:
        found = self._sent.rows(connection, dialect, values)
        return [self._make(self._typed(row)) for row in found] if self._read else list(map(self._make, found))

    def _typed(self, row: Sequence[Any]) -> list[Any]:
        values = list(row)
        for place, read in self._read:
            values[place] = read(values[place])
        return values


def swift(rows: Iterable[Row], names: Iterable[str]) -> list[Row]:
    """Copies rows into named tuples, whose columns are found by name ten times as fast if all of them are
    read."""
    return list(map(row_kind(tuple(names))._make, rows))
