"""A week of one user, letter for letter: what the dashboard, the API and the messages say of it.

Real sentinels watch a real site on a virtual clock. After a change that is meant, write the files of
`tests/whole/week` anew and read what git says is different: `WRITE_WEEK=1 ./test tests/whole/test_week.py`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from lxml import html

from tests.app.worker.conftest import Watching
from tests.site import Site, SitePage
from tests.store.conftest import Clock
from tests.web.doors import browser_of
from webvigil.app.operating.stores import repository
from webvigil.app.settings import read_settings
from webvigil.fetch.http import Fetched, HttpFetcher
from webvigil.model.page import Page
from webvigil.store.sql.knowledge import SqlKnowledge
from webvigil.web.application import create_application

ADDRESS = "http://site.test"
FOLDER = Path(__file__).with_name("week")
HALF_A_DAY = 12 * 3600
SHOP = "<title>Shop</title><h1>Lamps</h1><table><tr><th>Name<th>Price<th>Stock{}</table>"
NEWS = "<title>News of the town</title><main><h1>News</h1>{}</main><footer>Seen {} times</footer>"
COURSE = "<title>Courses</title><ul>{}</ul><p>Seats left: <b id=seats>{}</b>"
FEED = "<rss><channel><title>Blog</title>{}</channel></rss>"
SENTINELS = (
    "lamps Using {shop} Monitor table: {{1}} Fetch 12 hour Notify By log",
    "news Using {news} Monitor any change Fetch 12 hour",
    "press Using {news} Monitor all links AND phrase: {{town hall}} Fetch 12 hour Notify By log",
    'seats Using {course} Monitor value css "#seats" Fetch 12 hour Notify By log When value < 3',
    "words Using {course} Monitor keywords: {{Latin, Greek}} Fetch 12 hour Notify By log Every 2 day",
    "blog Using {blog} Monitor all words except {{today}} Fetch 1 day Compare moving 2",
    "broken Using {broken} Monitor all words Fetch 12 hour",
)
PATHS = (
    "/",
    "/?days=7",
    "/inbox",
    "/inbox?sentinel=seats",
    "/sentinels",
    "/sentinels?state=failing",
    "/sentinels/lamps",
    "/sentinels/news",
    "/sentinels/seats",
    "/sentinels/words",
    "/sentinels/broken",
    "/sentinels/news/edit",
    "/sentinels/seats/values.csv",
    "/pages",
    "/pages/1",
    "/pages/2",
    "/pages/1/compare?a=1&b=3",
    "/changes/1",
    "/changes/2",
    "/changes/5",
    "/search?q=lamp",
    "/summaries",
    "/topics",
    "/add",
    "/account/telling",
)
ROUTES = (
    "sentinels",
    "sentinels/lamps",
    "sentinels/press/watched",
    "sentinels/seats/values",
    "timeline",
    "changes",
    "changes/1",
    "changes/3",
    "changes/4/others",
    "unread",
    "pages",
    "pages/1/versions",
    "pages/1/log",
    "pages/1/compare?a=1&b=2&monitor=all words",
    "pages/2/edits?a=1&b=2",
    "notices",
    "summary",
    "search?q=town",
    "topics",
    "preferences",
)


class Fetching:
    """Fetches pages of http://site.test/ from the site of the test. Its true port is another in each run."""

    def __init__(self, fetcher: HttpFetcher, site: Site) -> None:
        self._fetcher, self._address = fetcher, site.url.rstrip("/")

    async def __aexit__(self, *about: Any) -> None:
        await self._fetcher.__aexit__(*about)

    async def fetch(self, page: Page, *about: Any, **more: Any) -> Fetched:
        there = replace(page, url=page.url.replace(ADDRESS, self._address))
        found = await self._fetcher.fetch(there, *about, **more)
        if found.answer is None:
            return found
        return replace(found, answer=replace(found.answer, url=page.url))


