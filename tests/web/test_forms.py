"""What was written into a form is still there when it cannot be taken."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import sentinel
from tests.web.doors import browser_of
from webvigil.app.settings import read_settings
from webvigil.model.life import is_endless
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0)
    made.users.add("root", role="admin")
    return made


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))


@pytest.fixture
def root(application: FastAPI, knowledge: MemoryKnowledge) -> TestClient:
    return browser_of(application, knowledge, "root")


@pytest.mark.parametrize(
    ("place", "data", "kept"),
    [
        ("/users", {"name": "a/b", "role": "admin"}, {"name": "a/b"}),
        (
            "/account/contacts",
            {"channel": "apprise", "address": "team", "url": "nothing://x"},
            {"address": "team", "url": "nothing://x"},
        ),
        (
            "/account/preferences",
            {"quiet": "25:00-x", "rate": "7", "summary_at": "09:30", "order": "topic"},
            {"quiet": "25:00-x", "rate": "7", "summary_at": "09:30"},
        ),
    ],
)
def test_a_form_that_cannot_be_taken_comes_back_as_it_was_written(
    root: TestClient, place: str, data: dict[str, str], kept: dict[str, str]
):
    answer = root.post(place, data=data)
    assert answer.status_code == 400
    for name, text in kept.items():
        assert re.search(f'name="{name}" value="{re.escape(text)}"', unescape(answer.text)), name
    chosen = data.get("role") or data.get("order")
    assert chosen is None or re.search(f"<option[^>]* selected>{chosen}", answer.text)


@pytest.mark.parametrize(
    ("place", "data", "status", "said"),
    [
        ("/add", {"url": "nonsense"}, 400, "'nonsense' is not a web address"),
        ("/add/look", {"url": ""}, 400, "Give the address of a page"),
        ("/add/text", {"text": " "}, 400, "Write at least one sentinel"),
        ("/add/text", {"text": "Create Sentinel ]"}, 400, "line 1, column 17: expected a name"),
        ("/sentinels/news/text", {"text": " "}, 400, "the text of one sentinel is wanted"),
        ("/sentinels/news/text", {"text": "Create Sentinel ]"}, 400, "expected a name"),
        ("/account/zone", {"zone": "Mars/Base"}, 400, "'Mars/Base' is no time zone"),
        ("/account/password", {"new": "short"}, 400, "at least"),
        ("/account/logins/forget", {"url": "https://a.test/"}, 404, "there is no log-in for https://a.test/"),
        ("/users/root/role", {"role": "user"}, 400, "root is the only administrator"),
        ("/users/root/remove", {}, 400, "root is the only administrator"),
        ("/community/agents", {"name": "none", "peer": "x"}, 400, "there is no sentinel 'none'"),
        ("/discover", {}, 400, "Choose what to look for"),
        ("/import/archive", {}, 400, "Choose a file first."),
        ("/sign-in", {"name": "root", "password": "wrong"}, 401, "Name and password do not belong together."),
    ],
)
def test_a_form_that_cannot_be_taken_says_why_with_a_status_that_programs_know(
    root: TestClient, knowledge: MemoryKnowledge, place: str, data: dict[str, str], status: int, said: str
):
    knowledge.sentinels.add(
        sentinel("news", user="root", text="Create Sentinel news Using http://site.test/")
    )
    answer = root.post(place, data=data, follow_redirects=False)
    assert answer.status_code == status
    (told,) = re.findall(r'role="alert"[^>]*>(.*?)</', unescape(answer.text), re.DOTALL)
    assert said in told


@pytest.mark.parametrize(
    ("place", "data", "leads_to"),
    [
        ("/account/notices/retry", {}, "/account/telling"),
        ("/account/notices/1/retry", {}, "/account/telling"),
        ("/account/preferences", {"quiet": "22:00-07:00"}, "/account/telling"),
        ("/account/scores", {}, "/account#scores"),
        ("/account/share-pages", {"share": "on"}, "/account#community"),
        ("/account/zone", {"zone": "Europe/Vienna"}, "/account"),
        ("/account/zone", {"zone": "Europe/Vienna", "to": "/inbox"}, "/inbox"),
        ("/add/look", {"url": "http://site.test/"}, "/add?url=http%3A%2F%2Fsite.test%2F"),
        ("/add/text", {"text": "Create Sentinel more Using http://site.test/"}, "/sentinels/more"),
        ("/changes/seen", {}, "/inbox"),
        ("/community/broadcasts", {"text": "Hello"}, "/community/agents"),
        ("/community/broadcasts/end", {}, "/community/agents"),
        ("/health/notices/1/retry", {}, "/health"),
        ("/sentinels/news/edit", {}, "/sentinels/news"),
        ("/sentinels/news/text", {"text": "Create Sentinel news Using http://b.test/"}, "/sentinels/news"),
        ("/sign-out", {}, "/sign-in"),
        ("/users/jill/remove", {}, "/users"),
        ("/users/jill/role", {"role": "admin"}, "/users"),
    ],
)
def test_a_form_that_was_taken_leads_on_to_a_page_that_can_be_loaded_again(
    root: TestClient, knowledge: MemoryKnowledge, place: str, data: dict[str, str], leads_to: str
):
    knowledge.users.add("jill")
    knowledge.sentinels.add(
        sentinel("news", user="root", text="Create Sentinel news Using http://site.test/")
    )
    answer = root.post(place, data=data, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, leads_to)


class TestImport:
    def test_what_was_pasted_can_be_mended_on_the_page(self, root: TestClient):
        answer = root.post("/import", data={"text": "Create Sentinel ] x"})
        assert answer.status_code == 200
        assert "Create Sentinel ] x</textarea>" in answer.text
        assert 'href="/import"' in answer.text

    def test_what_is_nothing_at_all_is_still_there(self, root: TestClient):
        answer = root.post("/import", data={"text": '{"what": 1}\0'})
        assert answer.status_code == 400
        assert "{&#34;what&#34;: 1}" in answer.text

    def test_words_are_no_addresses(self, root: TestClient):
        answer = root.post("/import", data={"text": "https://example.org/\nsome words"})
        assert "1 can be installed, 1 cannot" in answer.text
        assert "write it with http:// or https://" in answer.text


class TestSeveralAddresses:
    def test_words_between_them_are_told_and_nothing_is_lost(self, root: TestClient):
        text = "https://example.org/\nnot an address"
        answer = root.post("/add/look", data={"url": text})
        assert answer.status_code == 400
        assert f"{text}</textarea>" in answer.text
        assert "&#39;not&#39; is not a web address" in answer.text

    def test_all_of_them_are_listed_and_nothing_asks_for_a_preview(self, root: TestClient):
        answer = root.get("/add", params={"url": "https://example.org/a https://example.org/b"})
        assert "<li>https://example.org/b</li>" in answer.text
        assert "/add/preview" not in answer.text


class TestTheEnd:
    """The form of a sentinel says when it ends, and writes it into its text."""

    @pytest.fixture
    def edit(self, root: TestClient, knowledge: MemoryKnowledge) -> Callable[..., Any]:
        written = "Create Sentinel s Using http://a.test/ Monitor all links"
        assert root.post("/add/text", data={"text": written}).status_code == 303

        def edited(**fields: str) -> Any:
            return root.post("/sentinels/s/edit", data={"monitor": "all links", **fields})

        return edited

    def end_in(self, root: TestClient) -> tuple[str, str]:
        shown = root.get("/sentinels/s/edit").text
        chosen = re.search(r'name="end" value="(\w*)" checked', shown)
        day = re.search(r'name="end_day" value="([^"]*)"', shown)
        assert chosen
        assert day
        return chosen[1], day[1]

    def test_a_year_is_chosen_at_first_and_stays_without_a_word(self, root: TestClient, knowledge, edit):
        kind, day = self.end_in(root)
        assert (kind, int(day[:4]) - datetime.now(UTC).year) == ("day", 1)
        before = knowledge.sentinels.get("root", "s").life.next_at
        assert edit(end=kind, end_day=day).status_code == 303
        assert edit().status_code == 303
        found = knowledge.sentinels.get("root", "s")
        assert found.life.next_at == before
        assert "To" not in found.text

    def test_it_never_ends_or_on_a_day(self, root: TestClient, knowledge, edit):
        _, year = self.end_in(root)
        assert edit(end="never", end_day=year).status_code == 303
        assert is_endless(knowledge.sentinels.get("root", "s").life)
        assert self.end_in(root) == ("never", "")
        assert edit(end="day", end_day="2093-05-17").status_code == 303
        assert "To 05/17/2093" in knowledge.sentinels.get("root", "s").text
        assert self.end_in(root) == ("day", "2093-05-17")
        assert "Until 17 May 2093" in re.sub("<[^>]*>", "", root.get("/sentinels/s").text)

    @pytest.mark.parametrize("day", ["", "tomorrow", "2020-01-01", "2027-02-30"])
    def test_a_day_that_cannot_be_taken_comes_back_with_the_reason(self, edit, knowledge, day: str):
        refused = edit(end="day", end_day=day, topic="new")
        assert refused.status_code == 400
        assert f'name="end_day" value="{day}"' in refused.text
        assert 'name="topic" value="new"' in refused.text
        assert "Topic" not in knowledge.sentinels.get("root", "s").text

    def test_an_end_with_another_sentinel_stays(self, root: TestClient, knowledge, edit):
        edit()
        written = "Create Sentinel t Using http://a.test/ To end(s)"
        root.post("/add/text", data={"text": written})
        assert "As now: " in root.get("/sentinels/t/edit").text
        root.post("/sentinels/t/edit", data={"topic": "new", "end": "", "end_day": ""})
        assert "To end(s)" in knowledge.sentinels.get("root", "t").text


def test_a_contact_that_was_removed_leads_back_to_the_others(root: TestClient):
    contact = {"channel": "webhook", "address": "https://a.test/"}
    assert root.post("/account/contacts", data=contact).status_code == 200
    answer = root.post("/account/contacts/remove", data=contact, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/account/telling")
