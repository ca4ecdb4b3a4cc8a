"""Makes the pictures of the README and the docs; needs Chromium.

python -m scripts.pictures   write docs/images/presentations-{light,dark,phone}.png (five pages of the corpus
                             in three presentations) and, from a server with the demo site that runs for two
                             minutes, inbox.png, change.png, pick.png and mail-report.png
python -m scripts.pictures dashboard   only the latter
"""

from __future__ import annotations

import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from bench.quality.corpus import PAIRS
from webvigil.app.telling.delivery import lines_of, rows_of
from webvigil.document import read
from webvigil.fetch.browser import CALM
from webvigil.language import parse
from webvigil.model.notice import Notice
from webvigil.model.wanted import WantedChanges
from webvigil.notify.notices import report_of, subject_of, told_body
from webvigil.notify.render import Renderer
from webvigil.present.presentation import Form, How, present
from webvigil.store.sql.knowledge import SqlKnowledge

FOLDER = Path(__file__).parents[1] / "docs" / "images"
CHOSEN = (
    "tables/data-row-deleted-and-total",
    "news/article-correction-words",
    "shop/listing-two-cells-updated",
    "shop/gallery-picture-twice",
    "forum/arabic-words",
)
WAYS = (How.SINGLE, How.DUAL, How.ONLY)
WATCHED = 120
"""Seconds that the demo site is watched, so that the inbox has changes of all its pages."""
SHOP = """Create Sentinel shop Using http://127.0.0.1:{}/prices
Monitor any change
Fetch 20 second
Quiet off
"""
GAP = 4
COLOURS = 48
GREY = (136, 134, 150)
Size = tuple[int, int]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", *CALM]
        )
        if sys.argv[1:] != ["dashboard"]:
            _presentations(browser, Path(folder))
        _dashboard(browser, Path(folder) / "data")
        browser.close()


def _presentations(browser: Browser, folder: Path) -> None:
    files = list(_written(folder))
    for name, scheme, size, shown in (
        ("light", "light", (750, 450), 0.75),
        ("dark", "dark", (750, 450), 0.75),
        ("phone", "light", (380, 675), 0.75),
    ):
        cells = [[_cell(browser, one, scheme, size, shown) for one in row] for row in files]
        # Pictures of a phone are upright, so each way of showing gets a row instead of a column.
        rows = [list(column) for column in zip(*cells, strict=True)] if name == "phone" else cells
        _sheet(rows).save(FOLDER / f"presentations-{name}.png", optimize=True)


def _dashboard(browser: Browser, data: Path) -> None:
    """Starts a server with the demo site and one more sentinel on its shop, and takes its inbox, a change,
    the picking of a table and the mail about the newest change."""
    port, demo = _free_port(), _free_port()
    home, program = f"http://127.0.0.1:{port}", [sys.executable, "-m", "webvigil"]
    server = subprocess.Popen(  # noqa: S603 - our own program
        [*program, "serve", "--demo", "--port", str(port), "--data", str(data)],
        env=os.environ | {"WEBVIGIL_DEMO_PORT": str(demo)},
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_for(home)
        subprocess.run(  # noqa: S603 - our own program
            [*program, "add", "-", "--data", str(data)],
            input=SHOP.format(demo),
            text=True,
            check=True,
            env=os.environ | {"WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8"},
        )
        time.sleep(WATCHED)
        said = subprocess.run(  # noqa: S603 - our own program
            [*program, "user", "link", "--url", home, "--data", str(data)],
            capture_output=True,
            text=True,
            check=True,
        )
        window = browser.new_page(color_scheme="light", viewport={"width": 1280, "height": 900})
        window.goto(said.stdout.split()[-1])
        window.goto(f"{home}/inbox")
        _taken(window, "inbox")
        window.goto(f"{home}/inbox?sentinel=shop")
        window.locator("article h3 a").first.click()
        window.wait_for_load_state()
        _taken(window, "change")
        window.set_viewport_size({"width": 1280, "height": 820})
        window.goto(f"{home}/add/pick?url=http://127.0.0.1:{demo}/prices")
        window.wait_for_timeout(3000)
        window.frames[-1].locator("caption").first.click()
        window.wait_for_timeout(3000)
        _taken(window, "pick")
        window.close()
        window = browser.new_page(color_scheme="light", viewport={"width": 720, "height": 400})
        window.set_content(_mail(data, home))
        _taken(window, "mail-report")
        window.close()
    finally:
        server.terminate()
        server.wait(60)


def _mail(data: Path, home: str) -> str:
    """Returns the HTML of the mail about the newest change of the demo shop."""
    knowledge = SqlKnowledge(f"sqlite:///{data}/webvigil.sqlite3")
    wanted = WantedChanges(user="me", sentinel="shop", limit=1)
    (change,) = knowledge.changes.some(wanted)
    sentinel = parse(knowledge.sentinels.get("me", "shop").text)[0]
    body = told_body(
        replace(sentinel, title=change.title),
        report_of(change.findings),
        url=change.url,
        page=change.page,
        versions=(change.old_version, change.new_version),
        at=change.found_at,
    )
    knowledge.close()
    notice = Notice(dedup="", user="me", channel="email", address="", subject=subject_of(body), body=body)
    renderer = Renderer(home=home, lines=lines_of, rows=rows_of, zone=lambda _: ZoneInfo("UTC"))
    return renderer.render(notice).html


def _taken(window: Page, name: str) -> None:
    window.wait_for_timeout(1500)
    picture = Image.open(io.BytesIO(window.screenshot(full_page=name == "mail-report"))).convert("RGB")
    picture.quantize(COLOURS * 2).save(FOLDER / f"{name}.png", optimize=True)


def _wait_for(home: str) -> None:
    """Waits until the server answers, for a minute at most."""
    for _ in range(60):
        with suppress(OSError), urllib.request.urlopen(f"{home}/healthz"):  # noqa: S310 - our own server
            return
        time.sleep(1)
    raise TimeoutError(f"nothing answers at {home}")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _written(folder: Path) -> Iterator[list[Path]]:
    """Writes a file for each page and each way of showing it, and yields the files of one page at a time."""
    known = {one.name: one for one in PAIRS}
    for name in CHOSEN:
        pair = known[name]
        old, new = (read(body, pair.content_type, pair.url) for body in (pair.before, pair.after))
        row = [folder / f"{name.replace('/', '-')}-{way}.html" for way in WAYS]
        for file, way in zip(row, WAYS, strict=True):
            file.write_text(present(old, new, way, Form.PAGE), encoding="utf-8")
        yield row


def _cell(browser: Browser, file: Path, scheme: str, size: Size, shown: float) -> Image.Image:
    width, height = size
    window = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": height})  # type: ignore[arg-type]
    window.goto(file.as_uri())
    window.keyboard.press("n")
    window.wait_for_timeout(300)
    picture = Image.open(io.BytesIO(window.screenshot())).convert("RGB")
    window.close()
    return picture.resize((round(width * shown), round(height * shown)), Image.Resampling.LANCZOS)


def _sheet(rows: list[list[Image.Image]]) -> Image.Image:
    width, height = rows[0][0].size
    whole = (len(rows[0]) * (width + GAP) + GAP, len(rows) * (height + GAP) + GAP)
    sheet = Image.new("RGB", whole, GREY)
    for down, row in enumerate(rows):
        for along, one in enumerate(row):
            sheet.paste(one, (GAP + along * (width + GAP), GAP + down * (height + GAP)))
    return sheet.quantize(COLOURS)


if __name__ == "__main__":
    main()
