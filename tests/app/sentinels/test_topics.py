"""Topics say clauses for the sentinels that leave them out; what a user wrote stays as it was (K8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.language.strategies import sentinels
from tests.web.doors import browser_of, program_of
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.edit import edit, edit_fields
from webvigil.app.sentinels.install import install_text, same_as_installed
from webvigil.app.sentinels.topic_clauses import read_clauses, text_of_topic
from webvigil.app.sentinels.topics import say_topic, topics_of
from webvigil.app.settings import Settings, read_settings
from webvigil.cli.main import webvigil
from webvigil.errors import MistakeInText, SentinelRefused
from webvigil.language import parse
from webvigil.model.sentinel import Part, Sentinel
from webvigil.model.wanted import WantedSentinels
from webvigil.rules.inherit import BY_TOPIC, with_topics
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

SOFA = "Create Sentinel sofa Using https://shop.test/sofa Topic shops, furniture"
HOUR, DAY = 3_600_000, 86_400_000


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path), "user": "jill"}, environment={})


@pytest.fixture(params=["memory", "sqlite"])
def knowledge(request: pytest.FixtureRequest, settings: Settings) -> Iterator[Knowledge]:
    if request.param == "memory":
        made = MemoryKnowledge()
        made.users.add("jill")
        yield made
        return
    with opened(settings) as stored:
        yield stored


def clauses_of(knowledge: Knowledge, name: str) -> Sentinel:
    return parse(knowledge.sentinels.get("jill", name).text)[0]


def test_a_topic_says_what_a_sentinel_leaves_out(knowledge: Knowledge, settings: Settings):
    say_topic(knowledge, settings, "shops", 'Fetch 1 day Ignore css ".ad"')
    say_topic(knowledge, settings, "furniture", "Fetch 2 day Quiet off")
    install_text(knowledge, settings, f'{SOFA} Ignore css ".own" Monitor all links')
    found = clauses_of(knowledge, "sofa")
    assert found.fetch == parse(f"{SOFA} Fetch 1 day")[0].fetch, "the topic that is named first comes first"
    assert found.quiet == "off"
    assert found.ignore == (Part("css", ".own"), Part("css", ".ad")), "ignored parts add up"
    written = knowledge.sentinels.get("jill", "sofa").written
    assert "Fetch" not in written
    assert "Quiet" not in written


def test_what_a_topic_says_anew_counts_at_once_and_the_text_stays(knowledge: Knowledge, settings: Settings):
    install_text(knowledge, settings, SOFA)
    before = knowledge.sentinels.get("jill", "sofa").written
    for clauses, wanted in (("Fetch 1 day", "1 day"), ("Fetch 3 hour", "3 hour"), ("", "")):
        say_topic(knowledge, settings, "shops", clauses)
        fetch = parse(f"{SOFA} Fetch {wanted}")[0].fetch if wanted else None
        assert clauses_of(knowledge, "sofa").fetch == fetch
        assert knowledge.sentinels.get("jill", "sofa").written == before
    assert topics_of(knowledge, "jill")[1].clauses == ""


def test_an_edit_of_something_else_leaves_it_to_the_topic(knowledge: Knowledge, settings: Settings):
    say_topic(knowledge, settings, "shops", "Fetch 1 day")
    install_text(knowledge, settings, SOFA)
    edit_fields(knowledge, settings, "sofa", monitor="all links")
    say_topic(knowledge, settings, "shops", "Fetch 2 day")
    found = clauses_of(knowledge, "sofa")
    assert found.fetch == parse(f"{SOFA} Fetch 2 day")[0].fetch
    assert found.monitor == parse(f"{SOFA} Monitor all links")[0].monitor
    edit(knowledge, settings, "sofa", "Create Sentinel sofa Using https://shop.test/sofa Topic other")
    assert clauses_of(knowledge, "sofa").fetch is None, "another topic says nothing"


def test_a_sentinel_on_a_sentinel_follows_the_topic(knowledge: Knowledge, settings: Settings):
    install_text(knowledge, settings, f"{SOFA}\nCreate Sentinel two Using sentinel sofa Monitor all links")
    say_topic(knowledge, settings, "shops", "Fetch 1 day")
    assert clauses_of(knowledge, "two").fetch == parse(f"{SOFA} Fetch 1 day")[0].fetch


def test_the_same_text_again_is_the_same_sentinel(knowledge: Knowledge, settings: Settings):
    say_topic(knowledge, settings, "shops", "Fetch 1 day")
    install_text(knowledge, settings, SOFA)
    assert same_as_installed(knowledge.sentinels, settings, parse(SOFA))


def test_a_sentinel_is_found_by_each_of_its_topics(knowledge: Knowledge, settings: Settings):
    install_text(knowledge, settings, f"{SOFA}\nCreate Sentinel b Using https://b.test/ Topic furniture")
    for topic, names in (("shops", ["sofa"]), ("furniture", ["b", "sofa"]), ("shop", []), ("Shops", [])):
        found = knowledge.sentinels.some(WantedSentinels(user="jill", topic=topic))
        assert sorted(one.name for one in found) == names
    assert knowledge.sentinels.topics("jill") == {"furniture": 2, "shops": 1}


@pytest.mark.parametrize(
    ("clauses", "reason"),
    [
        ("Monitor all links", "a topic can say Fetch"),
        ("Using https://example.org/", "expected"),
        ("Fetch 1 day\nCreate Sentinel x Using https://x.test/", "no whole sentinel"),
        ("Fetch 1 second", "Fetch"),
        ("Notify By pigeon", "pigeon"),
        ("Topic other", "a topic can say Fetch"),
    ],
)
def test_what_a_topic_cannot_say_is_refused_and_nothing_changes(
    knowledge: Knowledge, settings: Settings, clauses: str, reason: str
):
    install_text(knowledge, settings, SOFA)
    say_topic(knowledge, settings, "shops", "Fetch 1 day")
    with pytest.raises((MistakeInText, SentinelRefused)) as caught:
        say_topic(knowledge, settings, "shops", clauses)
    assert reason in str(caught.value)
    assert knowledge.users.topics("jill") == {"shops": "Fetch 1 day"}
    assert clauses_of(knowledge, "sofa").fetch == parse(f"{SOFA} Fetch 1 day")[0].fetch


def test_a_mistake_is_told_at_its_place_in_the_clauses():
    with pytest.raises(MistakeInText) as caught:
        read_clauses("Fetch 1 day\nQuiet maybe")
    assert (caught.value.line, caught.value.column) == (2, 7)


@given(sentinels, st.dictionaries(st.sampled_from("abc"), sentinels, max_size=3))
def test_what_the_sentinel_says_itself_always_counts(sentinel: Sentinel, said: dict[str, Sentinel]):
    """Law: topics fill what was left out, in their order, and touch nothing else."""
    sentinel = replace(sentinel, topics=("a", "b", "c"))
    whole = with_topics(sentinel, said)
    for name in BY_TOPIC:
        own, now = getattr(sentinel, name), getattr(whole, name)
        offers = [getattr(said[one], name) for one in "abc" if one in said]
        if name == "ignore":
            assert now[: len(own)] == own
            assert set(now) == {*own, *(part for offer in offers for part in offer)}
        elif own not in (None, ()):
            assert now == own
        elif name != "loud":
            assert now == next((one for one in offers if one not in (None, ())), own)
    assert whole == replace(sentinel, **{name: getattr(whole, name) for name in BY_TOPIC})
    assert with_topics(whole, said) == whole


@given(sentinels)
def test_clauses_read_back_as_they_are_printed(sentinel: Sentinel):
    bare = read_clauses("")
    clauses = replace(bare, **{name: getattr(sentinel, name) for name in BY_TOPIC})
    if clauses.loud and clauses.quiet != "on":
        clauses = replace(clauses, loud=())
    assert read_clauses(text_of_topic(clauses)) == clauses


def test_the_api_the_dashboard_and_the_command_let_a_topic_say_it(tmp_path: Path, settings: Settings):
    with opened(settings) as knowledge:
        install_text(knowledge, settings, SOFA)
        application = create_application(knowledge, settings)
        with program_of(application, knowledge, "jill", "write") as program:
            said = program.put("/api/v1/topics/shops", json={"clauses": "fetch 1 day"}).json()
            assert said == {"name": "shops", "clauses": "Fetch 1 day", "sentinels": 1}
            assert [one["name"] for one in program.get("/api/v1/topics").json()] == ["furniture", "shops"]
            assert program.get("/api/v1/sentinels/sofa").json()["from_topics"] == {"shops": "Fetch 1 day"}
            assert program.put("/api/v1/topics/shops", json={"clauses": "Depth 1"}).status_code in (400, 422)
            assert program.get("/api/v1/topics/none").status_code == 404
        with browser_of(application, knowledge, "jill") as browser:
            assert "Fetch 1 day" in browser.get("/topics").text
            assert "From the topic" in browser.get("/sentinels/sofa").text
            saved = browser.post("/topics", data={"name": "shops", "clauses": "Fetch 2 day"})
            assert saved.status_code == 303
            wrong = browser.post("/topics", data={"name": "new", "clauses": "Depth 1"})
            assert wrong.status_code == 400
            assert "a topic can say" in wrong.text
            assert "Depth 1" in wrong.text, "what was written is still there"
    store = ["--data", str(settings.data), "--user", "jill"]
    shown = CliRunner().invoke(webvigil, ["show", "sofa", *store]).output
    assert "from the topic shops:\n  Fetch 2 day" in shown
    said = CliRunner().invoke(webvigil, ["topic", "say", "shops", "", *store]).output
    assert said == "shops says nothing for 1 sentinel.\n"
    listed = CliRunner().invoke(webvigil, ["topic", "list", *store]).output
    assert listed == "furniture  1 sentinel\nshops  1 sentinel\n"
