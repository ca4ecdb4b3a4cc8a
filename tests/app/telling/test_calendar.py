"""What an event of a calendar tells of its sentinel."""

from __future__ import annotations

import pytest

from tests.store.making import sentinel
from webvigil.app.telling.calendar import _addresses
from webvigil.store.memory import MemoryKnowledge


@pytest.mark.parametrize(("pages", "more"), [(1, []), (5, []), (6, ["and 1 more"]), (9, ["and 4 more"])])
def test_five_addresses_are_named_and_the_rest_is_counted(pages: int, more: list[str]):
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    urls = [f"http://site.test/{number}" for number in range(pages)]
    knowledge.sentinels.add(sentinel("many", *urls))
    assert list(_addresses(knowledge.sentinels.get("jill", "many"))) == [*urls[:5], *more]
