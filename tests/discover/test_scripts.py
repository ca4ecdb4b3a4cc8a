"""A service whose pages are made by scripts is found with a real browser (S4)."""

from __future__ import annotations

import asyncio
from ipaddress import ip_network

from tests.browser import needs_chromium
from tests.discover.asking import analysed, asking
from tests.discover.classes import small
from tests.site import Site
from webvigil.discover.analysis import Analysis
from webvigil.discover.bounds import Ask, Bounds
from webvigil.fetch.browser import BrowserFetcher
from webvigil.fetch.client import Cookies, Limits
from webvigil.model.page import Page
from webvigil.model.version import Answer

pytestmark = needs_chromium
FORM = """<body><script>document.body.innerHTML =
    '<form action="/find"><input name=word><button>Search</button></form>'</script>"""
FOUND = """<body><script>document.body.textContent =
    location.search.includes('word=apple') ? 'fruit no. ' + (3 + 4) : 'what?'</script>"""

ACTING = """<body><script>const send = one => fetch('/done?' + one, {method: 'POST'});
    const find = all => document.getElementById('out').textContent =
        all.word.value.includes('apple') ? 'fruit no. ' + (3 + 4) : 'what?'</script>
    <form onsubmit="event.preventDefault(); find(this.elements)"><input id=word>
    <button type=button onclick="send('delete')">Delete all</button>
    <button onclick="send('save')">Save search</button><button>Search</button></form><p id=out></p>"""


def test_forms_and_answers_that_scripts_make_are_understood(site: Site):
    site.page("/ask", FORM)
    site.page("/find", FOUND)
    (found,) = asyncio.run(
        asking(lambda plain: _with_browser(plain, f"{site.url}/ask", Bounds(browser=True)))
    )
    assert found.outcome == "matched", found.reason
    assert found.profile.found == "fruit no. 7"
    assert {step.render for step in found.profile.steps} == {"browser"}


def test_a_browser_presses_no_button_that_acts(site: Site):
    site.page("/ask", ACTING)
    done = site.page("/done", "").allows("POST")
    bounds = Bounds(browser=True, post=True)
    (found,) = asyncio.run(asking(lambda plain: _with_browser(plain, f"{site.url}/ask", bounds)))
    assert found.outcome == "matched", found.reason
    assert found.profile.steps[0].method == "FILL"
    assert done.hits == 0


async def _with_browser(plain: Ask, url: str, bounds: Bounds) -> list[Analysis]:
    async with BrowserFetcher(allowed=[ip_network("127.0.0.0/8")], limits=Limits(timeout=60)) as browser:

        async def ask(page: Page, cookies: Cookies | None = None) -> Answer:
            if page.render == "http":
                return await plain(page)
            answer = (await browser.fetch(page)).answer
            assert answer is not None, "a browser always shows something"
            return answer

        return await analysed(ask, url, small(), bounds)
