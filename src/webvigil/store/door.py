"""A small door to the knowledge base for commands that only read: an SQLite file in, its sentinels out.

Loading SQLAlchemy takes longer than everything else that such a command does, so this module asks the driver
itself. The statements are those of `store.sql.sentinels`; a test compares the answers of both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from webvigil.model.installed import InstalledSentinel
from webvigil.store.migrate import HEAD
from webvigil.store.sql.readers import pages_by_sentinel, read_sentinels, row_kind

_SENTINELS = """
SELECT sentinel.*, wv_user.name AS owner, reach.linked, reach.overfull,
       (SELECT count(*) FROM change WHERE change.sentinel_id = sentinel.id) AS changes
FROM sentinel JOIN wv_user ON wv_user.id = sentinel.user_id
LEFT OUTER JOIN reach ON reach.sentinel_id = sentinel.id
WHERE sentinel.user_id = :user AND sentinel.removed_at IS NULL ORDER BY sentinel.id DESC
"""
_PAGES = """
SELECT watch.sentinel_id, watch.trouble, watch.trouble_words, page.id, page.due, page.latest, page.checks,
       page.failures, page.failing_since, page_about.url, page_about.title, doubt.kind AS doubt_kind,
       doubt.said AS doubt_said, doubt.clear AS doubt_clear, doubt.since AS doubt_since,
       doubt.told AS doubt_told
FROM watch JOIN sentinel ON sentinel.id = watch.sentinel_id
JOIN page ON page.id = watch.page_id
JOIN page_about ON page_about.page_id = page.id
LEFT OUTER JOIN doubt ON doubt.page_id = page.id
WHERE watch.level = 0 AND sentinel.user_id = :user ORDER BY page.id
"""


def sentinels_of(file: Path, user: str) -> list[InstalledSentinel] | None:
    """Returns the installed sentinels of a user, newest first. Returns None if the database has to be opened
    in full: it is not there or cannot be read, its schema is not the present one, or it does not know the
    user."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=rw", uri=True)) as connection:
            return _read(connection, user)
    except sqlite3.Error:
        return None


def _read(connection: sqlite3.Connection, user: str) -> list[InstalledSentinel] | None:
    connection.execute("PRAGMA busy_timeout = 15000")
    connection.execute("PRAGMA query_only = ON")
    connection.execute("BEGIN")  # both statements see the same state
    if connection.execute("SELECT version_num FROM alembic_version").fetchone() != (HEAD,):
        return None
    found = connection.execute("SELECT id FROM wv_user WHERE name = ?", (user,)).fetchone()
    if found is None:
        return None
    pages = pages_by_sentinel(_rows(connection, _PAGES, found[0]))
    return read_sentinels(_rows(connection, _SENTINELS, found[0]), pages)


def _rows(connection: sqlite3.Connection, statement: str, user: int) -> Iterator[Any]:
    cursor = connection.execute(statement, {"user": user})
    row = row_kind(tuple(column[0] for column in cursor.description))
    return map(row._make, cursor)