def write(site: dict[str, SitePage], day: int) -> None:
    """Changes the site as it is on a day of the week."""
    rows = "".join(
        f"<tr><td>{name}<td>{price} €<td>{stock}"
        for name, price, stock in (
            ("Desk lamp", 20 - day, 5),
            ("Floor lamp", 90, max(0, 3 - day)),
            *((("Night light", 9, 1),) if day > 2 else ()),
        )
    )
    stories = [
        f"<p><a href=/s{one}>Story {one}</a>: the fair is {one} days long.</p>" for one in range(day + 2)
    ]
    if day in (3, 4):
        stories.insert(0, "<p>The <a href=/hall>town hall</a> is closed.</p>")
    courses = [f"<li>{name}" for name in ("Latin", "Greek", "Logic")[day > 4 :]]
    items = "".join(
        f"<item><title>Post {one}</title><description>today</description></item>" for one in range(day // 2)
    )
    site["shop"].becomes(SHOP.format(rows))
    site["news"].becomes(NEWS.format("".join(stories), 100 + day))
    site["course"].becomes(COURSE.format("".join(courses), 6 - day))
    site["blog"].becomes(FEED.format(items))
    if day == 2:
        site["broken"].answers(503)
    if day == 6:
        site["broken"].answers_normally()


@pytest.fixture
def jill(tmp_path: Path, site: Site) -> Iterator[TestClient]:
    """Yields the dashboard of a user at the end of the week."""
    clock = Clock()
    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'k.sqlite3'}", delay=0, clock=clock)
    settings = read_settings({"data": str(tmp_path), "allow_networks": "127.0.0.0/8"}, environment={})
    with closing(Watching(knowledge, clock)) as watching:
        watching.pages = repository(settings, knowledge.versions)
        watching._fetcher = Fetching(watching._fetcher, site)  # type: ignore[assignment]
        live(watching, site)
        with browser_of(create_application(knowledge, settings), knowledge, "jill") as client:
            yield client


def live(watching: Watching, site: Site) -> None:
    """Installs the sentinels and lets a week pass, with two looks a day."""
    pages = {
        name: site.page(f"/{name}", "<p>nothing yet") for name in ("shop", "news", "course", "blog", "broken")
    }
    pages["blog"].content_type("application/rss+xml")
    for page in pages.values():
        page.validators = "none"
    write(pages, 0)
    for text in SENTINELS:
        watching.installs("Create Sentinel " + text.format(**{name: f"{ADDRESS}/{name}" for name in pages}))
    for day in range(1, 7):
        for _ in range(2):
            write(pages, day)
            watching.looks(errors=True, after=HALF_A_DAY)


def plain(answer: str) -> str:
    """Returns the text without the milliseconds that things took."""
    return re.sub(r'(?<="duration": )\d+', "0", re.sub(r"\b\d+(\.\d+)? ms\b", "… ms", answer))


def shown(page: str) -> str:
    """Returns what a reader sees of a page, where links lead, and what forms hold; one line for each."""
    lines = []
    for node in html.fromstring(page).find(".//main").iter():
        if not isinstance(node.tag, str) or node.tag in ("script", "style"):
            continue
        said = [
            f"{name}={node.get(name)}"
            for name in ("class", "href", "name", "value", "title", "d")
            if node.get(name)
        ]
        lines.append(" ".join((node.tag, *said, (node.text or "").strip(), "|", (node.tail or "").strip())))
    return "\n".join(lines) + "\n"


def test_the_week_is_told_letter_for_letter(
    jill: TestClient,
):
    told = {}
    for path in PATHS:
        answer = jill.get(path, headers={"accept": "text/html"})
        is_page = "html" in answer.headers["content-type"]
        told[path] = f"{answer.status_code}\n" + (shown(answer.text) if is_page else answer.text)
    for route in ROUTES:
        answer = jill.get(f"/api/v1/{route}")
        told[f"/api/v1/{route}"] = (
            f"{answer.status_code}\n{json.dumps(answer.json(), indent=1, ensure_ascii=False)}\n"
        )
    told = {path: plain(text) for path, text in told.items()}
    for path, text in told.items():
        file = FOLDER / (re.sub(r"\W+", "-", path).strip("-") or "overview")
        if "WRITE_WEEK" in os.environ:
            file.write_bytes(text.encode())
        assert text == file.read_bytes().decode(), f"the text of {path} differs from {file.name}"
