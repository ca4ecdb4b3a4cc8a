"""The browser extension in a real Chromium, against a running server (U8)."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, Worker
from scripts.pack_extension import packed

from tests.browser import browser_with_extension, needs_chromium
from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "extension"
WORDS = "The market of the town is held on the old square, and farmers of the whole valley come to it. "
SHOP = (
    "<title>Town market</title><header><nav><a href=/next>Next page</a> <a href=/help>Help</a></nav></header>"
    f"<main><h1>Prices</h1><p>{WORDS * 6}</p>"
    "<table id=market><caption>Market</caption><tr><th>what<th>price<tr><td>tea<td>3<tr><td>milk<td>2</table>"
    f"<p id=open>Open <b>every day</b> but Monday.</p><p>{WORDS * 4}</p></main>"
    "<footer>Written by the town clerk. <a href=/legal>Legal notice</a></footer>"
)


class Extended:
    """A Chromium that has the extension, with the server that it talks to."""

    def __init__(self, context: BrowserContext, worker: Worker) -> None:
        self.context, self.worker = context, worker
        self.home = worker.url.removesuffix("/background.js")
        self.troubles: list[str] = []

    def open(self, path: str) -> Page:
        return self._watched(lambda page: page.goto(f"{self.home}/{path}"))

    def visit(self, url: str) -> Page:
        return self._watched(lambda page: page.goto(url))

    def popup(self, page: Page) -> Page:
        """Returns the popup for this page as a tab: nobody can click on the button of a browser without a
        screen."""
        found = self.worker.evaluate("async (url) => (await chrome.tabs.query({ url }))[0].id", page.url)
        popup = self.open(f"popup.html?tab={found}")
        popup.locator("body[data-ready]").wait_for()
        return popup

    def settings(self, server: str, token: str) -> str:
        """Saves address and token in the form of the options, and returns what the form says."""
        window = self.open("options.html")
        window.get_by_label("Address of your server").fill(server)
        window.get_by_label("Token", exact=True).fill(token)
        window.get_by_role("button", name="Save and try it").click()
        said = window.locator("#said")
        eventually(lambda: said.inner_text() not in ("", "Trying it …"))
        text = said.inner_text()
        window.close()
        return text

    def badge(self) -> str:
        text: str = self.worker.evaluate("() => chrome.action.getBadgeText({})")
        return text

    def _heard(self, kind: str, text: str) -> None:
        # Chromium logs this for every answer with an error status, such as that for the icon of the site.
        if kind == "error" and not text.startswith("Failed to load resource"):
            self.troubles.append(text)

    def _watched(self, go: Callable[[Page], Any]) -> Page:
        page = self.context.new_page()
        page.on("console", lambda one: self._heard(one.type, one.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        go(page)
        return page


@contextmanager
def extended(folder: Path) -> Iterator[Extended]:
    """Yields a Chromium with the extension. Its manifest allows it to reach this machine, because a browser
    without a screen cannot ask for that; everything else is unchanged."""
    copy = folder / "extension"
    shutil.copytree(EXTENSION, copy)
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    manifest["host_permissions"] = ["http://127.0.0.1/*", "https://127.0.0.1/*"]
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with browser_with_extension(copy, folder / "profile") as (context, worker):
        made = Extended(context, worker)
        yield made
        assert not made.troubles


def token_of(data: Path, scope: str = "write") -> str:
    done = webvigil("token", "add", "browser", "--scope", scope, "--data", str(data))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class TestWhatItIs:
    """What the files of the extension must hold, checked without a browser."""

    def manifest(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((EXTENSION / "manifest.json").read_text(encoding="utf-8"))
        return found

    def test_it_may_do_as_little_as_possible(self):
        manifest = self.manifest()
        assert manifest["manifest_version"] == 3
        assert manifest["permissions"] == ["activeTab", "alarms", "scripting", "storage"]
        assert "host_permissions" not in manifest, "the user is asked for the server alone"
        assert "content_scripts" not in manifest
        assert "web_accessible_resources" not in manifest
        policy = manifest["content_security_policy"]["extension_pages"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy

    def test_it_runs_no_code_but_its_own(self):
        scripts, pages = [*EXTENSION.glob("*.js")], [*EXTENSION.glob("*.html")]
        assert scripts
        assert pages
        for file in scripts:
            text = file.read_text(encoding="utf-8")
            for forbidden in (
                "innerHTML",
                "outerHTML =",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "Function(",
            ):
                assert forbidden not in text, f"{file.name}: {forbidden}"
            for name in re.findall(r'import .* from "(.+)"', text):
                assert (EXTENSION / name).is_file()
        for file in pages:
            text = file.read_text(encoding="utf-8")
            assert not re.search(r"<script(?![^>]*src=)|\son\w+=|\sstyle=", text), file.name
            for name in re.findall(r'(?:src|href)="([^"]+)"', text):
                assert (EXTENSION / name).is_file(), name

    def test_the_picker_is_the_one_of_the_dashboard(self):
        """After a change of either file, copy it over the other."""
        ours = ROOT / "src/webvigil/present/static/picker.js"
        assert (EXTENSION / "picker.js").read_bytes() == ours.read_bytes()

    def test_its_colours_are_those_of_the_dashboard(self):
        pattern = re.compile(r"(--[\w-]+): (light-dark\([^)]*\));")
        theirs = dict(
            pattern.findall((ROOT / "src/webvigil/web/static/style.css").read_text(encoding="utf-8"))
        )
        ours = dict(pattern.findall((EXTENSION / "style.css").read_text(encoding="utf-8")))
        assert ours
        assert ours.items() <= theirs.items()

    def test_it_is_packed_into_one_file(self, tmp_path: Path):
        file = tmp_path / "webvigil.zip"
        packed(EXTENSION, file)
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            assert json.loads(archive.read("manifest.json")) == self.manifest()
        wanted = {str(one.relative_to(EXTENSION)) for one in EXTENSION.rglob("*") if one.is_file()}
        assert set(names) == wanted
        first = file.read_bytes()
        packed(EXTENSION, file)
        assert file.read_bytes() == first, "equal files make an equal archive"


@needs_chromium
def test_from_the_settings_to_a_watched_page_and_what_was_found(site: Site, tmp_path: Path):
    page = site.page("/market", SHOP)
    data = tmp_path / "data"
    with Serving(data) as serving, extended(tmp_path) as browser:
        assert browser.badge() == ""
        first = browser.open("popup.html")
        first.locator("body[data-ready]").wait_for()
        assert "where your WebVigil server is" in first.get_by_role("alert").inner_text()
        assert "Connected as" in browser.settings(serving.address, token_of(data))

        market = browser.visit(page.url)
        popup = browser.popup(market)
        assert popup.get_by_role("heading", name="Town market").is_visible()
        assert popup.get_by_role("heading", name="Nothing unread").is_visible()
        popup.get_by_role("button", name="Watch this page").click()
        chosen = popup.get_by_role("radio", checked=True)
        chosen.wait_for()
        assert "The main part" in popup.locator(".opt:has(:checked)").inner_text()
        assert popup.get_by_label("Name").input_value() == "town-market"
        popup.get_by_label("Look", exact=True).select_option("5 minute")
        popup.get_by_role("button", name="Start watching").click()
        link = popup.locator("#said a")
        link.wait_for()
        assert link.get_attribute("href") == f"{serving.address}/sentinels/town-market"
        (made,) = webvigil_json("list", "--data", str(data))
        assert "Within main" in made["text"]
        assert "Fetch 5 minute" in made["text"]

        # Picked on the page, with the words of the dashboard's picker.
        again = browser.popup(market)
        again.get_by_text("You watch this page already: town-market").wait_for()
        again.get_by_role("button", name="Pick on the page").click()
        eventually(lambda: _click(market, "td >> nth=1", again))
        real = RealPopup(again)
        assert "Market" in eventually(lambda: real.text(".opt:has(:checked)"))
        real.run("(page) => { page.getElementById('name').value = 'prices' }")
        real.run("(page) => page.getElementById('start').click()")
        assert eventually(lambda: real.text("#said a")) == "prices"
        texts = {one["name"]: one["text"] for one in webvigil_json("list", "--data", str(data))}
        assert "Monitor table: {1}" in texts["prices"]
        assert market.locator("[data-wv-at]").count() == 0, "the page is left as it was"

        # What is found is counted on the button, and told in the popup.
        eventually(
            lambda: all(one["pages"][0]["versions"] for one in webvigil_json("list", "--data", str(data)))
        )
        page.becomes(SHOP.replace("<td>3", "<td>4"))
        webvigil("run", "prices", "--data", str(data))
        eventually(lambda: webvigil_json("changes", "--data", str(data)))
        eventually(lambda: _counted(browser) not in ("", "0"))
        told = browser.popup(market)
        headline = told.locator("#newest a").first
        assert re.match(rf"{serving.address}/changes/\d+", headline.get_attribute("href") or "")
        assert "tea" in told.locator("#newest").inner_text()


@needs_chromium
@pytest.mark.slow
def test_what_is_wrong_with_the_settings_is_said(site: Site, tmp_path: Path):
    other = site.page("/", "<p>Another program")
    site.page("/healthz", "<p>Another program")
    data = tmp_path / "data"
    with Serving(data) as serving, extended(tmp_path) as browser:
        assert "does not know this token" in browser.settings(serving.address, "wv_wrong")
        assert "something else than WebVigil" in browser.settings(other.url, "wv_x")
        assert "Nothing answers at http://127.0.0.1:9" in browser.settings("127.0.0.1:9", "wv_x")
        secure = serving.address.replace("http:", "https:")
        assert "begin the address with http://" in browser.settings(secure, "wv_x")
        assert "is no address" in browser.settings("http://[", "wv_x")
        assert "without encryption" in browser.settings("http://vigil.example", "wv_x")
        assert browser.badge() == "", "nothing of this was kept"
        said = browser.settings(f" {serving.address}/ ", token_of(data, "read"))
        assert "Connected as me" in said
        assert "may only read" in said

        page = site.page("/market", SHOP)
        popup = browser.popup(browser.visit(page.url))
        popup.get_by_role("button", name="Watch this page").click()
        popup.get_by_role("button", name="Start watching").click()
        eventually(lambda: "needs write" in popup.locator("#trouble").inner_text())

        # The token ends: the button says so.
        (known,) = webvigil_json("token", "list", "--data", str(data))
        assert webvigil("token", "end", known["id"], "--data", str(data)).returncode == 0
        eventually(lambda: _counted(browser) == "!")
        window = browser.open("options.html")
        window.get_by_role("button", name="Forget both").click()
        window.get_by_text("are forgotten").wait_for()
        assert browser.worker.evaluate("() => chrome.storage.local.get()") == {}
        eventually(lambda: browser.badge() == "")


@needs_chromium
@pytest.mark.slow
def test_what_the_server_cannot_see_is_said_before_it_is_watched(site: Site, tmp_path: Path):
    shown_late = "document.body.innerHTML = '<ul id=l><li>one<li>two<li>three</ul>'"
    page = site.page(
        "/late", f"<title>Late</title><body>Wait<script>setTimeout(() => {{{shown_late}}})</script>"
    )
    data = tmp_path / "data"
    with Serving(data) as serving, extended(tmp_path) as browser:
        browser.settings(serving.address, token_of(data))
        shown = browser.visit(page.url)
        beside = browser.popup(shown)
        beside.get_by_role("button", name="Pick on the page").click()
        eventually(lambda: _click(shown, "li >> nth=1", beside))
        real = RealPopup(beside)
        assert "List" in eventually(lambda: real.text(".opt:has(:checked)"))
        real.run("(page) => page.getElementById('start').click()")
        assert "does not see this" in eventually(lambda: real.text("#lacks"))
        assert webvigil_json("list", "--data", str(data)) == []
        real.run("(page) => page.getElementById('browser').click()")
        assert eventually(lambda: real.text("#said a")) == "late"
        (made,) = webvigil_json("list", "--data", str(data))
        assert "Render browser" in made["text"]


@needs_chromium
@pytest.mark.slow
def test_with_the_keyboard_and_on_a_hostile_page(site: Site, tmp_path: Path):
    hostile = (
        "<title>&lt;img src=x onerror=alert(1)&gt;</title><meta http-equiv=Content-Security-Policy "
        "content=\"default-src 'none'; style-src 'none'\"><form><input name=parentElement><input name=remove>"
        "<input name=setAttribute><input type=password value=secret><table><caption>&lt;b&gt;x</caption>"
        "<tr><th>a<th>b<tr><td>1<td>2</table></form>"
    )
    page = site.page("/hostile", hostile)
    data = tmp_path / "data"
    with Serving(data) as serving, extended(tmp_path) as browser:
        browser.settings(serving.address, token_of(data))
        shown = browser.visit(page.url)
        before = shown.content()
        beside = browser.popup(shown)
        assert beside.get_by_role("heading", name="<img src=x onerror=alert(1)>").is_visible()
        beside.get_by_role("button", name="Pick on the page").click()

        def by_keyboard() -> bool:
            shown.bring_to_front()
            shown.keyboard.press("Tab")
            shown.keyboard.press("Enter")
            shown.wait_for_timeout(500)
            return RealPopup(beside).run("(page) => true") is True

        eventually(by_keyboard)
        assert "Table" in eventually(lambda: RealPopup(beside).text(".opt:has(:checked)"))
        assert shown.content() == before
        again = browser.popup(shown)
        again.get_by_role("button", name="Pick on the page").click()
        eventually(
            lambda: shown.evaluate("() => document.documentElement.lastElementChild.localName") == "div"
        )
        shown.bring_to_front()
        shown.keyboard.press("Escape")
        eventually(lambda: shown.content() == before)


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(site: Site, tmp_path: Path, scheme: str):
    page = site.page("/market", SHOP)
    data = tmp_path / "data"
    with Serving(data) as serving, extended(tmp_path) as browser:
        browser.settings(serving.address, token_of(data))
        popup = browser.popup(browser.visit(page.url))
        popup.get_by_role("button", name="Watch this page").click()
        popup.get_by_role("radio", checked=True).wait_for()
        popup.locator("#said").wait_for(state="hidden")
        for window in (popup, browser.open("options.html")):
            window.emulate_media(color_scheme=scheme)
            window.set_viewport_size({"width": 400, "height": 600})
            found = Axe().run(window).response["violations"]
            assert not found, [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
            assert window.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


class RealPopup:
    """The popup that the browser opened by itself. Another page of the extension sees into it."""

    def __init__(self, beside: Page) -> None:
        self._beside = beside

    def run(self, script: str) -> Any:
        view = "chrome.extension.getViews({ type: 'popup' })[0]?.document"
        return self._beside.evaluate(f"() => {{ const page = {view}; return page && ({script})(page) }}")

    def text(self, where: str) -> str:
        found = self.run(f"(page) => page.querySelector({json.dumps(where)})?.textContent")
        return str(found or "")


def _click(page: Page, where: str, beside: Page) -> bool:
    """Clicks as soon as the picker has begun, and says whether a popup was opened for it."""
    page.locator(where).click()
    page.wait_for_timeout(500)
    return RealPopup(beside).run("(page) => true") is True


def _counted(browser: Extended) -> str:
    """Returns what the button shows after the alarm has rung that usually rings every five minutes."""
    browser.worker.evaluate("() => chrome.alarms.create('unread', { when: Date.now() + 100 })")
    return browser.badge()
