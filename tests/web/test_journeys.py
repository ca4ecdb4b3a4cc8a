"""What people do with the dashboard, in a real Chromium: from the first link to a watched table, and out.

Every page they pass is looked at by axe, in the light and in the dark, and must fit a phone. With
WEBVIGIL_SCREENSHOTS set to a folder, pictures of the pages are kept there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser import browser
from tests.discover.making import profile, searched
from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json
from webvigil.app.operating.stores import opened
from webvigil.app.settings import read_settings

PRICES = (
    "<title>Town prices</title><main><h1>Prices</h1><table><caption>Market</caption>"
    "<tr><th>what<th>price<tr><td>tea<td>{}<tr><td>milk<td>2</table></main>"
)


LONG = "W" * 90
ARABIC = "موقع الأخبار العربية"
# Sentinels with very long and with Arabic names, titles and addresses.
UNWIELDY = f"""
Create Sentinel {LONG} Using {{0}}/{"x" * 300}?{"y" * 300}
Topic {"T" * 80}

Create Sentinel "{ARABIC}" Using {{0}}/prices
Title "خبر"
"""
PRICE = """
Create Sentinel price Using {} Monitor value css "td:last-child" Fetch 1 second
"""


@pytest.fixture(scope="module")
def running() -> Iterator[Browser]:
    """Yields one Chromium for all people of this module; the windows of each share nothing with those of
    others."""
    with browser() as started:
        yield started


@pytest.fixture
def chromium(running: Browser) -> Iterator[Browser]:
    yield running
    for context in running.contexts:
        context.close()


class Visitor:
    """A window that records the errors of its pages."""

    def __init__(self, window: Page) -> None:
        self.window = window
        self.troubles: list[str] = []
        window.on("console", lambda one: self.troubles.append(one.text) if one.type == "error" else None)
        window.on("pageerror", lambda error: self.troubles.append(str(error)))


def test_from_the_first_link_to_a_change_of_a_watched_table(chromium: Browser, site: Site, tmp_path: Path):
    page = site.page("/prices", PRICES.format(3))
    with Serving(tmp_path) as serving:
        visitor = Visitor(chromium.new_page(timezone_id="Asia/Tokyo"))
        window = visitor.window
        window.goto(serving.link)
        window.get_by_text("this browser's clock is in Asia/Tokyo").wait_for()
        window.get_by_role("button", name="Show times in it").click()
        window.get_by_role("textbox", name="Address of a page").fill(page.url)
        window.get_by_role("button", name="Look at it").click()
        window.get_by_text("Table “Market” (2 rows)").click()
        window.locator("#preview").get_by_text("tea").wait_for()
        window.get_by_role("combobox", name="Look").select_option("5 minute")
        window.get_by_role("button", name="Start watching").click()
        window.get_by_role("heading", name="town-prices").wait_for()
        page.wait_for(1, within=60)
        window.goto(f"{serving.address}/inbox")
        window.get_by_text("No change yet").wait_for()
        page.becomes(PRICES.format(4))
        webvigil("run", "town-prices", "--data", str(tmp_path))
        card = window.locator(".change.fresh")
        card.wait_for(timeout=40_000)
        assert "4" in card.inner_text()
        assert (card.locator("time").get_attribute("title") or "").endswith(" JST")
        window.get_by_role("button", name="Mark all 1 as read").wait_for()
        window.keyboard.press("j")
        window.keyboard.press("e")
        window.locator(".change:not(.unread)").wait_for()
        window.get_by_text("1 change", exact=True).wait_for()
        assert window.locator("nav.nav .count").is_hidden(), "nothing is unread any more"
        window.get_by_role("button", name="Mark as unread").click()
        window.get_by_text("1 change, 1 unread").wait_for()
        assert window.locator("nav.nav .count [data-unread]").inner_text() == "1"
        assert window.locator(".facets [data-unread]").inner_text() == "1"
        window.get_by_role("button", name="Mark as read").click()
        window.get_by_text("1 change", exact=True).wait_for()
        window.keyboard.press("?")
        window.get_by_role("dialog").wait_for()
        window.get_by_role("button", name="Close").click()
        window.keyboard.press("j")
        window.keyboard.press("o")
        window.get_by_role("heading", name="Found by this sentinel").wait_for()
        window.locator("summary", has_text="Note").click()
        window.get_by_role("textbox", name="Note").fill("ask the market")
        window.get_by_role("button", name="Keep the note").click()
        window.locator(".objs").get_by_text("ask the market").wait_for()
        assert window.locator("[name=note]").input_value() == "ask the market"
        window.get_by_text("More", exact=True).first.click()
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
        window.get_by_role("heading", name=re.compile("^t ")).wait_for()  # and its state, whichever it is now
        window.on("dialog", lambda dialog: dialog.accept())
        window.locator("main summary[aria-label=More]").click()
        window.get_by_role("button", name="Remove").click()
        window.get_by_role("heading", name="None yet").wait_for()
        assert visitor.troubles == []


@pytest.mark.slow
def test_a_change_is_shared_summed_up_and_read_by_a_feed_reader(
    chromium: Browser, site: Site, tmp_path: Path
):
    page = site.page("/prices", [PRICES.format(3), PRICES.format(4)])
    webvigil("watch", page.url, "--name", "prices", "--every", "1 second", "--data", str(tmp_path))
    with Serving(tmp_path) as serving:
        page.wait_for(1, within=60)
        page.next()
        visitor = Visitor(chromium.new_page())
        window = visitor.window
        window.goto(serving.link)
        window.goto(f"{serving.address}/inbox")
        window.locator(".change").first.wait_for(timeout=40_000)
        window.get_by_text("More", exact=True).first.click()
        window.get_by_role("link", name="Summaries", exact=True).click()
        window.get_by_role("heading", name="Today").wait_for()
        window.get_by_role("link", name="Weeks", exact=True).click()
        window.get_by_role("link", name=re.compile("^tea")).first.click()
        window.get_by_role("link", name="Share", exact=True).click()
        window.get_by_role("button", name="Make a link").click()
        link = window.get_by_role("textbox", name="The link").input_value()
        window.get_by_role("button", name="Copy").click()
        window.get_by_text("Copied").or_(window.get_by_text("Press Ctrl+C")).wait_for()
        stranger = chromium.new_context().new_page()
        stranger.goto(link)
        stranger.get_by_role("heading", name="What was found").wait_for()
        stranger.frame_locator("#shown").frame_locator("iframe").locator("ins").first.wait_for()
        window.get_by_role("button", name="End the link").click()
        window.get_by_text("None that opens it now.").wait_for()
        stranger.goto(link)
        stranger.get_by_role("heading", name="This link opens nothing").wait_for()
        window.get_by_text("More", exact=True).first.click()
        window.get_by_role("link", name="Pages", exact=True).click()
        window.get_by_role("link", name="Town prices").click()
        window.get_by_role("button", name="Compare the two").click()
        window.get_by_role("link", name="In one page", exact=True).click()
        window.frame_locator("#shown").frame_locator("iframe").locator("ins, del").first.wait_for()
        window.goto(f"{serving.address}/sentinels/prices")
        window.get_by_role("button", name="Make a feed").click()
        feed = window.get_by_role("textbox", name="Its address").input_value()
        assert stranger.request.get(feed).ok
        window.on("dialog", lambda dialog: dialog.accept())
        window.get_by_role("button", name="Another address for the feed of the sentinel prices").click()
        window.get_by_role("textbox", name="Its address").wait_for()
        assert window.get_by_role("textbox", name="Its address").input_value() != feed
        assert stranger.request.get(feed).status == 404
        assert visitor.troubles == []


SEARCH = "<form action=/find><label>Words <input name=q></label><button>Search</button></form>"
HITS = "<ul>" + "".join(f"<li><a href=/{{0}}/{one}>About {{0}}, volume {one}</a>" for one in "abc") + "</ul>"


@pytest.mark.slow
def test_a_service_is_searched_for_found_and_watched(chromium: Browser, site: Site, tmp_path: Path):  # S2 S6
    site.page("/", "<title>Library</title><a href=/search>Search the books</a>")
    site.page("/search", f"<title>Search the books</title><h1>Books</h1>{SEARCH}")
    known = ("water", "energy", "solar")
    site.page(
        "/find",
        lambda request: HITS.format(words) if (words := request.fields.get("q", "")) in known else "<p>None.",
    )
    with Serving(tmp_path) as serving:
        visitor = Visitor(chromium.new_page())
        window = visitor.window
        window.goto(serving.link)
        window.get_by_text("More", exact=True).first.click()
        window.get_by_role("link", name="Discover", exact=True).click()
        window.get_by_text("Keyword search").click()
        window.get_by_role("textbox", name="Addresses to start from").fill(site.url)
        window.get_by_role("button", name="Search", exact=True).click()
        window.get_by_role("link", name="Watch Search the books").click(timeout=40_000)
        window.get_by_role("textbox", name="keywords").fill("solar")
        window.locator("#sentinel textarea", has_text="solar").wait_for()
        window.locator("#sentinel .card").get_by_text("About solar").wait_for()
        window.get_by_role("button", name="Start watching").click()
        window.get_by_text("= solar").first.wait_for()
        assert visitor.troubles == []


BUILT = (
    "<title>Built</title><main id=all></main>"
    "<script>if (document.cookie.includes('known=1')) document.getElementById('all').innerHTML = "
    "'<h1>For members</h1><p>Only for <b>those who know</b> it.</p>'</script>"
)


@pytest.mark.slow
def test_a_page_that_a_script_builds_for_its_members_is_picked_and_a_taken_name_loses_nothing(
    chromium: Browser, site: Site, tmp_path: Path
):
    page = site.page("/members/built", BUILT)
    webvigil("watch", page.url, "--name", "members", "--data", str(tmp_path))
    with Serving(tmp_path) as serving:
        visitor = Visitor(chromium.new_page())
        window = visitor.window
        window.goto(serving.link)
        window.goto(f"{serving.address}/add")
        window.get_by_role("textbox", name="Address of the page").fill(page.url)
        window.get_by_text("It needs a log-in, or a script builds it").click()
        window.get_by_label("Look with a browser").check()
        window.get_by_role("textbox", name="Cookies").fill("known=1")
        window.get_by_role("button", name="Pick on the page").click()
        frame = window.frame_locator("#pick")
        frame.get_by_text("those who know").click()
        field = window.get_by_role("textbox", name="The words")
        field.wait_for()
        assert field.input_value() == "those who know"
        window.locator(".context[data-side=after] button").nth(0).click()
        window.locator("#preview mark").get_by_text("those who know it").wait_for()
        window.get_by_role("textbox", name="Name").fill("members")
        window.get_by_role("textbox", name="Topic").fill("club")
        window.get_by_role("button", name="Start watching").click()
        window.get_by_text("“members-2” is free").wait_for()
        assert field.input_value() == "those who know it"
        assert window.get_by_role("textbox", name="Topic").input_value() == "club"
        frame.locator(".wv-picked").first.wait_for()
        window.locator("#preview mark").get_by_text("those who know it").wait_for()
        window.get_by_role("button", name="Start watching").click()
        window.get_by_role("heading", name="members-2").wait_for()
        text = window.get_by_label("Its text").inner_text()
        assert "phrase: {those who know it}" in text
        assert "Render browser" in text
        assert "Topic club" in text
        assert [one for one in visitor.troubles if "400" not in one] == []


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


def test_the_time_machine_steps_through_the_versions(chromium: Browser, site: Site, tmp_path: Path):
    """By keys and by the handle, by links without a script, and never beyond the page's versions."""
    page = site.page("/prices", PRICES.format(3))
    data = ("--data", str(tmp_path))
    webvigil("add", "-", *data, text=PRICE.format(page.url))
    with Serving(tmp_path) as serving:
        for price in (4, 5, 6):
            eventually(lambda price=price: len(webvigil_json("versions", page.url, *data)) == price - 3)
            page.becomes(PRICES.format(price))
        (*_, newest) = sorted(one["id"] for one in eventually(lambda: three(webvigil_json("changes", *data))))
        visitor = Visitor(chromium.new_page(viewport={"width": 1280, "height": 800}))
        window = visitor.window
        window.goto(serving.link)
        window.goto(f"{serving.address}/changes/{newest}?view=single")
        words = window.frame_locator("#shown").frame_locator("iframe")
        words.locator("ins", has_text="6").wait_for()
        assert window.locator(".track circle.hitv").count() == 3
        handle = window.get_by_role("slider", name="Version shown")
        handle.focus()
        window.keyboard.press("ArrowLeft")
        window.get_by_text("Versions 2 → 3").wait_for()
        words.locator("ins", has_text="5").wait_for()
        assert handle.evaluate("(one) => one === document.activeElement"), "it can be stepped on"
        assert window.url.endswith(f"/changes/{newest - 1}?view=single")
        for _ in range(4):
            window.keyboard.press("ArrowLeft")
        window.get_by_text("Version 1, as it was").wait_for()
        still = chromium.new_context(java_script_enabled=False).new_page()
        still.context.add_cookies(window.context.cookies())
        still.goto(f"{serving.address}/changes/{newest}")
        still.get_by_role("link", name="Older version").click()
        still.get_by_text("Versions 2 → 3").wait_for()
        assert still.get_by_role("slider").count() == 0
        assert visitor.troubles == []


