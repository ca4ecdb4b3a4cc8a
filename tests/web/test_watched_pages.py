"""The pages that somebody watches: what is kept of each, and any two versions compared (R6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from PIL import Image

from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from tests.web.doors import browser_of
from webvigil.app.operating.stores import opened, repository
from webvigil.app.people.passes import passes_of
from webvigil.app.settings import Settings, read_settings
from webvigil.model.version import Answer
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
    """Returns the id of a page with three versions."""
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
        seen += answer.count('<a class="plainlink" href="/pages/')
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


def test_versions_of_a_page_come_in_pieces(jill: TestClient, knowledge: Knowledge, page: int):
    for number in range(4, 121):
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(number, str(number)))])
        knowledge.schedule.ask(due.id)
    seen: list[int] = []
    path = f"/pages/{page}"
    while path:
        text = jill.get(path).text
        seen += map(int, re.findall(r'name="b" value="(\d+)"', text))
        path = text.partition('<div class="readout"><a href="')[2].partition('"')[0]
    assert seen == [*range(120, 0, -1)]
    track = jill.get(f"/pages/{page}/compare?a=59&b=60").text
    assert re.findall(r'data-number="(\d+)"', track) == [str(one) for one in range(80, 20, -1)]
    assert "60 of 120 versions" in track


def test_the_time_machine_leads_to_the_change_that_a_version_brought(
    jill: TestClient, knowledge: Knowledge, page: int
):
    (claim,) = claim_all(knowledge)
    (due,) = claim.pages
    change = new_change(due.watches[0].sentinel, 3, 4)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(4, "4"), changes=(change,))])
    found = knowledge.changes.all("jill")[0].id
    text = jill.get(f"/pages/{page}/compare", params={"a": "1", "b": "2", "sentinel": "news"}).text
    assert text.count('class="hitv"') == 1
    assert f'href="/changes/{found}?view=single"' in text
    other = jill.get(f"/pages/{page}/compare", params={"a": "1", "b": "2", "sentinel": "other"}).text
    assert 'class="hitv"' not in other
    beside = jill.get(f"/changes/{found}").text
    assert f'href="/pages/{page}/compare?a=2&amp;b=3&amp;view=single&amp;sentinel=news"' in beside


def test_a_calendar_tells_on_which_days_the_page_changed(jill: TestClient, page: int):
    assert "0 changes on 0 days in the last year" in jill.get(f"/pages/{page}").text


def test_the_picture_of_a_version_is_shown_small(
    application: FastAPI, settings: Settings, knowledge: Knowledge, jill: TestClient, page: int
):
    file = BytesIO()
    Image.new("RGB", (1280, 4000), "red").save(file, "PNG")
    answer = Answer(url="http://site.test/", status=200, headers=(), body=b"red")
    key = repository(settings, knowledge.versions).keep(answer, picture=file.getvalue()).picture
    (claim,) = claim_all(knowledge)
    (due,) = claim.pages
    new = replace(new_version(4, "4"), picture=key)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new)])
    sent = jill.get(f"/pages/{page}/versions/4/thumbnail")
    assert sent.headers["content-type"] == "image/jpeg"
    with Image.open(BytesIO(sent.content)) as small:
        assert small.size == (320, 200)
    assert f"/pages/{page}/versions/4/thumbnail" in jill.get(f"/pages/{page}").text
    assert jill.get(f"/pages/{page}/versions/3/thumbnail").status_code == 404
    jack = browser_of(application, knowledge, "jack")
    assert jack.get(f"/pages/{page}/versions/4/thumbnail").status_code == 404
