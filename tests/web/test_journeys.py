"""What people do with the dashboard, in a real Chromium: from the first link to a watched table, and out.

Every page they pass is looked at by axe, in the light and in the dark, and must fit a phone. With
WEBVIGIL_SCREENSHOTS set to a folder, pictures of the pages are kept there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser import browser
from tests.site import Site
from tests.whole.serving import Serving, webvigil

PRICES = (
    "<title>Town prices</title><main><h1>Prices</h1><table><caption>Market</caption>"
    "<tr><th>what<th>price<tr><td>tea<td>{}<tr><td>milk<td>2</table></main>"
)


@pytest.fixture
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


class Visitor:
    """A window whose troubles are written down."""

    def __init__(self, window: Page) -> None:
        self.window = window
        self.troubles: list[str] = []
        window.on("console", lambda one: self.troubles.append(one.text) if one.type == "error" else None)
        window.on("pageerror", lambda error: self.troubles.append(str(error)))


def test_from_the_first_link_to_a_change_of_a_watched_table(chromium: Browser, site: Site, tmp_path: Path):
    page = site.page("/prices", PRICES.format(3))
    with Serving(tmp_path) as serving:
        visitor = Visitor(chromium.new_page())
        window = visitor.window
        window.goto(serving.link)
        window.get_by_role("textbox", name="Address of a page").fill(page.url)
        window.get_by_role("button", name="Look at it").click()
        window.get_by_text("Table “Market” (2 rows)").click()
        window.locator("#preview").get_by_text("tea").wait_for()
        window.get_by_role("combobox", name="Look").select_option("5 minute")
        window.get_by_role("button", name="Watch", exact=True).click()
        window.get_by_role("heading", name="town-prices").wait_for()
        page.wait_for(1, within=40)
        window.goto(serving.address)
        window.get_by_text("No change yet").wait_for()
        page.becomes(PRICES.format(4))
        webvigil("run", "town-prices", "--data", str(tmp_path))
        card = window.locator(".card.fresh")
        card.wait_for(timeout=40_000)
        assert "4" in card.inner_text()
        window.keyboard.press("j")
        window.keyboard.press("e")
        window.locator(".card.seen").wait_for()
        window.keyboard.press("?")
        window.get_by_role("dialog").wait_for()
        window.get_by_role("button", name="Close").click()
        window.keyboard.press("j")
        window.keyboard.press("o")
        window.get_by_role("heading", name="town-prices").wait_for()
        window.get_by_role("textbox", name="Note").fill("ask the market")
        window.get_by_role("button", name="Keep the note").click()
        assert window.get_by_role("textbox", name="Note").input_value() == "ask the market"
        window.get_by_role("button", name="Sign out").click()
        window.get_by_role("heading", name="Please sign in").wait_for()
        window.goto(serving.address)
        window.get_by_role("heading", name="Please sign in").wait_for()
        assert [one for one in visitor.troubles if "401" not in one] == []


def test_a_text_is_checked_while_it_is_written(chromium: Browser, tmp_path: Path):
    with Serving(tmp_path) as serving:
        visitor = Visitor(chromium.new_page())
        window = visitor.window
        window.goto(serving.link)
        window.goto(f"{serving.address}/add?text=true")
        box = window.get_by_role("textbox", name="Sentinels")
        box.fill("Create Sentinel t Using https://a.test/ Moniter all links")
        window.get_by_text("Line 1, column").wait_for()
        box.fill("Create Sentinel t Using https://a.test/ Monitor all links")
        window.get_by_text("1 sentinel, all right").wait_for()
        window.get_by_role("button", name="Install").click()
        window.get_by_role("heading", name="t active").wait_for()
        window.on("dialog", lambda dialog: dialog.accept())
        window.get_by_role("button", name="Remove").click()
        window.get_by_role("heading", name="None yet").wait_for()
        assert visitor.troubles == []


def test_a_session_that_ended_is_told_where_the_reader_is(chromium: Browser, site: Site, tmp_path: Path):
    page = site.page("/prices", PRICES.format(3))
    with Serving(tmp_path) as serving:
        visitor = Visitor(chromium.new_page())
        window = visitor.window
        window.goto(serving.link)
        window.goto(f"{serving.address}/add?url={quote(page.url)}")
        window.locator("#preview").get_by_text("tea").first.wait_for()
        window.context.clear_cookies()
        window.locator("input[name=choice]").nth(1).check()
        window.get_by_text("You are signed out").wait_for()
        window.reload()
        window.get_by_role("heading", name="Please sign in").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_usable_by_everybody(chromium: Browser, site: Site, tmp_path: Path, scheme: str):
    page = site.page("/prices", [PRICES.format(3), PRICES.format(4)])
    webvigil("watch", page.url, "--name", "prices", "--every", "1 second", "--data", str(tmp_path))
    with Serving(tmp_path) as serving:
        page.wait_for(1, within=40)
        page.next()
        context = chromium.new_context(color_scheme=scheme, viewport={"width": 390, "height": 800})  # type: ignore[arg-type]
        visitor = Visitor(context.new_page())
        window = visitor.window
        window.goto(f"{serving.address}/sign-in")
        found = [look_at(window, "/sign-in", scheme)]
        window.goto(serving.link)
        window.locator(".change").first.wait_for(timeout=40_000)
        change = window.locator(".change [data-open]").first.get_attribute("href")
        for path in (
            "/",
            str(change),
            "/sentinels",
            "/sentinels/prices",
            "/sentinels/prices/edit",
            "/search",
            "/search?q=prices",
            "/add",
            f"/add?url={quote(page.url)}",
            "/add?text=true",
            "/import",
            "/account",
            "/account/telling",
            "/users",
            "/health",
            "/settings",
            "/nowhere",
        ):
            window.goto(serving.address + path)
            window.wait_for_timeout(200)
            found.append(look_at(window, path, scheme))
        assert [one for one in found if one] == []
        assert [one for one in visitor.troubles if "404" not in one and "401" not in one] == []


def look_at(window: Page, path: str, scheme: str) -> str:
    """What is wrong with the page; "" if nothing is."""
    folder = os.environ.get("WEBVIGIL_SCREENSHOTS")
    if folder:
        name = path.partition("?")[0].strip("/").replace("/", "-") or "inbox"
        window.screenshot(path=f"{folder}/{name}-{scheme}.png", full_page=True)
    fits = window.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    violations = Axe().run(window).response["violations"]
    serious = [one["id"] for one in violations if one["impact"] in ("serious", "critical")]
    wide = [] if fits else ["wider than a phone"]
    return f"{path}: {', '.join([*serious, *wide])}" if serious or wide else ""
