"""Summaries on the dashboard: by day, week and topic, in three orders, amounts up front (N2, N3)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from tests.web.doors import browser_of
from webvigil.app.settings import read_settings
from webvigil.model.moment import as_millis
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

MINUTE = 60_000


class Clock:
    now = as_millis(datetime(2026, 11, 16, 12, 0, tzinfo=UTC))  # a Monday

    def __call__(self) -> int:
        return self.now

    def at(self, *when: int) -> None:
        self.now = as_millis(datetime(*when, tzinfo=UTC))  # type: ignore[misc,arg-type]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0, clock=clock)
    made.users.add("jill")
    made.users.add("jack")
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))


@pytest.fixture
def jill(knowledge: MemoryKnowledge, application: FastAPI) -> TestClient:
    return browser_of(application, knowledge, "jill")


def finds(knowledge: MemoryKnowledge, name: str, topic: str = "", priority: int = 0, title: str = "") -> None:
    """Installs a sentinel that finds a change at its first look."""
    text = f"Create Sentinel {name} Using http://{name}.test/ Monitor all links"
    text += (f" Topic {topic}" if topic else "") + (f" Priority {priority}" if priority else "")
    text += f' Title "{title}"' if title else ""
    more = {"text": text, "topic": topic, "priority": priority}
    knowledge.sentinels.add(sentinel(name, f"http://{name}.test/", **more))
    for claim in claim_all(knowledge):
        done = []
        for due in claim.pages:
            found = new_change(due.watches[0].sentinel, 1, 2)
            new = due.page.url == f"http://{name}.test/"
            done.append(
                checked(claim, due, version=new_version(1), changes=(found,)) if new else checked(claim, due)
            )
        knowledge.schedule.finish(claim, done)


@pytest.fixture
def year(knowledge: MemoryKnowledge, clock: Clock) -> None:
    """Changes are found on a Sunday in October, and on Tuesday, Saturday and Monday in November."""
    for when, name, topic, priority in (
        ((2026, 10, 4, 9), "long-ago", "art", 0),
        ((2026, 11, 10, 9), "tuesday", "sport", 9),
        ((2026, 11, 14, 9), "saturday", "art", 0),
        ((2026, 11, 14, 10), "evening", "", 9),
        ((2026, 11, 16, 8), "monday", "sport", 0),
    ):
        clock.at(*when)
        finds(knowledge, name, topic, priority)
    clock.at(2026, 11, 16, 12)


def headings(text: str) -> list[str]:
    return re.findall(r"<section class=\"card summary\">\s*<header>\s*<h2>([^<]*)</h2>", text)


def entries(text: str) -> list[str]:
    return re.findall(
        r'<li><a class="plainlink" href="/changes/\d+">.*?<small><bdi>([^<]+)</bdi> ·', text, re.DOTALL
    )


@pytest.mark.usefixtures("year")
class TestSummaries:
    def test_by_day_the_newest_first(self, jill: TestClient):
        text = jill.get("/summaries").text
        assert headings(text) == ["Today", "Saturday, 14 November", "Tuesday, 10 November"]
        assert entries(text) == ["monday", "evening", "saturday", "tuesday"]

    def test_by_week_from_monday(self, jill: TestClient):
        text = jill.get("/summaries?by=week").text
        assert headings(text) == ["Week of 16 November", "Week of 9 November"]
        assert entries(text) == ["monday", "evening", "saturday", "tuesday"]

    def test_by_topic_and_what_has_none_at_the_end(self, jill: TestClient):
        text = jill.get("/summaries?by=topic").text
        assert headings(text) == ["art", "sport", "Without a topic"]
        assert entries(text) == ["saturday", "monday", "tuesday", "evening"]

    def test_three_orders(self, jill: TestClient):
        week = "/summaries?by=week&order="
        assert entries(jill.get(week + "priority").text) == ["monday", "evening", "tuesday", "saturday"]
        by_topic = jill.get(week + "topic").text
        assert entries(by_topic) == ["monday", "saturday", "tuesday", "evening"]
        assert "<strong>Without a topic</strong>" in by_topic
        assert jill.get("/summaries?order=colour").status_code == 422

    def test_the_order_that_the_user_prefers_counts(self, jill: TestClient):
        jill.post("/account/preferences", data={"order": "priority"})
        assert 'value="priority" selected' in jill.get("/summaries").text

    def test_amounts_stand_up_front(self, jill: TestClient):
        text = jill.get("/summaries?by=week").text
        first = text[text.index("Week of 9 November") :]
        assert re.search(
            r"<strong>3 changes of 3 sentinels</strong>.*3 things new</span> · links · 3 links added.*<ul",
            first,
            re.DOTALL,
        )

    def test_the_fields_of_a_summary_notice(self, jill: TestClient):
        """N2."""
        text = jill.get("/summaries").text
        records = text[text.index("The sentinels in these summaries") :]
        for words in ("http://monday.test/", "<p>links ·", "changed", "looked at", "seen", "told never"):
            assert words in records, words
        assert re.search(r"installed .*ends .*1 look · 0 messages · 1 change", records, re.DOTALL)
        assert "long-ago" not in records

    def test_one_topic(self, jill: TestClient):
        assert entries(jill.get("/summaries?topic=art").text) == ["saturday"]

    def test_earlier_days_are_behind_a_link_and_lead_back(self, jill: TestClient):
        (earlier,) = re.findall(
            r'<a class="[a-z ]+" href="(/summaries\?[^"]*)" rel="prev"', jill.get("/summaries?by=week").text
        )
        text = jill.get(earlier.replace("&amp;", "&")).text
        assert entries(text) == ["long-ago"]
        (later,) = re.findall(r'<a class="[a-z ]+" href="(/summaries\?[^"]*)" rel="next"', text)
        assert "monday" in entries(jill.get(later.replace("&amp;", "&")).text)

    def test_days_are_those_of_the_users_clock(
        self, jill: TestClient, knowledge: MemoryKnowledge, clock: Clock
    ):
        knowledge.users.change("jill", zone="Pacific/Auckland")
        text = jill.get("/summaries").text
        assert headings(text) == ["Monday, 16 November", "Saturday, 14 November"], "it is Tuesday there"

    def test_nobody_sees_others(self, knowledge: MemoryKnowledge, application: FastAPI):
        jack = browser_of(application, knowledge, "jack")
        text = jack.get("/summaries").text
        assert entries(text) == []
        assert "Add the first one" in text

    def test_days_without_changes_say_what_to_do(self, jill: TestClient):
        text = jill.get("/summaries?until=2026-09-01").text
        assert "No change in these days" in text
        assert "Notify By email" in text

    @pytest.mark.parametrize("until", ["2026-13-01", "yesterday", "0001-01-01", "9999-12-31"])
    def test_a_day_that_is_none_is_told(self, jill: TestClient, until: str):
        assert jill.get("/summaries", params={"until": until}).status_code == 422


def test_more_than_can_be_summed_up_is_said(jill: TestClient, knowledge: MemoryKnowledge, monkeypatch):
    monkeypatch.setattr("webvigil.app.telling.summaries.MOST_CHANGES", 2)
    for name in ("a", "b", "c"):
        finds(knowledge, name)
    text = jill.get("/summaries").text
    assert "the newest 2 are" in text
    assert entries(text) == ["c", "b"]


def test_the_page_of_summaries_is_linked_from_the_others(jill: TestClient):
    assert '<a href="/summaries" aria-current="page">' in jill.get("/summaries").text
    assert '<a href="/summaries">' in jill.get("/").text
    assert '<a class="plainlink" href="/summaries">' in jill.get("/more").text
    assert '<a href="/summaries"' in jill.get("/bulletin").text


def test_hostile_names_stay_words(jill: TestClient, knowledge: MemoryKnowledge):
    knowledge.sentinels.add(
        sentinel(
            "<script>x", "http://a.test/<b>", text="Create Sentinel s Using http://a.test/", topic='"><i>t'
        )
    )
    for claim in claim_all(knowledge):
        found = new_change(claim.pages[0].watches[0].sentinel, 1, 2)
        knowledge.schedule.finish(
            claim, [checked(claim, claim.pages[0], version=new_version(1), changes=(found,))]
        )
    for address in ("/summaries", "/summaries?by=topic", "/summaries?order=topic"):
        text = jill.get(address).text
        assert "<script>x" not in text
        assert "<i>t" not in text
        assert "&lt;script&gt;x" in text


def test_the_bulletin_of_many_sentinels_comes_in_pieces(
    jill: TestClient, knowledge: MemoryKnowledge, monkeypatch
):
    monkeypatch.setattr("webvigil.web.bulletin.RECORDS_SHOWN", 2)
    for name in ("a", "b", "c"):
        finds(knowledge, name)
    text = jill.get("/bulletin").text
    assert re.findall(r'<h3><a class="plainlink" href="/sentinels/(\w)">', text) == ["c", "b"]
    (more,) = re.findall(r'<a href="(/bulletin\?[^"]*skip=2)"', text)
    assert re.findall(
        r'<h3><a class="plainlink" href="/sentinels/(\w)">', jill.get(more.replace("&amp;", "&")).text
    ) == ["a"]


def test_sentinels_are_called_by_their_titles_and_their_state_by_plain_words(
    jill: TestClient, knowledge: MemoryKnowledge
):
    finds(knowledge, "lamps", title="Lamps by the quay")
    text = jill.get("/summaries").text
    assert "<small><bdi>Lamps by the quay</bdi> ·" in text
    assert '<a class="plainlink" href="/sentinels/lamps">Lamps by the quay</a>' in text
    assert "Watching</span>" in text
    assert ">active<" not in text
