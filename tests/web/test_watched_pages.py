"""The pages that somebody watches: what is kept of each, and any two versions compared (R6)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all, new_version, sentinel
from tests.web.doors import browser_of
from webvigil.app.operating.stores import opened
from webvigil.app.people.passes import passes_of
from webvigil.app.settings import Settings, read_settings
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"data": str(tmp_path), "host_delay": "0"}, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    with opened(settings) as made:
        for name in ("jill", "jack"):
            made.users.add(name)
        made.users.add("root", role="admin")
        yield made


@pytest.fixture
def application(knowledge: Knowledge, settings: Settings) -> FastAPI:
    return create_application(knowledge, settings)


@pytest.fixture
def jill(application: FastAPI, knowledge: Knowledge) -> Iterator[TestClient]:
    with browser_of(application, knowledge, "jill") as client:
        client.headers["accept"] = "text/html"
        yield client


@pytest.fixture
def page(knowledge: Knowledge) -> int:
    """One with three versions."""
    knowledge.sentinels.add(sentinel("news"))
    for number in (1, 2, 3):
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(number))])
        knowledge.schedule.ask(due.id)
    return due.id


def test_pages_are_listed_and_found_by_their_address(jill: TestClient, knowledge: Knowledge, page: int):
    url = knowledge.sentinels.get("jill", "news").pages[0].url
    assert url in jill.get("/pages").text
    assert url in jill.get("/pages", params={"words": url[8:12]}).text
    assert "No page that you watch" in jill.get("/pages", params={"words": "elsewhere"}).text


def test_without_pages_it_is_said_what_will_be_here(jill: TestClient):
    assert "Add the first one" in jill.get("/pages").text


def test_many_pages_come_in_pieces(jill: TestClient, knowledge: Knowledge):
    knowledge.sentinels.add(sentinel("many", *(f"https://site{number}.test/" for number in range(120))))
    seen, path = 0, "/pages"
    while path:
        answer = jill.get(path).text
        seen += answer.count('<td><a href="/pages/')
        path = answer.partition('<a href="/pages?')[2].partition('"')[0].replace("&amp;", "&")
        path = path and f"/pages?{path}"
    assert seen == 120


def test_a_page_has_its_versions_looks_and_sentinels(jill: TestClient, page: int):
    text = jill.get(f"/pages/{page}").text
    assert text.count('type="radio"') == 6
    assert '<a href="/sentinels/news">news</a>' in text
    assert f'href="/pages/{page}/versions/2"' in text
    assert "<td>due</td>" in text


@pytest.mark.parametrize(
    ("a", "b", "old", "new"),
    [
        ("1", "3", 1, 3),
        ("3", "1", 1, 3),
        ("previous", "latest", 2, 3),
        ("first", "2", 1, 2),
        ("2", "2", 2, 2),
    ],
)
def test_two_versions_are_shown_the_older_one_as_the_old(
    application: FastAPI, settings: Settings, jill: TestClient, page: int, a: str, b: str, old: int, new: int
):
    application.state.shown_url, application.state.passes = "https://shown.test", passes_of(settings)
    text = jill.get(f"/pages/{page}/compare", params={"a": a, "b": b, "view": "dual"}).text
    pass_ = text.partition('src="https://shown.test/shown/')[2].partition('"')[0]
    said = passes_of(settings).read("shown", pass_) or {}
    assert (said["page"], said["old"], said["new"], said["how"]) == (page, old, new, "dual")
    assert said["frame"] == "http://testserver"
    assert f"a={old}&amp;b={new}&amp;view=text" in text


@pytest.mark.parametrize("name", ["9", "someday", "", "<script>", "0" * 60])
def test_what_names_no_version_is_told(jill: TestClient, page: int, name: str):
    answer = jill.get(f"/pages/{page}/compare", params={"a": name})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "<script>" not in answer.text.partition("<main")[2]


def test_without_a_second_address_the_command_is_told(jill: TestClient, page: int):
    assert "webvigil compare" in jill.get(f"/pages/{page}/compare").text


@pytest.mark.parametrize("path", ["", "/compare", "/versions/1"])
def test_pages_are_there_for_those_who_watch_them(
    application: FastAPI, knowledge: Knowledge, jill: TestClient, page: int, path: str
):
    jack, root = browser_of(application, knowledge, "jack"), browser_of(application, knowledge, "root")
    assert jack.get(f"/pages/{page}{path}").status_code == 404
    assert jill.get(f"/pages/{page + 1}{path}").status_code == 404
    assert path == "/versions/1" or root.get(f"/pages/{page}{path}").status_code == 200
    assert "/pages/" not in jack.get("/pages").text.partition("<main")[2]
