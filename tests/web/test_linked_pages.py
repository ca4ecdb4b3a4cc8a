"""Linked pages on the dashboard, in the API and on the command line (B7)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.store.making import checked, claim_all
from tests.web.doors import browser_of, program_of
from webvigil.app.sentinels.first_look import NOBODY_LOOKS
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import read_settings
from webvigil.cli.main import webvigil as group
from webvigil.language import parse
from webvigil.model.following import Lead, Limits, PageLinks
from webvigil.model.page import Page
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.web.application import create_application

ROOT = "https://site.test/"
TEXT = f"Create Sentinel news Using {ROOT}\nMonitor all words\nDepth 2\n"


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[Knowledge]:
    """Yields a store whose page links to two pages, one of which links to a third."""
    made = SqlKnowledge(f"sqlite:///{tmp_path / 'webvigil.sqlite3'}", delay=0)
    made.users.add("me", role="admin")
    settings = read_settings({"data": str(tmp_path)}, environment={})
    install_text(made, settings, TEXT)
    web = {ROOT: ["a", "b"], f"{ROOT}a": ["c"]}
    for _ in range(3):
        for claim in claim_all(made):
            made.schedule.finish(claim, [_look(claim, page, web) for page in claim.pages])
        while made.sentinels.follow(Limits(most=3, patience=1000)):
            pass
    yield made
    made.close()


def _look(claim, page, web):
    found = tuple(
        PageLinks(
            part=part,
            version=1,
            leads=tuple(Lead(Page(url=ROOT + name), near=True) for name in web.get(page.page.url, ())),
            more=True,
        )
        for part in {watch.follows for watch in page.watches} - {None}
    )
    return checked(claim, page, links=found)


@pytest.fixture
def application(knowledge: Knowledge, tmp_path: Path) -> FastAPI:
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))


@pytest.fixture
def browser(application: FastAPI, knowledge: Knowledge) -> Iterator[TestClient]:
    with browser_of(application, knowledge, "me") as client:
        yield client


def test_the_page_of_a_sentinel_lists_them_by_level(browser: TestClient):
    shown = browser.get("/sentinels/news").text
    assert "Pages that it links to: 2" in shown
    assert "Pages that those link to: 1" in shown
    assert "There are more links than it may watch: 100 at most" in shown
    assert ", 3 linked" in browser.get("/sentinels").text


def test_the_api_tells_them_with_the_page_of_the_link(application: FastAPI, knowledge: Knowledge):
    with program_of(application, knowledge, "me", "write") as program:
        found = program.get("/api/v1/sentinels/news").json()
        assert program.post("/api/v1/sentinels/news/run").json() == {
            "name": "news",
            "pages": 4,
            "warnings": [NOBODY_LOOKS],
        }
    assert [page["url"] for page in found["pages"]] == [ROOT]
    assert (found["linked"], found["full"]) == (3, True)
    assert [(page["url"], page["level"], page["via"]) for page in found["linked_pages"]] == [
        (f"{ROOT}a", 1, ROOT),
        (f"{ROOT}b", 1, ROOT),
        (f"{ROOT}c", 2, f"{ROOT}a"),
    ]


def test_show_lists_them_by_level(knowledge: Knowledge, tmp_path: Path):
    told = CliRunner().invoke(group, ["show", "news", "--data", str(tmp_path)]).output
    assert "pages that it links to: 2\n  https://site.test/a:" in told
    assert "pages that those link to: 1\n  https://site.test/c:" in told
    assert "there are more links: at most 100 are watched (the setting linked_pages)" in told


def test_watch_takes_a_depth(knowledge: Knowledge, tmp_path: Path):
    done = CliRunner().invoke(
        group, ["watch", "https://other.test/", "--name", "o", "--depth", "1", "--data", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    assert parse(knowledge.sentinels.get("me", "o").text)[0].depth == 1


def test_the_forms_have_a_field_for_it(browser: TestClient, knowledge: Knowledge):
    form = {"url": "https://other.test/", "choice": "any change\n", "name": "other", "depth": "1"}
    assert browser.post("/add", data=form).status_code == 303
    assert parse(knowledge.sentinels.get("me", "other").text)[0].depth == 1
    assert '<option value="1" selected>' in browser.get("/sentinels/other/edit").text
    assert browser.post("/sentinels/other/edit", data={"depth": "2"}).status_code == 303
    assert parse(knowledge.sentinels.get("me", "other").text)[0].depth == 2
    assert browser.post("/sentinels/other/edit", data={"depth": "7"}).status_code == 400
    assert browser.post("/sentinels/other/edit", data={"depth": "0"}).status_code == 303
    assert parse(knowledge.sentinels.get("me", "other").text)[0].depth == 0


def test_a_form_without_it_leaves_the_text_as_it_is(browser: TestClient, knowledge: Knowledge):
    browser.post("/add", data={"url": "https://other.test/", "choice": "any change\n", "name": "other"})
    text = knowledge.sentinels.get("me", "other").text
    assert "Depth" not in text
    fields = {"monitor": "any change", "fetch": "on change", "depth": "0"}
    browser.post("/sentinels/other/edit", data=fields)
    assert knowledge.sentinels.get("me", "other").text == text
