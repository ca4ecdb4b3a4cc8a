"""A test process migrates one store of each kind of database, and gives all other stores the result.

A test run opens some thousand new stores, and Alembic takes an eighth of a second for each. After
`repeat_migrations` a new SQLite file of this process is a copy of an empty store, and any other new database
is given the statements of the first migration once more. `tests/store/test_migrations.py` compares what comes
out with a store that was migrated; the tests of migrations themselves run in `migrate_truly`.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event

from webvigil.store import migrate
from webvigil.store.sql import knowledge
from webvigil.store.sql.database import Database

_upgrade = migrate._upgrade
MADE_AT_ONCE = migrate._made_at_once
_bring_up_to_date = migrate.bring_up_to_date
_READS = ("SELECT", "PRAGMA")
_statements: dict[str, list[tuple[str, Any, bool]]] = {}
"""The statements that the first migration of an empty database executed, by the kind of database."""
_given: list[Path] = []


def repeat_migrations(empty: Path | None = None) -> None:
    """Makes new stores of this process copies of an empty one. `empty` is an empty store that another process
    made and will remove."""
    if empty:
        _given.append(empty)
    migrate._upgrade = _repeat
    knowledge.bring_up_to_date = _copy


@contextmanager
def migrate_truly() -> Iterator[None]:
    """Inside of this context every store is migrated through all revisions, new files of SQLite as well."""
    migrate._upgrade, knowledge.bring_up_to_date = _upgrade, _bring_up_to_date
    migrate._made_at_once = lambda _: False
    try:
        yield
    finally:
        migrate._made_at_once = MADE_AT_ONCE
        repeat_migrations()


@cache
def empty_store() -> Path:
    """Returns a SQLite file with our schema and nothing in it."""
    if _given:
        return _given[0]
    folder = Path(tempfile.mkdtemp(prefix="webvigil-sqlite-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    database = Database(f"sqlite:///{folder / 'empty.sqlite3'}")
    with migrate_truly():
        migrate.bring_up_to_date(database)
    database.close()
    return folder / "empty.sqlite3"


def _copy(database: Database, revision: str = "head") -> None:
    name = database.engine.url.database
    if database.engine.dialect.name == "sqlite" and name and revision == "head" and not Path(name).exists():
        with suppress(OSError):  # another process was first, or there is no such folder
            _put(Path(name))
    _bring_up_to_date(database, revision)


def _put(file: Path) -> None:
    """Copies the empty store to this place as a whole: two processes may open a new store at once."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    shutil.copyfile(empty_store(), draft)
    try:
        os.link(draft, file)
    finally:
        draft.unlink()


def _repeat(connection: Connection, revision: str) -> None:
    kind = connection.dialect.name
    if migrate.current_revision(connection) is not None or revision not in ("head", migrate.HEAD):
        _upgrade(connection, revision)
    elif kind in _statements:
        for statement, parameters, many in _statements[kind]:
            cursor = connection.connection.cursor()
            (cursor.executemany if many else cursor.execute)(statement, parameters)
            cursor.close()
    else:
        _statements[kind] = _heard(connection, revision)


def _heard(connection: Connection, revision: str) -> list[tuple[str, Any, bool]]:
    said: list[tuple[str, Any, bool]] = []

    def hear(_: Any, __: Any, statement: str, parameters: Any, ___: Any, many: bool) -> None:
        if not statement.lstrip().startswith(_READS):
            said.append((statement, parameters, many))

    event.listen(connection, "before_cursor_execute", hear)
    try:
        _upgrade(connection, revision)
    finally:
        event.remove(connection, "before_cursor_execute", hear)
    return said
