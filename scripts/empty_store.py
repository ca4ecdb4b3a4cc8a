"""Writes `src/webvigil/store/migrations/empty.sql`: the statements that make an empty SQLite store at once.

    python scripts/empty_store.py          write the file
    python scripts/empty_store.py --check  say whether it is out of date (exit 1)

The statements are read from a store that was migrated through all revisions.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from webvigil.store.migrate import EMPTY, HEAD, NEXT, bring_up_to_date
from webvigil.store.sql.database import Database

_TABLES = """
SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid
"""
# SQLite makes these tables and their rows together with the table for searching.
_MADE_BY_SQLITE = "change_fts_"
_ROWS = 'INSERT INTO "'
_NO_ROWS = f"{_ROWS}{_MADE_BY_SQLITE}"


def empty() -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.sqlite3"
        database = Database(f"sqlite:///{file}")
        bring_up_to_date(database, HEAD)
        database.close()
        with closing(sqlite3.connect(file)) as connection:
            return NEXT.join([f"-- {HEAD}", *_statements(connection)]) + "\n"


def _statements(connection: sqlite3.Connection) -> Iterator[str]:
    for name, sql in connection.execute(_TABLES):
        if not name.startswith(_MADE_BY_SQLITE):
            yield sql
    for line in connection.iterdump():
        if line.startswith(_ROWS) and not line.startswith(_NO_ROWS):
            yield line.rstrip(";")


def main() -> int:
    made = empty()
    if "--check" not in sys.argv:
        EMPTY.write_text(made, encoding="utf-8")
    elif not EMPTY.exists() or EMPTY.read_text(encoding="utf-8") != made:
        print(f"{EMPTY.name} is out of date; run: python scripts/empty_store.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
