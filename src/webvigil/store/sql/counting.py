"""The id counters of tables. A counter never goes back, so that no id is given twice."""

from __future__ import annotations

from sqlalchemy import Connection, Integer, Table, text


def counts(table: Table) -> bool:
    """Says whether the database itself gives the ids of this table."""
    return "id" in table.columns and isinstance(table.columns["id"].type, Integer)


def counted(connection: Connection, table: str) -> int:
    """Returns the highest id that the table ever gave, even if its row is gone; 0 if it gave none."""
    if connection.dialect.name == "postgresql":
        given = "SELECT pg_sequence_last_value(pg_get_serial_sequence(:table, 'id')::regclass)"
    else:
        given = "SELECT seq FROM sqlite_sequence WHERE name = :table"
    return connection.scalar(text(given), {"table": table}) or 0


def count_on(connection: Connection, table: str, highest: int) -> None:
    """Raises the counter, so that the next id is above `highest` and above all ids that the table gave
    before."""
    if highest <= counted(connection, table):
        return
    about = {"table": table, "highest": highest}
    if connection.dialect.name == "postgresql":
        moved = "SELECT setval(pg_get_serial_sequence(:table, 'id'), :highest)"
        connection.execute(text(moved), about)
        return
    connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :table"), about)
    connection.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :highest)"), about)
