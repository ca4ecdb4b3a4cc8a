"""A search for services is queued within its limits, and refused beyond them with a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from webvigil.app.discovery.requests import cancel, class_text, crawl_of, discovery_as_json, start
from webvigil.app.settings import read_settings
from webvigil.errors import NotFound, SettingRefused
from webvigil.model.discovery import WantedServices
from webvigil.store.memory import MemoryKnowledge

NAME = "keyword-search"
SEED = "https://a.test/"
SETTINGS = read_settings({}, environment={})


def wanted(**more: Any) -> WantedServices:
    return replace(WantedServices(service=NAME, description=class_text(NAME), seeds=(SEED,)), **more)


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("jill")
    made.users.add("jack")
    return made


PAGES = "a search visits between 1 and 5000 pages"
PROBES = "a form, and a site, may be asked 200 times at most"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"seeds": ()}, "give at least one address to start from, such as https://example.org/"),
        ({"seeds": (SEED,) * 501}, "these are 501 addresses to start from; at most 500"),
        ({"pages": 0}, PAGES),
        ({"pages": 5_001}, PAGES),
        ({"depth": -1}, PAGES),
        ({"depth": 101}, PAGES),
        ({"probes_per_form": -1}, PROBES),
        ({"probes_per_form": 201}, PROBES),
        ({"probes_per_site": -1}, PROBES),
        ({"probes_per_site": 201}, PROBES),
    ],
)
def test_more_than_a_search_may_ask_is_refused(knowledge: MemoryKnowledge, more: dict[str, Any], reason: str):
    with pytest.raises(SettingRefused) as told:
        start(knowledge, SETTINGS, "jill", wanted(**more))
    assert str(told.value) == reason
    assert knowledge.discoveries.open("jill") == []


@pytest.mark.parametrize(
    "more",
    [
        {"seeds": tuple(f"https://a{n}.test/" for n in range(500))},
        {"pages": 1, "depth": 0, "probes_per_form": 0, "probes_per_site": 0},
        {"pages": 5_000, "depth": 100, "probes_per_form": 200, "probes_per_site": 200},
    ],
)
def test_a_search_at_its_limits_is_queued(knowledge: MemoryKnowledge, more: dict[str, Any]):
    made = start(knowledge, SETTINGS, "jill", wanted(**more))
    assert [one.id for one in knowledge.discoveries.open("jill")] == [made.id]
    (event,) = knowledge.journal.events(subject=str(made.id), limit=9)
    assert (event.name, event.details) == ("DiscoveryStarted", {"user": "jill", "service": NAME})


def test_three_searches_of_a_user_may_be_open(knowledge: MemoryKnowledge):
    first, *_ = [start(knowledge, SETTINGS, "jill", wanted()) for _ in range(3)]
    with pytest.raises(SettingRefused, match="3 searches of yours are under way; wait for one, or cancel it"):
        start(knowledge, SETTINGS, "jill", wanted())
    assert start(knowledge, SETTINGS, "jack", wanted())
    assert cancel(knowledge, "jill", first.id).state == "cancelled"
    assert start(knowledge, SETTINGS, "jill", wanted())


def test_a_search_is_cancelled_once_and_by_its_owner(knowledge: MemoryKnowledge):
    made = start(knowledge, SETTINGS, "jill", wanted())
    with pytest.raises(NotFound):
        cancel(knowledge, "jack", made.id)
    for _ in range(2):
        ended = cancel(knowledge, "jill", made.id)
        assert (ended.state, ended.why) == ("cancelled", "cancelled by its owner")
    names = [one.name for one in knowledge.journal.events(subject=str(made.id), limit=9)]
    assert sorted(names) == ["DiscoveryCancelled", "DiscoveryStarted"]


def test_a_search_becomes_a_crawl_and_is_told(knowledge: MemoryKnowledge):
    asked = wanted(
        hints=("lamp",), pages=7, depth=3, probes_per_form=4, probes_per_site=5, post=True, dry_run=True
    )
    crawl = crawl_of(asked, SETTINGS)
    assert (crawl.seeds, crawl.hints, crawl.frontier, crawl.dry_run) == ((SEED,), ("lamp",), "learned", True)
    assert (crawl.reach.pages, crawl.reach.depth) == (7, 3)
    assert (crawl.bounds.probes_per_form, crawl.bounds.probes_per_site) == (4, 5)
    assert (crawl.bounds.post, crawl.bounds.browser) == (True, True)
    told = discovery_as_json(start(knowledge, SETTINGS, "jill", asked))
    assert told["wanted"]["hints"] == ["lamp"]
    assert (told["state"], told["started_at"], told["ended_at"]) == ("waiting", None, None)
    assert (told["pages"], told["forms"], told["probes"], told["services"]) == (0, 0, 0, 0)
    with pytest.raises(SettingRefused, match="'x' is no way to crawl; choose one of "):
        crawl_of(wanted(frontier="x"), SETTINGS)
    with pytest.raises(NotFound):
        class_text("../x")
