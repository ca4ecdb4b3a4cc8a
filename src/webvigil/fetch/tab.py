"""The events of a browser tab in, the page or the error that the tab shows in the end out.

A page may lead on by script, by `meta refresh` or by a redirect, and a frame in it may lead elsewhere, too.
The first answer then says nothing about what is shown. If a navigation fails, Chromium shows a page of its
own (`chrome-error:`) with words like "This site can't be reached", as if it were the page that was asked for.
The trail remembers for each frame where it was led and what came back, so it can name the cause.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag, urlsplit

from webvigil.errors import HostUnreachable, PageError, PageRefused, PageUnreachable
from webvigil.fetch.conditional import refusal
from webvigil.fetch.gate import Pass
from webvigil.model.version import Answer

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page, Request, Response

_ERROR_PAGE = "chrome-error:"
_WEB = ("http://", "https://")
_NOTHING = (204, 205)
_ERROR_NAME = re.compile(r"\bERR_[A-Z0-9_]+")
_ANSWERS_WITHIN = 2  # seconds for a page that the browser itself made

# Words for Chromium's errors, whose own names tell a reader nothing. The first entry that fits counts.
_REFUSED = (
    ("ERR_CERT", "the certificate of the page is not valid"),
    ("ERR_SSL", "no secure connection to the page is possible"),
    ("ERR_TOO_MANY_REDIRECTS", "the page leads from place to place without end"),
    ("ERR_UNSAFE_PORT", "no browser visits that port"),
    ("ERR_BLOCKED", "the browser was not let in"),
    ("ERR_UNKNOWN_URL_SCHEME", "the page leads to an address that no browser knows"),
    ("ERR_INVALID_URL", "the page leads to something that is not a web address"),
    ("ERR_DISALLOWED_URL_SCHEME", "the page leads to an address outside of the web"),
    ("Download is starting", "the address leads to a download, which a browser does not show"),
)
_PASSES = (
    ("ERR_EMPTY_RESPONSE", "the server closed the connection without an answer"),
    ("ERR_CONNECTION", "there is no connection to the server"),
    ("ERR_TUNNEL_CONNECTION_FAILED", "there is no connection to the server"),
    ("ERR_PROXY_CONNECTION_FAILED", "there is no connection to the server"),
    ("ERR_NAME_NOT_RESOLVED", "there is no such host"),
    ("ERR_TIMED_OUT", "it took too long"),
    ("ERR_CONTENT_LENGTH_MISMATCH", "the answer was cut off"),
    ("ERR_INCOMPLETE_CHUNKED_ENCODING", "the answer was cut off"),
    ("ERR_CONTENT_DECODING_FAILED", "the answer cannot be unpacked"),
    ("ERR_INVALID", "what came back is no answer of a web server"),
    ("ERR_RESPONSE", "what came back is no answer of a web server"),
)


class Trail:
    """Listens to the tab from its first request on. `home` is the host of the page that was asked for."""

    def __init__(self, tab: Page, visit: Pass, home: str) -> None:
        self._visit = visit
        self._home = home
        self._asked: dict[Frame, str] = {}
        self._answers: dict[tuple[Frame, str], Response] = {}
        self._shown: dict[Frame, Response] = {}
        self._failures: dict[Frame, str] = {}
        self._crashed = False
        self._downloads = False
        tab.on("request", self._requested)
        tab.on("response", self._answered)
        tab.on("requestfailed", self._failed)
        tab.on("framenavigated", self._arrived)
        tab.on("crash", self._crash)
        tab.on("download", self._download)

    def shown(self, frame: Frame) -> Response | None:
        """Returns the answer that the frame shows."""
        return self._shown.get(frame)

    def trouble(self, frame: Frame, said: str = "") -> PageError | None:
        """Returns the error that the frame shows, or None if it shows a page of the web. `said` is the name
        of the error on the browser's own page, if that is what the frame shows."""
        if self._crashed or frame.url.startswith(_ERROR_PAGE):
            return self.failure(frame, said)
        shown = self._shown.get(frame)
        if shown is not None and shown.status >= 400:
            return _refusal(shown)
        if frame.parent_frame is None and not frame.url.startswith(_WEB):
            return PageRefused(
                f"the page leads to {frame.url[:200] or 'nowhere'}, which is no page of the web"
            )
        return None

    def failure(self, frame: Frame, said: str = "") -> PageError:
        """Returns why the frame did not get where it was led. `said` is the message of the browser, if there
        is one."""
        if self._crashed:
            return PageUnreachable("the page made the browser crash")
        place = self._asked.get(frame, "")
        host = urlsplit(place).hostname or ""
        if host in self._visit.forbidden:
            address = self._visit.forbidden[host]
            return PageRefused(f"{address} is not a public address; allow it with the setting allow_networks")
        if host in self._visit.untrusted:
            return in_words(self._visit.untrusted[host])
        if host in self._visit.unreachable:
            kind = HostUnreachable if host == self._home else PageUnreachable
            return kind(f"the page could not be fetched: {host}: {self._visit.unreachable[host]}")
        answer = self._answers.get((frame, urldefrag(place).url))
        if answer is not None and answer.status >= 400:
            return _refusal(answer)
        if answer is not None and answer.status in _NOTHING:
            return PageUnreachable(f"the server answered {answer.status}: there is nothing to show")
        told = "Download is starting" if self._downloads else said or self._failures.get(frame, "")
        return in_words(told)

    def _requested(self, request: Request) -> None:
        with suppress(Exception):  # Playwright raises an error for a frame that is already gone
            if request.is_navigation_request():
                self._asked[request.frame] = request.url
                self._failures.pop(request.frame, None)

    def _answered(self, response: Response) -> None:
        with suppress(Exception):
            if response.request.is_navigation_request():
                self._answers[response.frame, urldefrag(response.url).url] = response

    def _failed(self, request: Request) -> None:
        with suppress(Exception):
            if request.is_navigation_request() and request.url == self._asked.get(request.frame):
                self._failures[request.frame] = request.failure or ""

    def _arrived(self, frame: Frame) -> None:
        """Notes which answer a frame shows. If a script only changed the address, the frame still shows the
        old answer."""
        answer = self._answers.get((frame, urldefrag(frame.url).url))
        if answer is not None:
            self._shown[frame] = answer

    def _crash(self, *_: Any) -> None:
        self._crashed = True

    def _download(self, *_: Any) -> None:
        self._downloads = True


