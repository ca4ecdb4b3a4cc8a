"""A user is told of sentinels that ask for the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.web.doors import browser_of, program_of
from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application

SAID = "it asks for the same as lamp; remove one of them, or you are told twice"


@pytest.fixture
def doors(tmp_path: Path) -> tuple[TestClient, TestClient, TestClient]:
    """Returns a browser and a program of Jill, and a program of Joe."""
    knowledge = MemoryKnowledge(delay=0)
    for name in ("jill", "joe"):
        knowledge.users.add(name)
    application = create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))
    programs = [program_of(application, knowledge, name, "write") for name in ("jill", "joe")]
    return browser_of(application, knowledge, "jill"), *programs


def warnings(program: TestClient, name: str, rest: str) -> list[str]:
    text = f"Create Sentinel {name} Using https://example.org/ {rest}"
    answer = program.post("/api/v1/sentinels", json={"text": text})
    assert answer.status_code == 201, answer.text
    told: list[str] = answer.json()[0]["warnings"]
    return told


def test_a_sentinel_that_asks_for_the_same_is_pointed_out(doors: tuple[TestClient, ...]):
    browser, jill, joe = doors
    assert warnings(jill, "lamp", "Monitor all links Fetch 2 day") == []
    assert warnings(jill, "other", "Monitor all links Fetch 3 day") == []
    assert warnings(joe, "mine", "Monitor all links Fetch 2 day") == []
    assert warnings(jill, "again", "Fetch 48 hours Monitor links Title 'Lamps' Topic shop") == [SAID]
    assert "Asks for the same as" in browser.get("/sentinels/lamp").text
    assert "Asks for the same as" not in browser.get("/sentinels/other").text


def test_equal_sentinels_of_one_text_point_at_each_other(doors: tuple[TestClient, ...]):
    _, jill, _ = doors
    text = "\n".join(f"Create Sentinel {name} Using https://example.org/" for name in ("a", "b"))
    answer = jill.post("/api/v1/sentinels", json={"text": text}).json()
    assert ["asks for the same as b" in answer[0]["warnings"][0], len(answer[1]["warnings"])] == [True, 1]


def test_sentinels_of_one_title_are_told_apart_by_what_they_watch(doors: tuple[TestClient, ...]):
    browser, jill, _ = doors
    for name, monitor in (("one", "all links"), ("two", "any change"), ("three", 'table caption "Prices"')):
        warnings(jill, name, f'Monitor {monitor} Title "Lamps"')
    rows = browser.get("/sentinels").text
    for words in ("links", "anything", "table “Prices”"):
        assert f'Lamps<span class="what"> · {words}</span>' in rows


def test_that_a_lone_sentinel_watches_anything_is_not_said(doors: tuple[TestClient, ...]):
    browser, jill, _ = doors
    warnings(jill, "lamp", "Monitor any change")
    assert 'class="what"' not in browser.get("/sentinels").text
