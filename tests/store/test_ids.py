"""An id is given once, on both databases, so that old references never lead to another row."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, Table, func, insert, select, text

from tests.store.making import remove_for_good, sentinel
from webvigil.store import archive
from webvigil.store.archive import back_up, restore
from webvigil.store.migrate import bring_up_to_date
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.promises import Knowledge
from webvigil.store.sql.database import Database
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.schema import metadata, removal

COUNTED = [table for table in metadata.sorted_tables if "id" in table.c and table.c.id.autoincrement is True]


def test_sentinels_are_removed_one_after_the_other(knowledge: Knowledge):
    for name in ("a", "b", "c"):
        knowledge.sentinels.add(sentinel(name))
        remove_for_good(knowledge, "jill", name)
    assert knowledge.sentinels.all("jill") == []
    assert len(set(knowledge.sentinels.news(0).removed)) == 3


def test_a_user_who_comes_after_a_removed_one_is_somebody_else(knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("a"))
    knowledge.users.remove("jill")
    knowledge.users.add("jill")
    knowledge.sentinels.add(sentinel("a"))
    remove_for_good(knowledge, "jill", "a")
    assert len(set(knowledge.sentinels.news(0).removed)) == 2


@pytest.mark.parametrize("table", COUNTED, ids=lambda table: table.name)
def test_no_table_gives_an_id_twice(database_url: str, table: Table):
    knowledge = SqlKnowledge(database_url)
    with knowledge.database.write() as connection:
        _without_references(connection)
        first = _new_row(connection, table)
        connection.execute(table.delete())
        assert _new_row(connection, table) > first
        connection.rollback()
    knowledge.close()


def test_a_restored_store_goes_on_counting_where_the_other_stopped(database_url: str, tmp_path: Path):
    """The counter also covers ids of rows that were removed before the backup."""
    knowledge = SqlKnowledge(database_url)
    _add_and_remove(knowledge, "a", "b")
    back_up(knowledge.database, MemoryObjects(), tmp_path / "b.zip")
    knowledge.close()
    place = f"sqlite:///{tmp_path / 'second.sqlite3'}"
    _restored(place, tmp_path / "b.zip")


def test_a_restored_postgresql_goes_on_counting_too(tmp_path: Path, bare_url: str):
    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'first.sqlite3'}")
    _add_and_remove(knowledge, "a", "b")
    back_up(knowledge.database, MemoryObjects(), tmp_path / "b.zip")
    knowledge.close()
    _restored(bare_url, tmp_path / "b.zip")


def test_a_backup_that_does_not_tell_how_far_it_counted_is_restored(
    bare_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """An old backup has no counters, but its list of removed sentinels shows which ids were given."""
    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'first.sqlite3'}")
    _add_and_remove(knowledge, "a", "b")
    monkeypatch.setattr(archive, "HEAD", "webvigil_0013")
    monkeypatch.setattr(archive, "counts", lambda _: False)
    back_up(knowledge.database, MemoryObjects(), tmp_path / "b.zip")
    monkeypatch.undo()
    knowledge.close()
    _restored(bare_url, tmp_path / "b.zip")


@pytest.mark.parametrize("kept", [0, 1])
def test_a_store_from_before_is_mended(bare_url: str, kept: int):
    """An old store gave ids again; after the migration new ids are above all removed ones."""
    database = Database(bare_url)
    bring_up_to_date(database, "webvigil_0013")
    with database.write() as connection:
        connection.execute(text("INSERT INTO wv_user VALUES (1, 'jill', 'user', 'UTC', 1000, '', '')"))
        connection.execute(insert(removal), [{"sentinel_id": 7, "revision": 1}])
        for statement in OLD_ROWS[: kept * len(OLD_ROWS)]:
            connection.execute(text(statement))
        _count_on_from(connection, kept)
    database.close()
    knowledge = SqlKnowledge(bare_url)
    assert len(knowledge.sentinels.all("jill")) == kept
    assert len(knowledge.changes.all("jill")) == kept
    _add_and_remove(knowledge, "a", "b")
    assert min(set(knowledge.sentinels.news(0).removed) - {7}) > 7
    with knowledge.database.write() as connection:
        assert _new_row(connection, metadata.tables["wv_user"]) == 2
    knowledge.close()


def test_rows_that_belong_together_still_do_after_the_mending(tmp_path: Path):
    """The migration makes the tables again, and rows that refer to them are still deleted with them."""
    database = Database(f"sqlite:///{tmp_path / 'old.sqlite3'}")
    bring_up_to_date(database, "webvigil_0013")
    with database.write() as connection:
        connection.execute(text("INSERT INTO wv_user VALUES (1, 'jill', 'user', 'UTC', 1000, '', '')"))
        for statement in OLD_ROWS:
            connection.execute(text(statement))
    bring_up_to_date(database)
    with database.write() as connection:
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
        assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
        connection.execute(text("DELETE FROM wv_user"))
        for name in ("sentinel", "watch", "change"):
            left = select(func.count()).select_from(metadata.tables[name])
            assert connection.scalar(left) == 0, name
    database.close()


OLD_SENTINEL = "1, 1, 's', '', 'active', 0, '', 2, true, 0, true, 9, 2, 9, false, false, '', 1"
OLD_ROWS = [
    f"INSERT INTO sentinel VALUES ({OLD_SENTINEL})",
    "INSERT INTO host VALUES (1, 'a.test', 0, 0, 0, '', NULL, NULL, 0)",
    "INSERT INTO page VALUES (1, 1, 0, 0, 0, 0, 0, 2)",
    "INSERT INTO page_about VALUES (1, 'k', 'http://a.test/', 'GET', '[]', 'http', '{}', '', '')",
    "INSERT INTO watch (sentinel_id, page_id, interval_ms, next_at, reference) VALUES (1, 1, 60000, 0, 2)",
    "INSERT INTO change VALUES (1, 1, 1, 1, 2, 3000, '[]', NULL, '')",
]


def _count_on_from(connection: Connection, sentinels: int) -> None:
    """Sets PostgreSQL's counters, because rows that are inserted with their ids do not move them."""
    if connection.dialect.name == "postgresql":
        for name in ("wv_user", "sentinel", "host", "page", "change"):
            highest = 1 if name == "wv_user" or sentinels else None
            if highest:
                connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {highest})"))


def _restored(url: str, file: Path) -> None:
    database = Database(url)
    restore(database, MemoryObjects(), file)
    database.close()
    knowledge = SqlKnowledge(url)
    _add_and_remove(knowledge, "c")
    assert len(set(knowledge.sentinels.news(0).removed)) == 3
    knowledge.close()


def _add_and_remove(knowledge: SqlKnowledge, *names: str) -> None:
    if not knowledge.users.all():
        knowledge.users.add("jill")
    for name in names:
        knowledge.sentinels.add(sentinel(name))
        remove_for_good(knowledge, "jill", name)


def _without_references(connection: Connection) -> None:
    """Switches off the checks of references: these tests are about ids, and their rows refer to nothing."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET session_replication_role = replica"))
    else:
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))


def _new_row(connection: Connection, table: Table) -> int:
    values = {
        column.name: _some(column.type.python_type)
        for column in table.columns
        if column.name != "id" and not column.nullable and column.server_default is None
    }
    return connection.execute(insert(table).values(values).returning(table.c.id)).scalar_one()


def _some(kind: type) -> object:
    return {"str": "x", "int": 1, "float": 1.0, "bool": True, "bytes": b""}.get(kind.__name__, {})
