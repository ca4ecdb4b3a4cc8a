"""`store/door.py`: commands that only read get the same sentinels without loading SQLAlchemy."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.databases import migrated_sqlite
from tests.store.conftest import Clock
from tests.store.making import ALIVE, checked, claim_all, new_change, new_version, sentinel
from webvigil.model.doubt import Doubt
from webvigil.model.following import Reach
from webvigil.model.trouble import Trouble, Why
from webvigil.model.work import NewTrouble
from webvigil.store.door import sentinels_of
from webvigil.store.sql.knowledge import SqlKnowledge


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "a #folder" / "webvigil.sqlite3"
    found.parent.mkdir()
    migrated_sqlite(found)
    return found


@pytest.fixture
def knowledge(file: Path, clock: Clock) -> Iterator[SqlKnowledge]:
    made = SqlKnowledge(f"sqlite:///{file}", delay=0, clock=clock)
    made.users.add("jill")
    made.users.add("jack")
    yield made
    made.close()


def test_the_door_tells_of_sentinels_as_the_knowledge_base_does(
    knowledge: SqlKnowledge, file: Path, clock: Clock
):
    (one, *_) = knowledge.sentinels.add(
        sentinel("one", "http://a.test/", "http://b.test/", priority=3, topic="Ärger"),
        sentinel("over", life=replace(ALIVE, within=False, over=True, warned=True, ended_at=ALIVE.next_at)),
        sentinel("waiting", life=replace(ALIVE, within=False, started_at=None, next_at=None, failure="gone")),
        sentinel("following", "http://c.test/", reach=Reach(depth=1, part="p", below="b")),
        sentinel("other", user="jack"),
        sentinel("removed"),
    )
    knowledge.sentinels.set_aside("jill", "removed")
    knowledge.sentinels.enable("jill", "over", enabled=False)
    doubt = Doubt(kind="login", said="shows a log-in", clear=True, since=clock.now, told=True)
    for claim in claim_all(knowledge):
        for page in claim.pages:
            more = {"failures": 2, "failing_since": clock.now} if "b.test" in page.page.url else {}
            about = {one.id} & {watch.sentinel for watch in page.watches}
            found = {"version": new_version(1), "changes": tuple(new_change(id_, 0, 1) for id_ in about)}
            troubles = tuple(
                NewTrouble(sentinel=id_, trouble=Trouble(Why.NOTHING, "not there")) for id_ in about
            )
            result = checked(claim, page, doubt=doubt, troubles=troubles, **(more or found))
            knowledge.schedule.finish(claim, [result])
    told = knowledge.sentinels.all("jill")
    assert {one.changes for one in told} == {0, 1}
    assert any(page.doubt for one in told for page in one.pages)
    assert any(page.trouble for one in told for page in one.pages)
    assert any(page.failing_since for one in told for page in one.pages)
    assert [repr(one) for one in sentinels_of(file, "jill") or ()] == list(map(repr, told))
    assert [one.name for one in sentinels_of(file, "jack") or ()] == ["other"]


def test_the_door_stays_closed_where_the_database_has_to_be_opened_in_full(
    knowledge: SqlKnowledge, file: Path
):
    assert sentinels_of(file, "jill") == []
    assert sentinels_of(file, "nobody") is None
    assert sentinels_of(file.with_name("none"), "jill") is None
    assert not file.with_name("none").exists()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'webvigil_0001'")
    assert sentinels_of(file, "jill") is None
    file.with_name("text").write_text("no database")
    assert sentinels_of(file.with_name("text"), "jill") is None


def test_the_door_sees_what_a_running_server_has_written(knowledge: SqlKnowledge, file: Path):
    knowledge.sentinels.add(sentinel("one"))
    with knowledge.database.write() as connection:  # a writer at work keeps no reader waiting
        connection.exec_driver_sql("UPDATE sentinel SET topic = 'not written yet'")
        assert [one.topic for one in sentinels_of(file, "jill") or ()] == [""]
