"""What is missing on a page is told at the first look, within its time, and for each page by its address."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.store.making import sentinel
from webvigil.app.sentinels.first_look import (
    MOST_PAGES,
    NOBODY_LOOKS,
    Looks,
    _looking,
    look_now,
    looked_at,
    warnings_of,
    with_warnings,
)
from webvigil.app.settings import read_settings
from webvigil.errors import PageUnreachable
from webvigil.model.installed import InstalledSentinel, WatchedPage
from webvigil.model.life import LifeRecord
from webvigil.model.moment import as_datetime
from webvigil.model.page import Page
from webvigil.model.sentinel import State
from webvigil.model.version import Answer
from webvigil.store.memory import MemoryKnowledge

HTML = (("content-type", "text/html"),)
PRODUCT = (
    '<script type="application/ld+json">{"@type": "Product", "name": "Lamp", "offers": {"price": "9", '
    '"priceCurrency": "EUR", "availability": "InStock"}}</script>'
)


class Web:
    """Answers for the pages of a sentinel: by number, a text, an error, or nothing in time."""

    def __init__(self, *answers: str | Exception | None, render: str = "http") -> None:
        self._answers, self._render = answers, render
        self.asked = 0

    def page(self, number: int) -> Page:
        return Page(url=f"http://a.test/{number}", render=self._render)  # type: ignore[arg-type]

    async def get(self, wanted: Page) -> Answer:
        self.asked += 1
        answer = self._answers[int(wanted.url.rpartition("/")[2])]
        if answer is None:
            await asyncio.Event().wait()
        if isinstance(answer, Exception):
            raise answer
        return Answer(url=wanted.url, status=200, headers=HTML, body=str(answer).encode())


def warned(web: Web, monitor: str, *, state: State = State.ACTIVE, pages: int = 1) -> list[str]:
    page = WatchedPage(id=0, url="", due=None, latest=0, checks=0, failures=0)
    installed = InstalledSentinel(
        id=1,
        user="jill",
        enabled=True,
        name="s",
        text=f"Create Sentinel s Using http://a.test/ {monitor}",
        state=state,
        installed_at=as_datetime(0),
        pages=tuple(replace(page, id=n, url=f"http://a.test/{n}") for n in range(pages)),
        changes=0,
        life=LifeRecord(installed_at=as_datetime(0)),
    )
    store: Any = web

    async def look() -> tuple[str, ...]:
        return await _looking(store, store, installed, asyncio.get_running_loop().time() + 0.05)

    return list(asyncio.run(look()))


def test_what_is_missing_is_told_by_the_address_of_its_page():
    web = Web('<p class="a">x', "<p>x", PageUnreachable("it is gone"), None)
    told = warned(web, 'Monitor value css ".a"', pages=4)
    assert [one.partition(": ")[0] for one in told] == [f"http://a.test/{number}" for number in (1, 2, 3)]
    assert told[1:] == [
        "http://a.test/2: it could not be fetched: it is gone",
        "http://a.test/3: it did not come in time; what is missing on it is told later",
    ]


def test_only_active_sentinels_look_and_only_at_their_first_pages():
    web = Web(*["<p>x"] * (MOST_PAGES + 1))
    assert warned(web, 'Monitor value css ".a"', state=State.WAITING) == []
    assert web.asked == 0
    assert len(warned(web, 'Monitor value css ".a"', pages=MOST_PAGES + 1)) == MOST_PAGES == web.asked


def test_a_page_for_a_browser_is_told_later():
    assert warned(Web("<p>x", render="browser"), "") == [
        "http://a.test/0: a browser looks at it; what is missing on it is told later"
    ]


def test_a_product_is_offered_where_the_whole_page_is_watched():
    advice = (
        "http://a.test/0: it offers a product (Lamp, € 9.00, in stock); "
        "Monitor product tells of its price and availability alone"
    )
    for monitor, told in (("", [advice]), ("Monitor any change", [advice]), ("Monitor all words", [])):
        assert warned(Web(f"<h1>Lamp</h1>{PRODUCT}"), monitor) == told
    assert warned(Web("<h1>Lamp</h1>"), "") == []


def watched(checks: int = 0, due: int | None = None, **more: Any) -> WatchedPage:
    at = None if due is None else as_datetime(due)
    return WatchedPage(
        **({"id": 7, "url": "http://a.test/", "latest": 0, "failures": 0} | more), due=at, checks=checks
    )


@pytest.mark.parametrize(
    ("checks", "before", "due", "asked_at", "over"),
    [
        (0, None, None, None, False),
        (1, None, None, None, True),
        (1, 1, None, None, False),
        (2, 1, None, None, True),
        (2, 1, None, 1000, True),
        (2, 1, 1000, 1000, False),
        (2, 1, 1001, 1000, True),
        (1, 1, 1001, 1000, False),
    ],
)
def test_a_look_is_over_if_it_came_after_the_question(
    checks: int, before: int | None, due: int | None, asked_at: int | None, *, over: bool
):
    looks = Looks({} if before is None else {7: before}, None if asked_at is None else as_datetime(asked_at))
    assert looks.are_over(watched(checks, due)) is over


def installed(*pages: WatchedPage, state: State = State.ACTIVE, text: str = "") -> InstalledSentinel:
    return InstalledSentinel(
        id=1,
        user="jill",
        enabled=True,
        name="s",
        text=f"Create Sentinel s Using http://a.test/ {text}",
        state=state,
        installed_at=as_datetime(0),
        pages=pages,
        changes=0,
        life=LifeRecord(installed_at=as_datetime(0)),
    )


class Work:
    """A worker that looks at the pages of a sentinel when they are asked for the second time."""

    def __init__(self, *, at_work: bool, then: InstalledSentinel | None = None) -> None:
        self.at_work, self.then, self.asked = at_work, then, 0

    def is_held(self, duty: str) -> bool:
        assert duty == "lives"
        return self.at_work

    def get(self, user: str, name: str) -> Any:
        assert (user, name) == ("jill", "s")
        self.asked += 1
        return self.then


def waited(made: InstalledSentinel, *, at_work: bool, seconds: str) -> tuple[list[InstalledSentinel], int]:
    seen = replace(made, pages=tuple(replace(one, checks=9) for one in made.pages))
    work: Any = Work(at_work=at_work, then=seen)
    settings = read_settings({"first_look": seconds}, environment={})
    return looked_at(work, work, settings, [made]), work.asked


def test_looks_of_a_worker_are_waited_for_if_there_are_few_pages():
    ten, eleven = (installed(*(watched(id=one) for one in range(count))) for count in (10, 11))
    for made, at_work, seconds, asked in [
        (ten, True, "5", 1),
        (eleven, True, "5", 0),
        (ten, False, "5", 0),
        (ten, True, "0", 0),
        (installed(), True, "5", 0),
        (installed(watched(1)), True, "5", 0),
        (installed(watched(), state=State.WAITING), True, "5", 0),
    ]:
        found, times = waited(made, at_work=at_work, seconds=seconds)
        assert times == asked
        assert (found == [made]) is (asked == 0)


def test_without_a_worker_nobody_looks():
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    settings = read_settings({"first_look": "0", "user": "jill"}, environment={})
    text = "Create Sentinel s Using http://a.test/"
    (found,) = knowledge.sentinels.add(sentinel("s", "http://a.test/", text=text))
    assert look_now(knowledge, settings, found) == (1, (NOBODY_LOOKS,))
    assert knowledge.duties.take("lives", "w", lease=60_000)
    assert look_now(knowledge, settings, found) == (1, ())


def test_another_sentinel_that_asks_for_the_same_is_named():
    knowledge = MemoryKnowledge(delay=0)
    knowledge.users.add("jill")
    settings = read_settings({"first_look": "0", "user": "jill"}, environment={})
    made = [
        knowledge.sentinels.add(
            sentinel(name, "http://a.test/", text=f"Create Sentinel {name} Using http://a.test/")
        )[0]
        for name in ("one", "two")
    ]
    (warned_,) = with_warnings(knowledge, settings, made[1:])
    assert warned_.warnings == ("it asks for the same as one; remove one of them, or you are told twice",)
    assert with_warnings(knowledge, settings, [installed()])[0].warnings == ()


def test_a_page_that_failed_says_why():
    class Journal:
        def __init__(self, *log: dict[str, str]) -> None:
            self.log = log

        def fetch_log(self, page: int, limit: int) -> Any:
            assert (page, limit) == (7, 1)
            return self.log

    settings = read_settings(environment={})
    for failures, log, said in [
        (1, [{"error": "it is away"}], ("http://a.test/: it could not be fetched: it is away",)),
        (0, [{"error": "it is away"}], ()),
        (1, [{"error": ""}], ()),
        (1, [], ()),
    ]:
        store: Any = SimpleNamespace(journal=Journal(*log), versions=None)
        assert warnings_of(store, settings, installed(watched(failures=failures))) == said
