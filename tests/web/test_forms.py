"""What was written into a form is still there when it cannot be taken."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.web.doors import browser_of
from webvigil.app.settings import read_settings
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
