"""Copies of sentinels are sentinels like those that were installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from bench.speed.many import copied, seeded
from tests.databases import migrated_postgres
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.model.wanted import WantedChanges, WantedSentinels
from webvigil.store.sql.knowledge import SqlKnowledge

Store = tuple[SqlKnowledge, Settings]


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with migrated_postgres() if request.param == "postgresql" else nullcontext() as url:
        given = {"data": str(tmp_path), "host_delay": "0"} | ({"database": url} if url else {})
        settings = read_settings(given, environment={})
        with opened(settings) as knowledge:
            assert isinstance(knowledge, SqlKnowledge)
            seeded(knowledge, settings, 10)
            copied(knowledge, 10, 3)
            yield knowledge, settings


def test_every_copy_is_listed_and_has_its_change(store: Store):
    knowledge, settings = store
    assert len(knowledge.sentinels.all(settings.user)) == 30
    assert len(knowledge.sentinels.some(WantedSentinels(user=settings.user, topic="rare"))) == 3
    assert knowledge.changes.count(WantedChanges(user=settings.user)) == 30
    assert len(knowledge.search.find(settings.user, "offer")) == 30


def test_every_copy_is_due_and_has_its_watch(store: Store):
    knowledge, _ = store
    claims = knowledge.schedule.claim("w", hosts=100, pages=10, lease=60_000)
    pages = [due for claim in claims for due in claim.pages]
    assert len({due.id for due in pages}) == 30
    assert all(len(due.watches) == 1 and due.latest for due in pages)


def test_what_is_installed_afterwards_has_ids_of_its_own(store: Store):
    knowledge, settings = store
    install_text(knowledge, settings, "Create Sentinel later Using http://later.test/\n")
    ids = [one.id for one in knowledge.sentinels.all(settings.user)]
    assert len(ids) == len(set(ids)) == 31
