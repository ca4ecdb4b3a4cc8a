"""What is written of a kept version: its request, its parts and the last look that found it unchanged."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from webvigil.app.moving.captures import (
    Capture,
    SeenAgain,
    _picture_type,
    _seen_again,
)
from webvigil.model.page import Page
from webvigil.model.version import Version

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FORM = (("q", "black tea"), ("n", "1"))
FORM_HEAD = "Content-Type: application/x-www-form-urlencoded\r\n"


def version(number: int, hours: int = 0) -> Version:
    at = NOW + hours * HOUR
    return Version(page=7, number=number, fetched_at=at, url="u", status=200, signature="", object="", size=3)


@pytest.mark.parametrize(
    ("page", "number", "request_"),
    [
        (Page(url="http://a.test/x?b=1"), 1, "GET /x?b=1 HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        (Page(url="http://a.test/x"), 0, "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        (Page(url="http://a.test/x"), -1, ""),
        (Page(url="http://a.test/x", render="browser"), 1, ""),
        (
            Page(url="http://a.test/x", fields=FORM),
            1,
            "GET /x?q=black+tea&n=1 HTTP/1.1\r\nHost: a.test\r\n\r\n",
        ),
        (
            Page(url="http://a.test/x?b=1", fields=FORM),
            1,
            "GET /x?b=1&q=black+tea&n=1 HTTP/1.1\r\nHost: a.test\r\n\r\n",
        ),
        (
            Page(url="http://a.test/x?b=1", method="POST", fields=FORM),
            1,
            "POST /x?b=1 HTTP/1.1\r\nHost: a.test\r\n"
            + FORM_HEAD
            + "Content-Length: 15\r\n\r\nq=black+tea&n=1",
        ),
        (Page(url="http://a.test/x", method="POST"), 1, "POST /x HTTP/1.1\r\nHost: a.test\r\n\r\n"),
    ],
)
def test_the_request_is_what_is_known_of_it(page: Page, number: int, request_: str):
    assert Capture(page=page, version=version(number), parts=()).request.decode() == request_


@pytest.mark.parametrize(
    ("picture", "kind"),
    [
        (b"RIFF1234WEBPmore", "image/webp"),
        (b"RIFF1234WAVE", "application/octet-stream"),
        (b"xIFF1234WEBP", "application/octet-stream"),
        (b"RIFF12345WEBP", "application/octet-stream"),
        (b"\x89PNG more", "image/png"),
        (b"\xff\xd8 more", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"", "application/octet-stream"),
    ],
)
def test_a_picture_is_known_by_its_first_bytes(picture: bytes, kind: str):
    assert _picture_type(picture) == kind


class Seen:
    """Versions, newest first, with looks."""

    def __init__(self, versions: list[Version], *looks: tuple[int, str]) -> None:
        self._versions, self._looks = versions, looks

    def versions(self) -> list[Version]:
        return self._versions

    def looks(self, most: int) -> list[dict[str, Any]]:
        return [{"at": NOW + hours * HOUR, "decision": decision} for hours, decision in self._looks[:most]]


def test_the_last_look_before_the_next_version_found_it_unchanged():
    looks = [(9, "same"), (8, "not modified"), (7, "changed"), (5, "same"), (4, "same"), (3, "not modified")]
    seen: Any = Seen([version(3, 7), version(2, 4), version(1, 0)], *looks, (2, "same"), (0, "same"))
    assert _seen_again(seen) == {
        3: SeenAgain(at=NOW + 9 * HOUR, profile="identical-payload-digest"),
        2: SeenAgain(at=NOW + 5 * HOUR, profile="identical-payload-digest"),
        1: SeenAgain(at=NOW + 3 * HOUR, profile="server-not-modified"),
    }
    assert _seen_again(Seen([version(1, 7)], (7, "same"), (8, "failed"))) == {}  # type: ignore[arg-type]


def test_a_thousand_looks_are_searched():
    early: Any = Seen([version(1, 0)], *[(2, "failed")] * 999, (1, "same"))
    assert list(_seen_again(early)) == [1]
    late: Any = Seen([version(1, 0)], *[(2, "failed")] * 1000, (1, "same"))
    assert _seen_again(late) == {}
