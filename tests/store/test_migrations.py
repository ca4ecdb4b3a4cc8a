"""Databases of every schema revision are migrated to the present one; foreign ones are refused and left
unchanged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select, text

from tests.databases import fresh_postgres, migrated_postgres
from tests.migrating import MADE_AT_ONCE, migrate_truly, repeat_migrations
from tests.power import PRAGMAS
from tests.store.making import sentinel
from webvigil.errors import SettingRefused, StoreBusy, StoreRefused
from webvigil.model.sentinel import State
from webvigil.store import migrate
from webvigil.store.migrate import HEAD, bring_up_to_date, current_revision, revisions
from webvigil.store.sql.database import Database
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.schema import metadata


@pytest.fixture(autouse=True)
def _truly() -> Iterator[None]:
    """Migrates every store of this file through all revisions."""
    with migrate_truly():
        yield


def test_a_store_of_the_tests_is_the_same_as_one_that_was_migrated(tmp_path: Path):
    """`tests/migrating.py` takes a shorter way to new stores; it must lead to the same place."""
    stores = [
        tmp_path / name for name in ("true.sqlite3", "copied.sqlite3", "first.sqlite3", "repeated.sqlite3")
    ]
    SqlKnowledge(f"sqlite:///{stores[0]}").close()
    repeat_migrations()
    SqlKnowledge(f"sqlite:///{stores[1]}").close()
    for file in stores[2:]:
        database = Database(f"sqlite:///{file}")
        bring_up_to_date(database, HEAD)
        database.close()
    true, *others = [_everything_in(file) for file in stores]
    assert [other == true for other in others] == [True, True, True]


def test_a_new_file_made_at_once_is_the_same_as_one_that_was_migrated(tmp_path: Path):
    """`store/migrations/empty.sql` makes a new SQLite store without Alembic."""
    true, made = tmp_path / "true.sqlite3", tmp_path / "made.sqlite3"
    database = Database(f"sqlite:///{true}")
    bring_up_to_date(database)
    database.close()
    database = Database(f"sqlite:///{made}")
    with database.migrating() as connection:
        assert MADE_AT_ONCE(connection), "run: python scripts/empty_store.py"
    database.close()
    assert _everything_in(made) == _everything_in(true), "run: python scripts/empty_store.py"


def test_statements_of_another_revision_make_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(migrate, "HEAD", "webvigil_9999")
    database = Database(f"sqlite:///{tmp_path / 'new.sqlite3'}")
    with database.migrating() as connection:
        assert not MADE_AT_ONCE(connection)
        assert inspect(connection).get_table_names() == []
    database.close()


def _everything_in(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


@pytest.mark.filterwarnings("ignore:autogenerate skipping", "ignore:Skipped unsupported reflection")
def test_a_repeated_migration_of_postgresql_leads_to_the_present_schema():
    repeat_migrations()
    for _ in range(2):
        with fresh_postgres() as url:
            database = Database(url)
            bring_up_to_date(database)
            with database.read() as connection:
                assert current_revision(connection) == HEAD
                assert _differences(connection) == []
            database.close()


def test_a_database_that_a_test_used_is_as_new_for_the_next_one():
    with migrated_postgres() as url:
        knowledge = SqlKnowledge(url)
        knowledge.users.add("jill")
        knowledge.sentinels.add(sentinel("s1"))
        used = _rows_and_counters(url)
    knowledge.close()  # later than the end of the test that used it: its connections must not matter
    with migrated_postgres() as again, fresh_postgres() as fresh:
        SqlKnowledge(fresh).close()
        assert again == url
        assert _rows_and_counters(again) == _rows_and_counters(fresh) != used


def _rows_and_counters(url: str) -> list[list[object]]:
    database = Database(url)
    counters = "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1"
    with database.read() as connection:
        found = [
            list(connection.execute(text(counters))),
            *(list(connection.execute(select(table))) for table in metadata.sorted_tables),
        ]
    database.close()
    return found


def test_the_newest_revision_is_the_head():
    assert revisions()[-1] == HEAD


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore:autogenerate skipping", "ignore:Skipped unsupported reflection")
@pytest.mark.parametrize("start", [None, *revisions()])
def test_every_earlier_revision_comes_up_to_the_present_schema(tmp_path: Path, start: str | None):
    _comes_up(f"sqlite:///{tmp_path / 'old.sqlite3'}", start)


@pytest.mark.filterwarnings("ignore:autogenerate skipping", "ignore:Skipped unsupported reflection")
@pytest.mark.parametrize(
    "start",
    [None, *(pytest.param(one, marks=pytest.mark.slow) for one in revisions()[:-2]), *revisions()[-2:]],
)
def test_the_same_on_postgresql(start: str | None):
    with fresh_postgres() as url:
        _comes_up(url, start)


def _comes_up(url: str, start: str | None) -> None:
    database = Database(url)
    if start:
        bring_up_to_date(database, start)
    bring_up_to_date(database)
    with database.read() as connection:
        assert current_revision(connection) == HEAD
        assert _differences(connection) == []
    database.close()


def test_what_was_in_a_database_of_the_first_revision_is_still_there(bare_url: str):
    database = Database(bare_url)
    bring_up_to_date(database, "webvigil_0001")
    with database.write() as connection:
        for statement in FIRST_REVISION:
            connection.execute(text(statement))
    database.close()
    knowledge = SqlKnowledge(bare_url)
    active, resting = sorted(knowledge.sentinels.all("jill"), key=lambda one: one.name)
    assert (active.state, resting.state) == (State.ACTIVE, State.DISABLED)
    assert active.life.started_at == active.installed_at
    assert active.life.next_at == active.installed_at + timedelta(days=365)
    assert [change.sentinel for change in knowledge.changes.all("jill")] == ["active"]
    assert len(knowledge.sentinels.news(0).changed) == 2
    knowledge.close()


FIRST_REVISION = [
    "INSERT INTO wv_user VALUES (1, 'jill', 'user', 'UTC', 1000)",
    "INSERT INTO sentinel VALUES (1, 1, 'active', 'Create …', 'active', 0, '', 2000)",
    "INSERT INTO sentinel VALUES (2, 1, 'resting', 'Create …', 'disabled', 0, '', 2000)",
    "INSERT INTO host VALUES (1, 'a.test', 0, 0, 0, '', NULL, NULL)",
    "INSERT INTO page VALUES (1, 1, 0, 0, 0, 0, 0, 2)",
    "INSERT INTO page_about VALUES (1, 'k', 'http://a.test/', 'GET', '[]', 'http', '{}')",
    "INSERT INTO watch VALUES (1, 1, 60000, 0, 2), (2, 1, 60000, 0, 2)",
    "INSERT INTO change VALUES (1, 1, 1, 1, 2, 3000, '[]')",
]


def test_opening_again_changes_nothing(bare_url: str):
    SqlKnowledge(bare_url).close()
    knowledge = SqlKnowledge(bare_url)
    knowledge.users.add("jill")
    knowledge.close()
    again = SqlKnowledge(bare_url)
    assert [user.name for user in again.users.all()] == ["jill"]
    again.close()


def test_the_ready_index_is_used_to_claim_hosts(bare_url: str):
    knowledge = SqlKnowledge(bare_url)
    with knowledge.database.read() as connection:
        names = {index["name"] for index in _indexes(connection, "host")}
    knowledge.close()
    assert "ix_host_ready" in names


def test_a_database_of_a_newer_version_is_refused(bare_url: str):
    SqlKnowledge(bare_url).close()
    database = Database(bare_url)
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(StoreRefused, match="newer WebVigil"):
        SqlKnowledge(bare_url)


def test_a_database_of_another_program_is_refused_and_left_alone(bare_url: str):
    database = Database(bare_url)
    with database.write() as connection:
        connection.execute(text("CREATE TABLE recipes (id INTEGER)"))
    with pytest.raises(StoreRefused, match="another program"):
        SqlKnowledge(bare_url)
    with database.read() as connection:
        assert inspect(connection).get_table_names() == ["recipes"]
    database.close()


def test_a_database_migrated_by_another_program_is_refused(bare_url: str):
    database = Database(bare_url)
    with database.write() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('head')"))
        connection.execute(text("CREATE TABLE recipes (id INTEGER)"))
    database.close()
    with pytest.raises(StoreRefused, match="another program"):
        SqlKnowledge(bare_url)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path):
    file = tmp_path / "letter.sqlite3"
    file.write_text("Dear Jill, " * 1000)
    with pytest.raises(StoreRefused, match="not a WebVigil database"):
        SqlKnowledge(f"sqlite:///{file}")
    assert file.read_text().startswith("Dear Jill")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(StoreRefused, match="cannot be opened"):
        SqlKnowledge(f"sqlite:///{tmp_path / 'nowhere' / 'file.sqlite3'}")


@pytest.mark.parametrize("url", ["not a url", "mysql://localhost/x", "oracle://", ""])
def test_an_address_of_no_database_is_refused(url: str):
    with pytest.raises(SettingRefused):
        SqlKnowledge(url)


def test_a_server_that_is_not_there_may_come_back():
    with pytest.raises(StoreBusy, match="does not answer"):
        SqlKnowledge("postgresql://127.0.0.1:1/nothing")


def test_a_full_disk_gives_a_clear_error_and_keeps_what_was_there(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'small.sqlite3'}"
    knowledge = SqlKnowledge(url)
    knowledge.users.add("jill")
    with knowledge.database.write() as connection:
        # A limit of pages stands in for a full disk: SQLite reports both as SQLITE_FULL.
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    with pytest.raises(StoreRefused, match="full"):
        _fill(knowledge)
    knowledge.close()
    again = SqlKnowledge(url)
    assert [user.name for user in again.users.all()] == ["jill"]
    again.close()


def test_a_write_that_fails_half_way_leaves_nothing(bare_url: str):
    knowledge = SqlKnowledge(bare_url)
    with pytest.raises(ZeroDivisionError):
        _write_and_fail(knowledge)
    assert knowledge.journal.fact("a") is None
    knowledge.close()


def test_sqlite_runs_in_wal_mode_with_full_durability(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("webvigil.store.sql.database._PRAGMAS", PRAGMAS)
    database = Database(f"sqlite:///{tmp_path / 'w.sqlite3'}")
    with database.read() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar_one() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar_one() == 2, "FULL"
    database.close()


def _fill(knowledge: SqlKnowledge) -> None:
    for number in range(1000):
        knowledge.journal.record("X" * 80, str(number), {"text": "y" * 4000})


def _write_and_fail(knowledge: SqlKnowledge) -> None:
    with knowledge.database.write() as connection:
        connection.execute(text("INSERT INTO setting (key, value) VALUES ('a', 'b')"))
        raise ZeroDivisionError


# Alembic cannot compare indexes on expressions, and the search index exists on one kind of database only.
APART = ("ix_host_ready", "ix_outbox_ready", "ix_change_words_words")


def _differences(connection):
    context = MigrationContext.configure(
        connection,
        opts={"include_object": lambda _o, name, *_: name not in APART and not name.startswith("change_fts")},
    )
    return compare_metadata(context, metadata)


def _indexes(connection, table: str):
    if connection.dialect.name == "sqlite":  # SQLAlchemy does not list indexes on expressions for SQLite
        return [{"name": row[1]} for row in connection.exec_driver_sql(f"PRAGMA index_list({table})")]
    return inspect(connection).get_indexes(table)
