"""Hostile pages are shown in a real browser: no script runs, no request is made, no secret is read (P4)."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import pytest
from playwright.sync_api import BrowserContext

from tests.browser import browser
from tests.present.hostile import PAYLOADS
from webvigil.document import PageDigest, read
from webvigil.present.presentation import present

SIDES = ("old", "new", "both")
HOWS = ("single", "dual", "only")
SWALLOWING = {
    "script not closed",
    "plain text, listings",
    "deep nesting",
    "encoding with escapes",
    "style that ends early",
}
ACTING = (
    "script",
    "onerror",
    "picture",
    "style that imports",
    "mutation by svg style",
    "meta refresh",
    "links in the head",
)
TOGETHER = 8
"""Payloads that share a tab. A tab costs half a second of processor time, a frame a small part of that."""
BEFORE, AFTER = "<p>One small step for a reader.</p>", "<p>One giant step for a reader.</p>"


class Server:
    """Answers with the page at a path, and remembers which paths were requested."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.asked: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = unquote(self.path)
                outer.asked.append(path)
                body = outer.pages.get(path, "").encode("utf-8", "replace")
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture(scope="module")
def gallery() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="module")
def trap() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="module")
def context(gallery: Server) -> Iterator[BrowserContext]:
    # All frames share one process: there are many of them, and separate processes would not change what they
    # may do.
    together = ("IsolateSandboxedIframes", "IsolateOrigins")
    with browser("--disable-site-isolation-trials", off=together) as running:
        made = running.new_context()
        made.add_cookies([{"name": "session", "value": "the-secret", "url": gallery.url}])
        yield made
        made.close()


def payload(name: str, trap: Server) -> str:
    return PAYLOADS[name].replace("TRAPHOST", trap.url.removeprefix("http://")).replace("TRAP", trap.url)


def versions(text: str, side: str) -> tuple[PageDigest, PageDigest]:
    """Returns two versions with the payload in the old one, in the new one, or in both with a small
    difference."""
    old = BEFORE + (text if side != "new" else "")
    new = AFTER + ("<p>and more</p>" if side == "both" else "") + (text if side != "old" else "")
    return digest(old), digest(new)


def digest(html: str) -> PageDigest:
    return read(html.encode("utf-8", "surrogatepass"), "text/html", "https://example.org/dir/")


class Watched:
    """Loads pages in the browser and observes what they do."""

    def __init__(self, context: BrowserContext, gallery: Server, trap: Server) -> None:
        self._context, self._gallery, self._trap = context, gallery, trap

    def load(self, documents: dict[str, str]) -> tuple[list[str], list[str], list[str]]:
        """Returns the scripts that ran, the requests that were made, and the secrets that were read."""
        frames = "".join(f"<iframe src='{path}' width=500 height=200></iframe>" for path in documents)
        self._gallery.pages = {"/all": f"<!doctype html>{frames}", **documents}
        self._trap.asked.clear()
        said: list[str] = []
        asked: list[str] = []
        tab = self._context.new_page()
        tab.on("console", lambda message: said.append(message.text))
        tab.on("dialog", lambda dialog: (said.append("ran: dialog"), dialog.dismiss()))
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto(f"{self._gallery.url}/all", wait_until="load")
        tab.wait_for_timeout(50)
        tab.close()
        own = {f"{self._gallery.url}{path}" for path in ("/all", "/favicon.ico", *documents)}
        outside = [url for url in asked if url not in own and not url.startswith(("data:", "about:"))]
        ran = [line for line in said if line.startswith("ran:")]
        return ran, outside + self._trap.asked, [line for line in said if "the-secret" in line]


@pytest.fixture
def watched(context: BrowserContext, gallery: Server, trap: Server) -> Watched:
    return Watched(context, gallery, trap)


def test_there_are_enough_of_them():
    assert len(PAYLOADS) >= 60


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("side", SIDES)
def test_together_they_cannot_act(side: str, how: str, watched: Watched, trap: Server):
    """All payloads on one page, except those whose markup would swallow the next one."""
    text = "".join([payload(name, trap) for name in PAYLOADS if name not in SWALLOWING])
    assert watched.load({"/page": present(*versions(text, side), how, "page")}) == ([], [], [])


@pytest.mark.parametrize("first", range(0, len(PAYLOADS), TOGETHER))
def test_alone_it_cannot_act(first: int, watched: Watched, trap: Server):
    """Each payload in frames of its own, in one version and one presentation; with ALL_HOSTILE=1 in all of
    them. A few payloads share a tab. If one acts, each is tried in a tab of its own, to tell which."""
    names = list(PAYLOADS)[first : first + TOGETHER]
    some = {name: _shown(number, name, trap) for number, name in enumerate(names, first)}
    if any(watched.load({path: page for pages in some.values() for path, page in pages.items()})):
        acting = {name: watched.load(pages) for name, pages in some.items()}
        pytest.fail(f"one of {names} acts: { {name: seen for name, seen in acting.items() if any(seen)} }")


def _shown(number: int, name: str, trap: Server) -> dict[str, str]:
    """Returns the presentations of a payload, by their paths."""
    chosen = [(SIDES[number % 3], HOWS[number // 3 % 2]), (SIDES[(number + 1) % 3], "only")]
    if os.environ.get("ALL_HOSTILE"):
        chosen = [(side, how) for side in SIDES for how in HOWS]
    text = payload(name, trap)
    return {f"/{number}/{side}/{how}": present(*versions(text, side), how, "page") for side, how in chosen}


def test_hostile_pages_act_where_nobody_stops_them(watched: Watched, trap: Server):
    """Proves that the trap works: unprotected, each of these payloads runs its script or fetches
    something."""
    for name in ACTING:
        ran, asked, _ = watched.load({"/raw": BEFORE + payload(name, trap)})
        assert ran or asked, name
