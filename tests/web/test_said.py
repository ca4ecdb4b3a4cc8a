"""What the form for a new sentinel says: addresses, the choice, and where it leads."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient

from tests.web.doors import browser_of
from webvigil.app.settings import read_settings
from webvigil.language import print_sentinel
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.application import create_application
from webvigil.web.dashboard.add import MOST_ADDRESSES, Said, addresses, sentinel_of


@pytest.fixture
def jill(tmp_path: Path) -> TestClient:
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    settings = read_settings({"data": str(tmp_path)}, environment={})
    return browser_of(create_application(knowledge, settings), knowledge, "jill")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a.test", ["https://a.test/"]),
        (" http://a.test/x\n  b.test\thttp://a.test/x ", ["http://a.test/x", "https://b.test/"]),
    ],
)
def test_addresses_are_words_each_counted_once(text: str, found: list[str]):
    assert list(addresses(text)) == found


def test_there_are_so_many_addresses_at_a_time():
    some = [f"http://a.test/{number}" for number in range(MOST_ADDRESSES + 1)]
    assert len(addresses(" ".join(some[:-1]))) == MOST_ADDRESSES == 200
    with pytest.raises(ValueError, match="These are 201 addresses; at most 200 at a time"):
        addresses(" ".join(some))
    for nothing in ("", " \n"):
        with pytest.raises(ValueError, match="Give the address of a page"):
            addresses(nothing)


@pytest.mark.parametrize(
    ("fields", "monitor", "part"),
    [
        ({}, "", ""),
        ({"choice": "all links"}, "all links", ""),
        ({"choice": " all links \r\n #main "}, "all links", "#main"),
        ({"choice": "all links\n#main", "within": " #other "}, "all links", "#other"),
        ({"choice": "own", "own": " all images "}, "all images", ""),
        ({"choice": "all links", "own": "all images"}, "all links", ""),
        ({"choice": "phrase", "phrase": " new   offer "}, "phrase: {new offer}", ""),
        ({"choice": "phrase\n#main", "phrase": "x"}, "phrase: {x}", "#main"),
    ],
)
def test_a_choice_is_an_expression_and_a_part(fields: dict[str, str], monitor: str, part: str):
    said = Said(**fields)
    assert (said.monitor, said.part) == (monitor, part)


def test_a_phrase_that_was_not_written_is_asked_for():
    with pytest.raises(ValueError, match="Write the words that shall be watched"):
        sentinel_of(Said(url="http://a.test/", choice="phrase", phrase="  "))


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({}, ["Fetch on change"]),
        ({"name": "  tea  "}, ["Fetch on change"]),
        ({"fetch": "6 hour"}, ["Fetch 6 hour"]),
        ({"fetch": "no such time"}, []),
        ({"choice": "all links\n#main"}, ["Monitor all links", 'Within css "#main"', "Fetch on change"]),
        ({"depth": "1"}, ["Depth 1", "Fetch on change"]),
        ({"depth": ""}, ["Fetch on change"]),
        ({"render": "browser"}, ["Fetch on change", "Render browser"]),
        ({"topic": "press, tea"}, ["Fetch on change", "Topic press, tea"]),
        ({"end": "never"}, ["Fetch on change", "To 12/31/9999"]),
    ],
)
def test_a_sentinel_says_what_the_form_said(fields: dict[str, str], lines: list[str]):
    text = print_sentinel(sentinel_of(Said(url="http://a.test/", **fields)))
    name = "tea" if "name" in fields else "new"
    first, *others = text.splitlines()
    assert first == f"Create Sentinel {name} Using http://a.test/"
    assert sorted(one.strip() for one in others) == sorted(lines)


ASKED = {"method": "POST", "kind": "form", "body": "q=tea"}


@pytest.mark.parametrize(
    ("sent", "place", "query"),
    [
        ({}, "/add", {}),
        ({"render": "browser"}, "/add", {"render": "browser"}),
        ({"way": "pick"}, "/add/pick", {}),
        ({"way": "pick", "render": "browser"}, "/add/pick", {"render": "browser"}),
        ({"way": "steps", "render": "browser"}, "/add/steps", {}),
        ({"cookies": "  ", "headers": "\n"}, "/add", {}),
    ],
)
def test_an_address_leads_to_the_way_that_was_chosen(
    jill: TestClient, sent: dict[str, str], place: str, query: dict[str, str]
):
    answer = jill.post("/add/look", data={"url": "a.test", **sent})
    wanted = urlencode({"url": "https://a.test/", **query})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{place}?{wanted}")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({**ASKED, "way": "pick"}, "A request is sent without a browser: choose Look at it"),
        ({"url": "a.test b.test", "cookies": "a=b"}, "Log in to one page at a time: give one address"),
        ({"url": "a.test b.test", "headers": "A: b"}, "Log in to one page at a time: give one address"),
        ({"url": "a.test b.test", "secrets": "a=b"}, "Log in to one page at a time: give one address"),
    ],
)
def test_what_does_not_go_together_is_said(jill: TestClient, sent: dict[str, str], said: str):
    answer = jill.post("/add/look", data={"url": "a.test", **sent})
    assert (answer.status_code, said in answer.text) == (400, True)


def test_a_request_is_sent_where_the_page_is_looked_at(jill: TestClient):
    answer = jill.post("/add/look", data={"url": "a.test", **ASKED})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/add?url=https%3A%2F%2Fa.test%2F&asking=")
