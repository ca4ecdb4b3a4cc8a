"""What is missing on a page is told at the first look, within its time, and for each page by its address."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from webvigil.app.sentinels.first_look import MOST_PAGES, _looking
from webvigil.errors import PageUnreachable
from webvigil.model.installed import InstalledSentinel, WatchedPage
from webvigil.model.life import LifeRecord
from webvigil.model.moment import as_datetime
from webvigil.model.page import Page
from webvigil.model.sentinel import State
from webvigil.model.version import Answer

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
