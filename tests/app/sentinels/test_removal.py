"""What is said of sentinels that were removed, and which one comes back by its name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.store.making import sentinel
from webvigil.app.sentinels.by_hand import disable, enable, run
from webvigil.app.sentinels.removal import remove, restore, restore_named, told
from webvigil.errors import NotFound
from webvigil.model.installed import RemovedSentinel
from webvigil.store.memory import MemoryKnowledge


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    made.sentinels.add(sentinel("tea", "http://a.test/", "http://b.test/"))
    made.sentinels.add(sentinel("cake"))
    return made


def gone(name: str, changes: int) -> RemovedSentinel:
    at = datetime(2026, 11, 16, tzinfo=UTC)
    return RemovedSentinel(id=1, name=name, title="", url="", removed_at=at, changes=changes)


@pytest.mark.parametrize(
    ("some", "said"),
    [
        ([gone("tea", 0)], "Removed tea with 0 changes."),
        ([gone("tea", 1)], "Removed tea with 1 change."),
        ([gone("tea", 2), gone("cake", 3)], "Removed 2 sentinels with 5 changes."),
        ([gone("tea", 1), gone("cake", 0)], "Removed 2 sentinels with 1 change."),
    ],
)
def test_a_removal_is_told_in_one_sentence(some: list[RemovedSentinel], said: str):
    assert told(some) == said


def happened(knowledge: MemoryKnowledge) -> list[tuple[str, str]]:
    """What the journal recorded of lives, newest first."""
    return [(one.name, one.subject) for one in knowledge.journal.events(limit=10)]


def test_a_removed_sentinel_comes_back_by_its_name(knowledge: MemoryKnowledge):
    assert remove(knowledge, "jill", "cake").name == "cake"
    removed = remove(knowledge, "jill", "tea")
    assert restore_named(knowledge, "jill", "cake").name == "cake"
    assert restore(knowledge, "jill", removed.id).name == "tea"
    assert happened(knowledge)[:4] == [
        ("SentinelRestored", "tea"),
        ("SentinelRestored", "cake"),
        ("SentinelRemoved", "tea"),
        ("SentinelRemoved", "cake"),
    ]
    with pytest.raises(
        NotFound, match=r"^there is no removed sentinel 'tea'; removals can be undone for 7 days$"
    ):
        restore_named(knowledge, "jill", "tea")


def test_a_sentinel_is_switched_by_hand(knowledge: MemoryKnowledge):
    assert not disable(knowledge, "jill", "tea").enabled
    assert enable(knowledge, "jill", "tea").enabled
    assert happened(knowledge)[:2] == [("SentinelEnabled", "tea"), ("SentinelDisabled", "tea")]


def test_all_pages_of_a_sentinel_are_looked_at_now(knowledge: MemoryKnowledge):
    assert run(knowledge.schedule, knowledge.sentinels, "jill", "tea") == 2
    assert run(knowledge.schedule, knowledge.sentinels, "jill", "cake") == 1
