"""What a shown page needs is taken for what it is, limited, kept for an hour, and fetched once."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

from webvigil.app.pages import display
from webvigil.app.pages.display import LARGEST_PICTURE, LARGEST_SHEET, MOST_SHEETS, Picture, Sights, _picture
from webvigil.document import read
from webvigil.errors import PageUnreachable
from webvigil.fetch.client import Ask
from webvigil.model.version import Answer

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"BM", "image/bmp"),
        (b"\0\0\1\0", "image/x-icon"),
        (b"RIFF....WEBP", "image/webp"),
        (b"....ftypavif", "image/avif"),
        (b"....ftypavis", "image/avif"),
        (b"<svg/>", "image/svg+xml"),
        (b"\xef\xbb\xbf \r\n\t<?xml version='1.0'?><svg/>", "image/svg+xml"),
        (b"<!DOCTYPE svg><svg>", "image/svg+xml"),
        (b"<!-- made by hand --><svg>", "image/svg+xml"),
        (b" " * 996 + b"<svg>", "image/svg+xml"),
        (b"<!--".ljust(4_996) + b"<svg", "image/svg+xml"),
    ],
)
def test_a_picture_is_known_by_its_first_bytes(body: bytes, kind: str):
    assert _picture(body) == Picture(kind, body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"<html><svg>",
        b"RIFF....WAVE",
        b"RIFX....WEBP",
        b"....ftypmp42",
        b" \x89PNG\r\n\x1a\n",
        b"<?xml version='1.0'?><rss/>",
        b" " * 997 + b"<svg>",
        b"<!--".ljust(4_997) + b"<svg",
    ],
)
def test_what_is_no_picture_is_never_shown_as_one(body: bytes):
    assert _picture(body) is None


class Web:
    """Answers with a text for each address, and keeps what was asked."""

    def __init__(self, status: int = 200) -> None:
        self.asked: list[tuple[str, int]] = []
        self.status = status

    async def ask(self, ask: Ask) -> Any:
        self.asked.append((ask.url, ask.limit))
        await asyncio.sleep(0)
        if ask.url.endswith("gone"):
            raise PageUnreachable("gone")
        if ask.url.endswith("slow"):
            raise TimeoutError
        body = PNG if "png" in ask.url else f"/* {ask.url[-5:]} \udcff */".encode("utf-8", "surrogateescape")
        return SimpleNamespace(answer=Answer(url=ask.url, status=self.status, headers=(), body=body))


def sights(web: Web | None) -> Sights:
    nothing: Any = None
    client: Any = web
    return Sights(nothing, nothing, client)


def page(markup: str) -> Any:
    return read(markup.encode(), "text/html", "http://a.test/b/")


def test_the_sheets_of_both_versions_are_fetched_once():
    web = Web()
    old = page(
        "<link rel='StyleSheet other' href=a.css><link rel=icon href=b.css><link rel=stylesheet href=gone>"
    )
    new = page("<link rel=stylesheet href=a.css><link rel=stylesheet href=/slow><link href=x rel=stylesheet>")
    found = asyncio.run(sights(web).sheets(old, new))
    assert found == {"http://a.test/b/a.css": "/* a.css \ufffd */", "http://a.test/b/x": "/* t/b/x \ufffd */"}
    assert [url.rpartition("/")[2] for url, _ in web.asked] == ["a.css", "gone", "slow", "x"]
    assert {limit for _, limit in web.asked} == {LARGEST_SHEET} == {1_000_000}


def test_a_page_has_twelve_sheets_and_they_come_from_the_web():
    web = Web()
    links = "".join(f"<link rel=stylesheet href=s{n}>" for n in range(13))
    asyncio.run(sights(web).sheets(page(f"<link rel=stylesheet href=ftp://a.test/s>{links}")))
    assert [url for url, _ in web.asked] == [f"http://a.test/b/s{n}" for n in range(12)]
    assert MOST_SHEETS == 12


def test_a_picture_is_asked_for_once_an_hour(monkeypatch: pytest.MonkeyPatch):
    now = [1_000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    web = Web()
    shown = sights(web)

    def ask(url: str) -> Picture | None:
        return asyncio.run(shown.picture(url))

    assert ask("http://a.test/png") == Picture("image/png", PNG)
    assert ask("http://a.test/text") is None
    assert ask("http://a.test/gone") is None
    now[0] += 3_599
    assert ask("http://a.test/png")
    assert ask("http://a.test/gone") is None
    assert web.asked == [(f"http://a.test/{one}", LARGEST_PICTURE) for one in ("png", "text", "gone")]
    now[0] += 1
    assert ask("http://a.test/png")
    assert len(web.asked) == 4
    assert asyncio.run(sights(None).picture("http://a.test/png")) is None
    assert asyncio.run(sights(Web(status=404)).picture("http://a.test/png")) is None


def test_what_is_kept_has_a_number_and_a_size(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(display, "_MOST_KEPT", 2)
    monkeypatch.setattr(display, "_MEMORY", 10)
    shown = sights(None)
    for url, size in (("a", 4), ("a", 5), ("b", 5)):
        shown._keep(url, b"x" * size)
    assert (list(shown._kept), shown._size) == (["a", "b"], 10)
    shown._keep("c", b"")
    assert (list(shown._kept), shown._size) == (["b", "c"], 5)
    shown._keep("c", b"x" * 6)
    assert (list(shown._kept), shown._size) == (["c"], 6)