async def shown_error(frame: Frame) -> str:
    """Returns the name of the error on the browser's own page, or an empty text if the frame shows another
    page. The event of a failed request may say no more than ERR_ABORTED; the page names the cause."""
    if not frame.url.startswith(_ERROR_PAGE):
        return ""
    with suppress(Exception):  # a tab that crashed or was closed answers no question
        async with asyncio.timeout(_ANSWERS_WITHIN):
            found = _ERROR_NAME.search(await frame.evaluate("document.documentElement.innerText"))
            return found.group() if found else ""
    return ""


def in_words(said: str) -> PageError:
    """Returns our error for a message of the browser."""
    first = (said.splitlines() or [""])[0]
    text = (first.partition(": ")[2] or first).partition(" at http")[0]
    if "crashed" in text:
        return PageUnreachable("the page made the browser crash")
    if "has been closed" in text:
        return PageUnreachable("the browser ended while it rendered the page")
    for table, kind in ((_REFUSED, PageRefused), (_PASSES, PageUnreachable)):
        words = next((words for sign, words in table if sign in text), "")
        if words:
            return kind(f"{words} ({text})" if "ERR_" in text else words)
    return PageUnreachable(
        f"the page could not be rendered: {text or 'the browser shows an error of its own'}"
    )


def _refusal(response: Response) -> PageError:
    headers = tuple(response.headers.items())
    return refusal(Answer(url=response.url, status=response.status, headers=headers, body=b""))
