"""The page on which people say how and when they are told, and what could not be delivered (N4–N6)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import notice, sentinel
from tests.web.doors import browser_of, stranger
from webvigil.app.settings import read_settings
from webvigil.fetch.login import Seal
from webvigil.model.notice import Notice
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

PAGE = "/account/telling"


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("root", role="admin")
    made.users.add("jill")
    made.users.add("jack")
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    settings = read_settings({"smtp_host": "mail.test", "data": str(tmp_path)}, environment={})
    made = create_application(knowledge, settings)
    made.state.seal = Seal(b"k" * 32)
    return made


@pytest.fixture
def jill(application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    return browser_of(application, knowledge, "jill")


def secrets(text: str) -> list[str]:
    """Returns what is shown this once, with a button to copy it."""
    return re.findall(
        r'<input class="code" value="([^"]+)" readonly[^>]*> <button type="button" data-copy', text
    )


def test_an_address_is_asked_and_shown_as_not_confirmed(jill: TestClient, knowledge: MemoryKnowledge):
    answer = jill.post("/account/contacts", data={"channel": "email", "address": "jill@example.org"})
    assert "Not confirmed yet" in answer.text
    (asked,) = knowledge.outbox.all("jill")
    assert (asked.notice.address, asked.notice.subject) == ("jill@example.org", "Is this your address?")
    gone = jill.post("/account/contacts/remove", data={"channel": "email", "address": "jill@example.org"})
    assert gone.status_code == 303
    assert knowledge.contacts.all("jill") == []


def test_the_secret_of_a_webhook_is_shown_once(jill: TestClient):
    made = jill.post("/account/contacts", data={"channel": "webhook", "address": "https://h.test/"})
    (secret,) = secrets(made.text)
    assert len(secret) > 30
    assert secret not in jill.get(PAGE).text


def test_a_feed_is_made_read_and_ended(jill: TestClient, application: FastAPI, knowledge: MemoryKnowledge):
    text = "Create Sentinel s Using http://site.test/ Topic press"
    knowledge.sentinels.add(sentinel("s", topic="press", text=text))
    assert "the topic press" in jill.get(PAGE).text
    made = jill.post("/account/contacts", data={"channel": "feed", "address": "topic:press"})
    address = secrets(made.text)[0].removeprefix("http://testserver")
    assert stranger(application).get(address).status_code == 200
    jill.post("/account/contacts/remove", data={"channel": "feed", "address": "topic:press"})
    assert stranger(application).get(address).status_code == 404


def test_a_feed_of_one_sentinel_is_made_on_its_page_and_gets_another_address(
    jill: TestClient, application: FastAPI, knowledge: MemoryKnowledge
):
    knowledge.sentinels.add(sentinel("s", text="Create Sentinel s Using http://site.test/"))
    shown = jill.get("/sentinels/s").text
    assert 'name="address" value="sentinel:s"' in shown
    assert "Make a feed" in shown
    wanted = {"channel": "feed", "address": "sentinel:s"}
    first, second = (secrets(jill.post("/account/contacts", data=wanted).text)[0] for _ in range(2))
    assert stranger(application).get(first).status_code == 404, "the old address ends"
    assert stranger(application).get(second).status_code == 200
    assert "Another address" in jill.get("/sentinels/s").text
    told = jill.get(PAGE).text
    assert "Feed and calendar of the sentinel s" in told
    assert second not in told, "it is shown once"
    jack = browser_of(application, knowledge, "jack")
    assert jack.post("/account/contacts", data=wanted).status_code == 400, "not his sentinel"


def test_preferences_are_kept(jill: TestClient, knowledge: MemoryKnowledge):
    data = {"quiet": "22:00-7:00", "rate": "5", "summary_at": "09:30", "order": "topic"}
    assert jill.post("/account/preferences", data=data).status_code == 303
    kept = knowledge.contacts.preferences("jill")
    assert (kept.quiet_from, kept.quiet_to, kept.rate, kept.summary_at, kept.order) == (
        22 * 60,
        7 * 60,
        5,
        570,
        "topic",
    )
    assert 'value="22:00-07:00"' in jill.get(PAGE).text


@pytest.mark.parametrize(
    ("place", "data", "said"),
    [
        ("contacts", {"channel": "email", "address": "nobody"}, "nobody"),
        ("contacts", {"channel": "apprise", "address": "two words", "url": "json://x"}, "two words"),
        ("contacts", {"channel": "feed", "address": "planet:mars"}, "planet:mars"),
        ("contacts/remove", {"channel": "email", "address": "<script>x"}, ""),
        ("preferences", {"quiet": "<script>x"}, "&lt;script&gt;x"),
        ("preferences", {"order": "colour"}, "colour"),
    ],
)
def test_what_cannot_be_meant_is_said(jill: TestClient, place: str, data: dict[str, str], said: str):
    answer = jill.post(f"/account/{place}", data=data)
    assert answer.status_code == 400
    assert said in answer.text
    assert "<script>x" not in answer.text


def give_up(knowledge: MemoryKnowledge, one: Notice) -> int:
    knowledge.outbox.add(one)
    (item,) = knowledge.outbox.claim("w", count=1, lease=1000)
    assert knowledge.outbox.give_up(item, error="no such host")
    return item.id


def test_what_could_not_be_delivered_is_tried_again(
    jill: TestClient, application: FastAPI, knowledge: MemoryKnowledge
):
    dead = give_up(knowledge, notice())
    assert "no such host" in jill.get(PAGE).text
    jack = browser_of(application, knowledge, "jack")
    assert "no such host" not in jack.get(PAGE).text
    jack.post(f"/account/notices/{dead}/retry")
    assert len(knowledge.outbox.given_up()) == 1, "not his"
    assert jill.post(f"/account/notices/{dead}/retry").headers["location"] == PAGE
    assert knowledge.outbox.given_up() == []


def test_an_administrator_tries_anybodys_again(application: FastAPI, knowledge: MemoryKnowledge):
    dead = give_up(knowledge, notice())
    root = browser_of(application, knowledge, "root")
    assert f"/health/notices/{dead}/retry" in root.get("/health").text
    assert root.post(f"/health/notices/{dead}/retry").headers["location"] == "/health"
    assert knowledge.outbox.given_up() == []


def test_the_journal_calls_sentinels_by_their_titles(application: FastAPI, knowledge: MemoryKnowledge):
    text = 'Create Sentinel s9 Using http://site.test/ Title "Prices <today>"'
    knowledge.sentinels.add(sentinel("s9", text=text))
    shown = browser_of(application, knowledge, "root").get("/health").text
    assert re.search(r"added: Prices &lt;today&gt; <span [^>]*>s9<", shown)


class TestATest:
    def test_a_contact_is_tried_and_what_became_of_it_stands_beside_it(
        self, jill: TestClient, knowledge: MemoryKnowledge
    ):
        address = "https://hook.test/a"
        jill.post("/account/contacts", data={"channel": "webhook", "address": address})
        assert "No message yet." in jill.get("/account/telling").text
        asked = {"channel": "webhook", "address": address}
        assert "A test is on its way" in jill.post("/account/contacts/test", data=asked).text
        assert "within this minute already" in jill.post("/account/contacts/test", data=asked).text
        (item,) = knowledge.outbox.claim("w", count=5, lease=10_000)
        assert (item.notice.subject, item.notice.body["event"]) == ("A test of WebVigil", "test")
        knowledge.outbox.give_up(item, error="the server answered 410")
        shown = jill.get("/account/telling").text
        assert "Not delivered" in shown
        assert "the server answered 410" in shown

    def test_only_contacts_of_ones_own_are_tried(self, jill: TestClient, knowledge: MemoryKnowledge):
        asked = {"channel": "webhook", "address": "https://hook.test/other"}
        assert jill.post("/account/contacts/test", data=asked).status_code == 404
        assert knowledge.outbox.all("jill") == []
