"""The six related sentinels of the tutorial start and end as their time line foretells."""

from __future__ import annotations

from datetime import timedelta

from tests.docs.examples import ROOT
from tests.store.conftest import Clock
from webvigil.app.sentinels.install import install_text
from webvigil.app.sentinels.timeline import timeline_of
from webvigil.app.settings import read_settings
from webvigil.app.worker.keeper import Keeper
from webvigil.model.moment import as_datetime
from webvigil.store.memory import MemoryKnowledge

EXPECTED = [
    (0, "term", "starts"),
    (0, "rooms", "starts"),
    (0, "office", "starts"),
    (7, "office", "ends"),
    (60, "exams", "starts"),
    (83, "office", "starts"),
    (90, "term", "ends"),
    (90, "rooms", "ends"),
    (90, "office", "ends"),
    (104, "exams", "ends"),
    (104, "results", "starts"),
    (150, "results", "ends"),
    (152, "next-term", "starts"),
    (240, "next-term", "ends"),
]


def test_six_related_sentinels_live_as_their_time_line_says():
    clock = Clock()
    knowledge = MemoryKnowledge(clock=clock)
    knowledge.users.add("me")
    text = (ROOT / "docs/course.sentinels").read_text(encoding="utf-8")
    installed = install_text(knowledge, read_settings(environment={}), text)
    assert len(installed) == 6
    start = as_datetime(clock.now)
    foretold = [
        ((entry.at - start).days, entry.sentinel, entry.what)
        for entry in timeline_of(knowledge, "me")
        if entry.what in ("starts", "ends")
    ]
    assert sorted(foretold) == sorted(EXPECTED)
    keeper = Keeper(knowledge)
    for _ in range(250):
        clock.passes(seconds=timedelta(days=1).total_seconds())
        keeper.turn()
    words = {"SentinelStarted": "starts", "SentinelEnded": "ends"}
    happened = [
        ((event.at - start).days, event.subject, words[event.name])
        for event in knowledge.journal.events(limit=1000)
        if event.name in words
    ]
    born = [entry for entry in EXPECTED if entry[:1] == (0,)]
    assert sorted([*born, *happened]) == sorted(EXPECTED)
    assert {str(one.state) for one in knowledge.sentinels.all("me")} == {"expired"}


def test_what_a_sentinel_leaves_out_is_inherited_from_its_target():
    clock = Clock()
    knowledge = MemoryKnowledge(clock=clock)
    knowledge.users.add("me")
    text = (ROOT / "docs/course.sentinels").read_text(encoding="utf-8")
    install_text(knowledge, read_settings(environment={}), text)
    inherited = knowledge.sentinels.get("me", "next-term")
    assert "Fetch 2 hour" in inherited.text
    assert inherited.pages[0].url == "https://example.org/course"
