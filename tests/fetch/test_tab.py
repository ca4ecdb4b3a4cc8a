"""What a tab shows in the end, and why it did not get where it was led: without a browser (F6)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from webvigil.errors import HostUnreachable, PageError, PageRefused, PageUnreachable
from webvigil.fetch.gate import Pass
from webvigil.fetch.tab import Trail, in_words, shown_error


class Tab:
    """A tab that tells those who listen what happens in it."""

    def __init__(self) -> None:
        self.listeners: dict[str, Any] = {}

    def on(self, event: str, listener: Any) -> None:
        self.listeners[event] = listener

    def tell(self, event: str, *told: Any) -> None:
        self.listeners[event](*told)


@dataclass(eq=False)
class Frame:
    url: str = "http://a.test/"
    parent_frame: Any = None
    text: str | Exception = ""

    async def evaluate(self, script: str) -> str:
        if isinstance(self.text, Exception):
            raise self.text
        return self.text


@dataclass(eq=False)
class Request:
    frame: Frame
    url: str = "http://a.test/"
    failure: str | None = None
    navigates: bool = True

    def is_navigation_request(self) -> bool:
        return self.navigates


class Response:
    def __init__(self, frame: Frame, status: int = 200, url: str = "http://a.test/", **headers: str) -> None:
        self.frame, self.status, self.url, self.headers = frame, status, url, headers
        self.request = Request(frame, url)


class Visit:
    """A tab with a trail, in which a frame was asked to go somewhere."""

    def __init__(self, asked: str = "http://a.test/", **noted: dict[str, str]) -> None:
        self.tab, self.frame = Tab(), Frame(asked)
        self.trail = Trail(self.tab, Pass("x", 1, **noted), "a.test")  # type: ignore[arg-type]
        self.tab.tell("request", Request(self.frame, asked))

    def answered(self, status: int, url: str = "http://a.test/", **headers: str) -> Visit:
        self.tab.tell("response", Response(self.frame, status, url, **headers))
        return self

    def arrived(self, at: str) -> Visit:
        self.frame.url = at
        self.tab.tell("framenavigated", self.frame)
        return self


def said(error: PageError | None) -> tuple[type, str]:
    return type(error), str(error)


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (200, type(None), "None"),
        (399, type(None), "None"),
        (400, PageRefused, "the server answered 400"),
        (500, PageUnreachable, "the server answered 500"),
    ],
)
def test_a_tab_shows_a_page_or_an_answer_from_400_on(status: int, kind: type, words: str):
    visit = Visit().answered(status).arrived("http://a.test/#top")
    assert said(visit.trail.trouble(visit.frame)) == (kind, words)
    shown = visit.trail.shown(visit.frame)
    assert shown is not None
    assert shown.status == status


def test_a_script_that_changes_the_address_leaves_the_answer_that_is_shown():
    visit = Visit().answered(200).arrived("http://a.test/").arrived("http://a.test/other")
    shown = visit.trail.shown(visit.frame)
    assert shown is not None
    assert shown.url == "http://a.test/"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("about:blank", "the page leads to about:blank, which is no page of the web"),
        ("", "the page leads to nowhere, which is no page of the web"),
        ("data:" + "x" * 300, f"the page leads to data:{'x' * 195}, which is no page of the web"),
        ("https://b.test/", None),
    ],
)
def test_a_page_that_leaves_the_web_is_refused(url: str, words: str | None):
    visit = Visit().arrived(url)
    trouble = visit.trail.trouble(visit.frame)
    assert said(trouble) == ((PageRefused, words) if words else (type(None), "None"))
    inner = Frame(url, parent_frame=visit.frame)
    assert visit.trail.trouble(inner) is None, "a frame may be made by a script"


@pytest.mark.parametrize(
    ("noted", "kind", "words"),
    [
        (
            {"forbidden": {"a.test": "10.0.0.9"}},
            PageRefused,
            "10.0.0.9 is not a public address; allow it with the setting allow_networks",
        ),
        (
            {"untrusted": {"a.test": "net::ERR_CERT_DATE_INVALID"}},
            PageRefused,
            "the certificate of the page is not valid (net::ERR_CERT_DATE_INVALID)",
        ),
        (
            {"unreachable": {"a.test": "no route"}},
            HostUnreachable,
            "the page could not be fetched: a.test: no route",
        ),
        ({"unreachable": {"b.test": "no route"}}, PageUnreachable, "it took too long (ERR_TIMED_OUT)"),
    ],
)
def test_what_the_gate_noted_names_the_cause(noted: dict[str, Any], kind: type, words: str):
    visit = Visit(**noted).arrived("chrome-error://chromewebdata/")
    assert said(visit.trail.trouble(visit.frame, "ERR_TIMED_OUT")) == (kind, words)


def test_a_host_that_a_page_leads_to_is_not_the_host_of_the_page():
    visit = Visit("http://b.test/", unreachable={"b.test": "no route"})
    assert said(visit.trail.failure(visit.frame)) == (
        PageUnreachable,
        "the page could not be fetched: b.test: no route",
    )


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (399, PageUnreachable, "it took too long (ERR_TIMED_OUT)"),
        (400, PageRefused, "the server answered 400"),
        (204, PageUnreachable, "the server answered 204: there is nothing to show"),
        (205, PageUnreachable, "the server answered 205: there is nothing to show"),
        (206, PageUnreachable, "it took too long (ERR_TIMED_OUT)"),
    ],
)
def test_an_answer_that_shows_nothing_names_the_cause(status: int, kind: type, words: str):
    visit = Visit("http://a.test/#top").answered(status)
    assert said(visit.trail.failure(visit.frame, "ERR_TIMED_OUT")) == (kind, words)


def test_a_request_that_failed_names_the_cause_until_the_next_one():
    visit = Visit()
    visit.tab.tell("requestfailed", Request(visit.frame, "http://a.test/x.png", "net::ERR_BLOCKED"))
    visit.tab.tell("requestfailed", Request(visit.frame, failure="ERR_BLOCKED", navigates=False))
    assert "an error of its own" in str(visit.trail.failure(visit.frame))
    visit.tab.tell("requestfailed", Request(visit.frame, failure="net::ERR_NAME_NOT_RESOLVED"))
    assert str(visit.trail.failure(visit.frame)) == "there is no such host (net::ERR_NAME_NOT_RESOLVED)"
    visit.tab.tell("request", Request(visit.frame, "http://a.test/", navigates=False))
    assert "there is no such host" in str(visit.trail.failure(visit.frame))
    visit.tab.tell("request", Request(visit.frame))
    assert "an error of its own" in str(visit.trail.failure(visit.frame))


def test_a_crash_and_a_download_are_named():
    visit = Visit()
    visit.tab.tell("download", None)
    assert said(visit.trail.failure(visit.frame, "ERR_ABORTED")) == (
        PageRefused,
        "the address leads to a download, which a browser does not show",
    )
    visit.tab.tell("crash", None)
    assert said(visit.trail.trouble(visit.frame)) == (PageUnreachable, "the page made the browser crash")


@pytest.mark.parametrize(
    ("message", "kind", "words"),
    [
        (
            "Page.goto: net::ERR_CERT_COMMON_NAME_INVALID at https://a.test/\nCall log:",
            PageRefused,
            "the certificate of the page is not valid (net::ERR_CERT_COMMON_NAME_INVALID)",
        ),
        ("ERR_UNSAFE_PORT", PageRefused, "no browser visits that port (ERR_UNSAFE_PORT)"),
        (
            "ERR_INVALID_URL",
            PageRefused,
            "the page leads to something that is not a web address (ERR_INVALID_URL)",
        ),
        (
            "ERR_INVALID_HTTP_RESPONSE",
            PageUnreachable,
            "what came back is no answer of a web server (ERR_INVALID_HTTP_RESPONSE)",
        ),
        (
            "ERR_CONNECTION_RESET",
            PageUnreachable,
            "there is no connection to the server (ERR_CONNECTION_RESET)",
        ),
        (
            "Page.goto: Download is starting",
            PageRefused,
            "the address leads to a download, which a browser does not show",
        ),
        ("Target crashed", PageUnreachable, "the page made the browser crash"),
        (
            "Page.goto: Target page, context or browser has been closed",
            PageUnreachable,
            "the browser ended while it rendered the page",
        ),
        ("Page.x: what now", PageUnreachable, "the page could not be rendered: what now"),
        ("", PageUnreachable, "the page could not be rendered: the browser shows an error of its own"),
    ],
)
def test_a_message_of_the_browser_is_told_in_words(message: str, kind: type, words: str):
    assert said(in_words(message)) == (kind, words)


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        (Frame("chrome-error://x", text="Sorry\nERR_NAME_NOT_RESOLVED\n"), "ERR_NAME_NOT_RESOLVED"),
        (Frame("chrome-error://x", text="Sorry"), ""),
        (Frame("chrome-error://x", text=RuntimeError("closed")), ""),
        (Frame("http://a.test/", text="ERR_NAME_NOT_RESOLVED"), ""),
    ],
)
def test_the_page_of_the_browser_names_its_error(frame: Any, name: str):
    assert asyncio.run(shown_error(frame)) == name
