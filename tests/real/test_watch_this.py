"""From the search for services to a change of an answer: *Watch this* in a browser, on a real wiki (S6)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser import browser
from tests.real.application import LANTERN
from tests.real.applications.dokuwiki import DokuWiki
from tests.real.installing import CannotInstall
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json

pytestmark = pytest.mark.real

_PATIENCE = 90_000


def test_a_search_of_a_wiki_is_found_watched_and_told(tmp_path: Path):
    wiki = DokuWiki()
    for name in ("wiki", "webvigil"):
        (tmp_path / name).mkdir()
    try:
        wiki.install()
    except CannotInstall as error:
        pytest.skip(str(error))
    try:
        address = wiki.start(tmp_path / "wiki")
        with Serving(tmp_path / "webvigil") as serving, browser() as chromium:
            window = chromium.new_page()
            window.set_default_timeout(_PATIENCE)
            window.goto(serving.link)
            window.goto(f"{serving.address}/discover/new")
            window.get_by_text("Keyword search", exact=True).click()
            window.get_by_label("Addresses to start from").fill(f"{address}/doku.php?id=start")
            window.get_by_label("Words to ask").fill("harbour")
            window.get_by_role("button", name="Search", exact=True).last.click()
            window.get_by_role("link", name="Watch").first.wait_for()
            _pictured(window, "found")
            window.get_by_role("link", name="Watch").last.click()
            window.get_by_label("keywords").fill("lanterns")
            window.locator("#sentinel").get_by_text("lanterns").first.wait_for()
            window.wait_for_timeout(3_000)
            _pictured(window, "watch-this")
            window.get_by_role("button", name="Start watching").click()
            heading = window.get_by_role("heading", level=1)
            heading.wait_for()
            name = heading.inner_text().split()[0]
            assert "lanterns" in name
            data = str(tmp_path / "webvigil")
            eventually(lambda: _checks(name, data) >= 1)
            wiki.edit()
            eventually(lambda: _has_changed(name, data), every=3.0)
            window.goto(f"{serving.address}/inbox")
            window.locator(".change").first.wait_for()
            _pictured(window, "told")
    finally:
        wiki.stop()


def _checks(name: str, data: str) -> int:
    """Returns how often the sentinel's page was looked at."""
    return int(webvigil_json("show", name, "--data", data)["pages"][0]["looks"])


def _has_changed(name: str, data: str) -> bool:
    """Looks once more, and tells whether the edit was told."""
    webvigil("run", name, "--data", data)
    told = webvigil("changes", "--data", data).stdout
    return any(word in told for word in LANTERN.split()[:2])


def _pictured(window: object, name: str) -> None:
    """Keeps a picture of the window where the environment names a folder for pictures."""
    if folder := os.environ.get("WEBVIGIL_SCREENSHOTS"):
        window.screenshot(path=f"{folder}/discover-{name}.png", full_page=True)  # type: ignore[attr-defined]
