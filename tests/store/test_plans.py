"""Asked about a few of very many sentinels, SQLite reads what an index finds, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from tests.databases import migrated_sqlite
from tests.store.making import sentinel
from webvigil.model.trouble import IN_TROUBLE
from webvigil.model.wanted import WantedSentinels
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.store.sql.schema import TROUBLED

# Steps of a plan that read all sentinels, watches, pages or notices of a user or of the store.
READS_ALL = (
    "SCAN sentinel",
    "SEARCH sentinel USING INDEX ix_sentinel_newest (user_id=? AND id<?)",
    "SEARCH sentinel USING INDEX ix_sentinel_newest (user_id=?)",
    "SEARCH sentinel USING INDEX ix_sentinel_kinds (user_id=? AND state=?)",
    "SCAN watch",
    "SCAN page",
    "SCAN page_about",
    "SCAN outbox",
    "SEARCH outbox USING INDEX ix_outbox_user (user_name=?)",
)

FEW: dict[str, WantedSentinels] = {
    "trouble": WantedSentinels(user="jill", trouble=True),
    "trouble of all users": WantedSentinels(trouble=True),
    "active ones in trouble": WantedSentinels(user="jill", trouble=True, state="active"),
    "names": WantedSentinels(user="jill", names=("s1", "s2")),
    "pages": WantedSentinels(user="jill", pages=(1, 2)),
    "address": WantedSentinels(user="jill", address="http://site.test/"),
    "host": WantedSentinels(user="jill", host="site.test"),
    "host, read on": WantedSentinels(user="jill", host="site.test", before=7),
}


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[SqlKnowledge]:
    found = SqlKnowledge(migrated_sqlite(tmp_path / "webvigil.sqlite3"), delay=1_000)
    found.users.add("jill")
    found.sentinels.add(sentinel("s1"))
    yield found
    found.close()


@pytest.mark.parametrize("wanted", FEW.values(), ids=FEW)
def test_a_list_of_few_sentinels_reads_few(knowledge: SqlKnowledge, wanted: WantedSentinels):
    for asked in (knowledge.sentinels.some, knowledge.sentinels.count):
        plan = _plan(knowledge, lambda asked=asked: asked(wanted))
        assert plan
        assert not [step for step in plan if step in READS_ALL]


def test_a_list_of_all_sentinels_is_read_in_the_order_of_an_index(knowledge: SqlKnowledge):
    plan = _plan(knowledge, lambda: knowledge.sentinels.some(WantedSentinels(user="jill")))
    assert "SEARCH sentinel USING INDEX ix_sentinel_newest (user_id=? AND id<?)" in plan


def test_what_was_told_of_a_few_sentinels_reads_their_notices(knowledge: SqlKnowledge):
    plan = _plan(knowledge, lambda: knowledge.outbox.told("jill", ["s1", "s2"]))
    assert any("ix_outbox_told (user_name=? AND sentinel=?)" in step for step in plan)


def test_the_index_of_trouble_has_every_kind_of_trouble():
    assert str(TROUBLED) == f"watch.trouble IN {tuple(map(str, IN_TROUBLE))}"


def _plan(knowledge: SqlKnowledge, work: Callable[[], object]) -> list[str]:
    """Returns the steps of SQLite's plans for all statements that the work executes."""
    with _statements() as executed:
        work()
    with knowledge.database.read() as connection:
        plans = [
            connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", given).all() for said, given in executed
        ]
    return [step[3] for plan in plans for step in plan]


@contextmanager
def _statements() -> Iterator[list[tuple[str, Any]]]:
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, said: str, given: Any, *_more: Any) -> None:
        if said.lstrip().upper().startswith("SELECT"):
            found.append((said, given))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)
