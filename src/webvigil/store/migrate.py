"""Migration: brings a database to the present schema, and refuses foreign databases and newer schemas.

Alembic is loaded only if there is something to migrate, and SQLAlchemy only if a database is opened with it.
So a command on a current database starts quickly. A new SQLite file is made at once, by the statements in
`empty.sql`, because Alembic takes a third of a second and 10 MB that the process keeps.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from webvigil.errors import StoreRefused

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

    from webvigil.store.sql.database import Database

PRODUCT = "webvigil"
HEAD = "webvigil_0028"
EMPTY = Path(__file__).parent / "migrations" / "empty.sql"
"""The statements that make an empty SQLite store; `scripts/empty_store.py` writes the file."""
NEXT = "\n-- next\n"
"""Stands between two statements of that file. Its first part is a comment that names the revision."""
_LOCK = 0x57656256  # "WebV": the key of PostgreSQL's advisory lock that lets one process migrate at a time


def bring_up_to_date(database: Database, revision: str = "head") -> None:
    """Creates or upgrades the tables. Raises StoreRefused for a database of another program or of a newer
    WebVigil."""
    from sqlalchemy import text

    with database.write() as connection:
        if current_revision(connection) == HEAD and revision == "head":
            return
    with database.migrating() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        _refuse_foreign(connection, database)
        present = current_revision(connection)
        if present is None and revision == "head" and _made_at_once(connection):
            return
        if present != HEAD:
            _upgrade(connection, revision)


def current_revision(connection: Connection) -> str | None:
    """Returns the schema revision of the database, or None if it has no tables of ours."""
    from sqlalchemy import inspect, text

    if not inspect(connection).has_table("alembic_version"):
        return None
    row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
    return row[0] if row else None


@cache
def revisions() -> tuple[str, ...]:
    """Returns all schema revisions, oldest first."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(alembic_config())
    return tuple(script.revision for script in reversed(list(scripts.walk_revisions())))


def alembic_config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def _refuse_foreign(connection: Connection, database: Database) -> None:
    from sqlalchemy import inspect, text

    place = database.engine.url.render_as_string()
    tables = inspect(connection).get_table_names()
    revision = current_revision(connection)
    if revision is None:
        if tables:
            raise StoreRefused(f"{place} holds another program's tables; choose a database of its own")
        return
    product = None
    if "setting" in tables:
        product = connection.scalar(text("SELECT value FROM setting WHERE key = 'product'"))
    if product != PRODUCT:
        raise StoreRefused(f"{place} belongs to another program; choose a database of its own")
    if revision not in revisions():
        raise StoreRefused(
            f"{place} was written by a newer WebVigil (schema {revision}, ours is {HEAD}); update WebVigil"
        )


def _made_at_once(connection: Connection) -> bool:
    """Makes the tables of an empty SQLite store. Returns False, and does nothing, for another kind of
    database or if the prepared statements are of another revision."""
    if connection.dialect.name != "sqlite":
        return False
    told, *statements = EMPTY.read_text(encoding="utf-8").split(NEXT)
    if told != f"-- {HEAD}":
        return False
    for statement in statements:
        connection.exec_driver_sql(statement)
    return True


def _upgrade(connection: Connection, revision: str) -> None:
    from alembic import command

    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
