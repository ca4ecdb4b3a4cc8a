"""What else changed on a page is told apart from what the sentinel found; search finds names and lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.site import Site
from tests.web.doors import program_of
from tests.web.test_quiet import look
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

PAGE = (
    "<title>The shop</title><h1>Lamps</h1><p>{1}</p>"
    "<table><caption>Prices</caption><tr><th>Name<th>Price</tr><tr><td>Aurora<td>{0}</tr><tr><td>Polaris<td>5</tr></table>"
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0", "user": "jill"}
    return read_settings(given, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    with opened(settings) as made:
        yield made


@pytest.fixture
def jill(site: Site, knowledge: Knowledge, settings: Settings) -> Iterator[TestClient]:
    """Yields a client of Jill, who watches the table of a page whose table and a sentence have changed."""
    page = site.page("/shop", PAGE.format("10", "We open at nine."))
    install_text(
        knowledge, settings, f"Create Sentinel shop Using {page.url} Monitor table: {{1}} Fetch 1 hour"
    )
    look(knowledge, settings)
    (watched,) = knowledge.sentinels.get("jill", "shop").pages
    page.becomes(PAGE.format("12", "We open at ten."))
    knowledge.schedule.ask(watched.id)
    look(knowledge, settings)
    with program_of(create_application(knowledge, settings), knowledge, "jill", "write") as client:
        yield client


def test_the_sentinel_tells_its_own_and_the_rest_of_the_page_is_apart(jill: TestClient):
    (change,) = jill.get("/api/v1/changes").json()
    assert change["headline"] == "Aurora · Price: 10 → 12 (+20\u00a0%)"
    assert change["title"] == "The shop"
    others = jill.get(f"/api/v1/changes/{change['id']}/others").json()
    assert (others["count"], others["headline"]) == (1, "Lamps: We open at nine → We open at ten")
    assert [one["label"] for one in others["finding"]["objects"]] == ["Lamps"]


def test_pages_of_a_sentinel_have_their_title(jill: TestClient):
    (page,) = jill.get("/api/v1/sentinels/shop").json()["pages"]
    assert page["title"] == "The shop"


@pytest.mark.parametrize("words", ["aurora", "price", "prices", '"aurora 12"'])
def test_search_finds_labels_sections_and_the_line_around(jill: TestClient, words: str):
    (found,) = jill.get("/api/v1/search", params={"q": words}).json()
    assert found["sentinel"] == "shop"


def test_nobody_sees_the_others_of_a_change_that_is_not_theirs(
    jill: TestClient, knowledge: Knowledge, settings: Settings
):
    (change,) = jill.get("/api/v1/changes").json()
    knowledge.users.add("jack")
    with program_of(create_application(knowledge, settings), knowledge, "jack", "write") as jack:
        assert jack.get(f"/api/v1/changes/{change['id']}/others").status_code == 404