def three(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return found if len(found) >= 3 else []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_every_page_is_usable_by_everybody(chromium: Browser, site: Site, tmp_path: Path, scheme: str):
    page = site.page("/prices", [PRICES.format(3), PRICES.format(4)])
    webvigil("watch", page.url, "--name", "prices", "--every", "1 second", "--data", str(tmp_path))
    webvigil("add", "-", "--data", str(tmp_path), text=UNWIELDY.format(site.url) + PRICE.format(page.url))
    for words in (
        f"watch {page.url} --name gone",
        "remove gone",
        f"contact add webhook {site.url}/{'h' * 200}",
        "contact add feed",
    ):
        assert webvigil(*words.split(), "--data", str(tmp_path)).returncode == 0, words
    webvigil("topic", "say", "shops", "Fetch 1 day", "--data", str(tmp_path))
    with opened(read_settings({"data": str(tmp_path)}, environment={})) as knowledge:
        long = profile(f"{site.url}/{'z' * 300}", "ACGT" * 60, found="TTGCA" * 40)
        searched(knowledge, "me", profile(page.url), long, seeds=(f"{site.url}/{'x' * 300}",) * 4)
    with Serving(tmp_path) as serving:
        page.wait_for(1, within=60)
        page.next()
        context = chromium.new_context(color_scheme=scheme, viewport={"width": 390, "height": 800})  # type: ignore[arg-type]
        visitor = Visitor(context.new_page())
        window = visitor.window
        window.goto(f"{serving.address}/sign-in")
        found = [look_at(window, "/sign-in", scheme)]
        window.goto(serving.link)
        window.goto(f"{serving.address}/inbox")
        window.locator(".change").first.wait_for(timeout=40_000)
        change = window.locator(".change [data-open]").first.get_attribute("href")
        for path in (
            "/",
            "/inbox",
            "/more",
            str(change),
            *(f"{change}?view={view}" for view in ("text", "links", "images")),
            f"{change}/share",
            "/account/shares",
            "/topics",
            "/summaries",
            "/summaries?by=week&order=topic",
            "/summaries?by=topic",
            "/bulletin",
            "/pages",
            "/pages/1",
            "/pages/1/compare?a=first&b=latest&view=dual",
            "/sentinels",
            "/sentinels-removed",
            f"/add/steps?url={quote(page.url)}",
            "/shared/nothing",
            "/sentinels/prices",
            "/sentinels/price",
            "/sentinels/price?range=all",
            "/sentinels/prices/edit",
            f"/sentinels/{LONG}",
            f"/sentinels/{quote(ARABIC)}",
            f"/add/pick?url={quote(page.url)}",
            f"/add?url={quote(site.url)}/{'x' * 300}",
            "/search?q=nothingofthekind",
            "/search",
            "/search?q=prices",
            "/discover",
            "/discover/new",
            "/discover/1",
            "/discover/1/report",
            "/discover/1/services/1",
            "/discover/1/services/2",
            "/add",
            f"/add?url={quote(page.url)}",
            "/add?text=true",
            "/import",
            "/account",
            "/account/telling",
            "/users",
            "/health",
            "/community",
            "/community/agents",
            "/settings",
            "/nowhere",
        ):
            window.goto(serving.address + path)
            window.wait_for_timeout(200)
            if path in ("/topics", "/sentinels/prices/edit"):
                window.evaluate("document.querySelectorAll('main details').forEach((one) => one.open = true)")
            found.append(look_at(window, path, scheme))
        window.set_viewport_size({"width": 1280, "height": 900})
        for path in (str(change), f"{change}?view=dual", "/sentinels/price", "/pages/1", "/pages/1/compare"):
            window.goto(serving.address + path)
            window.wait_for_timeout(200)
            found.append(look_at(window, path, scheme))
        assert [one for one in found if one] == []
        told = ("400", "401", "404")  # by the pages themselves
        assert [one for one in visitor.troubles if not any(status in one for status in told)] == []


def look_at(window: Page, path: str, scheme: str) -> str:
    """Returns what is wrong with the page; "" if nothing is."""
    folder = os.environ.get("WEBVIGIL_SCREENSHOTS")
    if folder:
        name = "".join(letter if letter.isalnum() else "-" for letter in path.strip("/")[:60]) or "inbox"
        window.screenshot(path=f"{folder}/{name}-{scheme}.png", full_page=True)
    fits = window.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    # Buttons fade from the light into the dark, and halfway nothing has enough contrast.
    window.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
    violations = Axe().run(window).response["violations"]
    serious = [one["id"] for one in violations if one["impact"] in ("serious", "critical")]
    wide = [] if fits else ["wider than a phone"]
    hidden = window.evaluate(
        "[...document.querySelectorAll('[hidden]')].every((one) => getComputedStyle(one).display === 'none')"
    )
    shown = [] if hidden else ["shows what is hidden"]
    return f"{path}: {', '.join([*serious, *wide, *shown])}" if serious or wide or shown else ""
