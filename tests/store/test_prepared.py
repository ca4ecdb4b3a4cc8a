"""Prepared statements give the same rows, the same clock and the same errors as SQLAlchemy's own way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import bindparam, select, update

from tests.databases import migrated_postgres, migrated_sqlite
from tests.store.making import sentinel
from webvigil.errors import NotFound, StoreBusy, StoreError, StoreRefused
from webvigil.store.sql.database import Database
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.prepared import Order, Prepared, swift
from webvigil.store.sql.schema import page_about
from webvigil.store.sql.schema import sentinel as sentinels
from webvigil.store.sql.sentinels import _one_by_name, _pages_of_one
from webvigil.store.sql.users import _one_token as one_token


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield migrated_sqlite(tmp_path / "webvigil.sqlite3")
    else:
        with migrated_postgres() as found:
            yield found


@pytest.fixture
def knowledge(url: str) -> Iterator[SqlKnowledge]:
    made = SqlKnowledge(url, delay=0)
    made.users.add("jill")
    made.sentinels.add(sentinel("one", "http://a.test/", "http://b.test/"), sentinel("two", "http://c.test/"))
    yield made
    made.close()


def test_rows_are_those_of_the_toolkit_with_their_types(knowledge: SqlKnowledge, url: str):
    database = Database(url)
    for table, column in ((sentinels, sentinels.c.name), (page_about, page_about.c.url)):
        for value in ("one", "http://b.test/", "'; DROP TABLE sentinel; --"):
            statement = select(table).where(column == bindparam("wanted")).order_by(column)
            with database.read() as connection:
                slow = [dict(row._mapping) for row in connection.execute(statement, {"wanted": value})]
            with database.asking() as ask:
                quick: list[Any] = ask(Prepared(statement), wanted=value)
            assert [row._asdict() for row in quick] == slow
            assert [list(map(type, row)) for row in quick] == [list(map(type, row.values())) for row in slow]
    database.close()


def test_the_statements_of_the_product_give_the_rows_of_the_toolkit(knowledge: SqlKnowledge, url: str):
    """Fails if a new version of the toolkit compiles a statement, or converts its columns, in another way."""
    later = knowledge.schedule.now() + 1_000_000
    knowledge.users.add_token("jill", "digest", purpose="api", expires=later, name="x")
    first = knowledge.sentinels.get("jill", "one").id
    database = Database(url, clock=lambda: later - 1)
    for statement, values in (
        (one_token(database.clock), {"its_purpose": "api", "its_digest": "digest"}),
        (_one_by_name()._statement, {"its_user": "jill", "its_name": "one"}),
        (_pages_of_one()._statement, {"its_id": first}),
    ):
        with database.read() as connection:
            known = {**values, "now": later - 1} if "now" in statement.compile().params else values
            slow = [dict(row._mapping) for row in connection.execute(statement, known)]
        with database.asking() as ask:
            quick: list[Any] = ask(Prepared(statement), **values)
        assert slow
        assert [row._asdict() for row in quick] == slow
        assert [list(map(type, row)) for row in quick] == [list(map(type, row.values())) for row in slow]
    database.close()


def test_an_order_is_compiled_once_and_obeyed_by_every_store_of_its_kind(tmp_path: Path):
    renamed = Order(update(sentinels).values(name=bindparam("its_name")))
    made = [SqlKnowledge(migrated_sqlite(tmp_path / f"{number}.sqlite3"), delay=0) for number in range(2)]
    for number, one in enumerate(made):
        one.users.add("jill")
        one.sentinels.add(sentinel("before"))
        with one.habits._database.write() as connection:
            renamed.within(connection, its_name=f"after {number}")
        assert one.sentinels.get("jill", f"after {number}")
        one.close()
    assert len(renamed._sent) == 1


def test_columns_are_found_by_their_names():
    (row,) = swift([(1, "x")], ("id", "class"))
    assert (row.id, row[1]) == (1, "x")


def test_a_token_that_was_ended_elsewhere_opens_nothing_at_once(knowledge: SqlKnowledge, url: str):
    """Two servers share one database, so neither may remember tokens."""
    other = SqlKnowledge(url, delay=0)
    later = knowledge.schedule.now() + 1_000_000
    for end in (
        lambda: other.users.end_token("digest", expires=0),
        lambda: other.users.drop_tokens("jill", purpose="api"),
        lambda: other.users.remove("jill"),
    ):
        knowledge.users.add_token("jill", "digest", purpose="api", expires=later)
        for server in (knowledge, other, knowledge):
            assert server.users.token("digest", purpose="api") is not None
            assert server.users.token("digest", purpose="session") is None
        end()
        assert knowledge.users.token("digest", purpose="api") is None
        assert other.users.token("digest", purpose="api") is None
        if other.users.all():
            knowledge.users.drop_tokens("jill", purpose="api")
    other.close()


def test_a_role_that_was_taken_elsewhere_is_gone_at_once(knowledge: SqlKnowledge, url: str):
    other = SqlKnowledge(url, delay=0)
    knowledge.users.add("root", role="admin")
    knowledge.users.add_token("root", "its", purpose="api", expires=knowledge.schedule.now() + 1_000_000)
    other.users.change("root", role="user")
    found = knowledge.users.token("its", purpose="api")
    assert found is not None
    assert found.user.role == "user"
    other.close()


def test_a_sentinel_is_read_whole_and_it_is_told_what_is_not_there(knowledge: SqlKnowledge):
    found = knowledge.sentinels.get("jill", "one")
    assert [page.url for page in found.pages] == ["http://a.test/", "http://b.test/"]
    assert found in knowledge.sentinels.all("jill")
    assert found.enabled is True
    with pytest.raises(NotFound, match="no sentinel 'three'"):
        knowledge.sentinels.get("jill", "three")
    with pytest.raises(NotFound, match="no user 'jack'"):
        knowledge.sentinels.get("jack", "one")


def test_trouble_of_the_database_is_told_in_our_words(knowledge: SqlKnowledge, url: str):
    database = Database(url)
    broken = Prepared(select(page_about.c.url.label("x")).where(page_about.c.page_id == bindparam("page")))
    with pytest.raises(StoreError), database.asking() as ask:
        ask(broken, page="no number, " * 3 if "postgres" in url else object())
    database.close()


def test_a_database_that_cannot_be_opened_is_told_in_our_words(tmp_path: Path):
    (tmp_path / "a.sqlite3").write_bytes(b"no database" * 1000)
    nobody_listens = "postgresql+psycopg://nobody@127.0.0.1:9/none"
    for url, told in ((f"sqlite:///{tmp_path / 'a.sqlite3'}", StoreRefused), (nobody_listens, StoreBusy)):
        database = Database(url)
        with pytest.raises(told), database.asking():
            pass
        database.close()
