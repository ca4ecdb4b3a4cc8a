"""A user in, the kept versions of the user's pages out, as the records of a web archive will tell them.

What can be written depends on what was kept. The body is kept as it was after the content coding was undone,
so the headers that described the coded bytes are renamed. Of a request only the address, the method and the
values of a form are kept. A page that a browser rendered is no answer of a server: its record is a resource.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from urllib.parse import urlencode, urlsplit

from webvigil.app.pages.find import FindStore, page_of
from webvigil.app.pages.view import SeenPage, ViewStore, seen_page
from webvigil.app.settings import Settings
from webvigil.errors import VersionLost
from webvigil.model.page import Page
from webvigil.model.version import Answer, Version
from webvigil.store.repository import PageRepository, reading_version

_SECRET = ("set-cookie", "set-cookie2")
# Headers that described the bytes on the wire. The kept body is plain, so they would be wrong.
_OF_THE_WIRE = ("content-encoding", "content-length", "transfer-encoding")
_RENAMED = "X-Archive-Orig-"
# Newest looks that are searched for the last time a version was seen.
_LOOKS = 1000
_SAME = {"same": "identical-payload-digest", "not modified": "server-not-modified"}
_SIGNS = ((b"\x89PNG", "image/png"), (b"\xff\xd8", "image/jpeg"), (b"GIF8", "image/gif"))

NOT_KEPT = (
    "Bodies are kept with their content coding undone; headers that described the coded bytes begin with "
    f"{_RENAMED}. Status lines are written again from the status. Of requests the method, the address and "
    "the values of a form are kept, no other headers. Cookies are left out. Redirects are not kept."
)
"""What a reader of the archive has to know about records that were not kept byte by byte."""


class CaptureStore(FindStore, ViewStore, Protocol):
    """The parts of the knowledge base that writing an archive needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something that was captured: the page itself, a frame, a picture or a screenshot. `status` 0 means
    that there is no answer of a server, only content."""

    url: str
    body: bytes
    media_type: str
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenAgain:
    """The last look that found a version unchanged, and how that look knew it."""

    at: datetime
    profile: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A kept version with everything that was kept of it. The first of the `parts` is the page."""

    page: Page
    version: Version
    parts: tuple[Part, ...]
    again: SeenAgain | None = None

    @property
    def at(self) -> datetime:
        return self.version.fetched_at

    @property
    def request(self) -> bytes:
        """Returns the request as far as it is known; b"" for a rendered page, whose requests are not kept."""
        if self.page.render == "browser":
            return b""
        parts = urlsplit(self.page.url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        form = urlencode(self.page.fields).encode()
        if self.page.method == "GET" and form:
            target, form = f"{target}{'&' if parts.query else '?'}{form.decode()}", b""
        lines = [f"{self.page.method} {target} HTTP/1.1", f"Host: {self.page.host}"]
        if form:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + form


@dataclass(frozen=True, slots=True)
class Lost:
    """A version that can no longer be read, and why."""

    version: Version
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The pages whose versions leave: one page (by its address or its id), those of one sentinel, or all of a
    user."""

    user: str
    page: str | None = None
    page_id: int | None = None
    sentinel: str | None = None


def pages_of(knowledge: CaptureStore, settings: Settings, chosen: Chosen) -> list[SeenPage]:
    """Returns the chosen pages as the user sees them. Raises NotFound if there is no such page or sentinel,
    and ValueError if the page is no address."""
    if chosen.page is not None:
        ids = [page_of(knowledge, chosen.user, chosen.page)]
    elif chosen.page_id is not None:
        ids = [chosen.page_id]
    elif chosen.sentinel is not None:
        ids = [page.id for page in knowledge.sentinels.get(chosen.user, chosen.sentinel).pages]
    else:
        ids = [page.id for one in knowledge.sentinels.all(chosen.user) for page in one.pages]
    return [seen_page(knowledge, settings, chosen.user, one) for one in sorted(set(ids))]


def captures_of(
    knowledge: CaptureStore, pages: PageRepository, seen: Sequence[SeenPage]
) -> Iterator[Capture | Lost]:
    """Yields the visible versions of these pages, page by page and oldest first. One version at a time is in
    memory."""
    for one in seen:
        identity, again = knowledge.versions.page(one.id), _seen_again(one)
        for version in reversed(one.versions()):
            try:
                with reading_version(version.number):
                    parts = tuple(_parts(pages, identity, version))
            except VersionLost as error:
                yield Lost(version, str(error))
                continue
            yield Capture(page=identity, version=version, parts=parts, again=again.get(version.number))


def _parts(pages: PageRepository, page: Page, version: Version) -> Iterator[Part]:
    answer = pages.answer(version.object)
    rendered = page.render == "browser"
    yield _answered(answer, rendered=rendered)
    for frame in answer.frames:
        if frame.answer.status:
            yield _answered(frame.answer, rendered=rendered)
    for address, picture in pages.pictures(version.object).items():
        yield Part(url=address, body=picture, media_type=_picture_type(picture))
    if version.picture:
        yield Part(url=f"urn:view:{answer.url}", body=pages.picture(version.picture), media_type="image/png")


def _answered(answer: Answer, *, rendered: bool) -> Part:
    media_type = answer.content_type or "application/octet-stream"
    if rendered:
        return Part(url=answer.url, body=answer.body, media_type=media_type)
    headers = (*map(_told, (one for one in answer.headers if one[0].lower() not in _SECRET)),)
    length = ("Content-Length", str(len(answer.body)))
    return Part(
        url=answer.url,
        body=answer.body,
        media_type=media_type,
        status=answer.status,
        headers=(*headers, length),
    )


def _told(header: tuple[str, str]) -> tuple[str, str]:
    name, value = header
    return (_RENAMED + name, value) if name.lower() in _OF_THE_WIRE else header


def _picture_type(picture: bytes) -> str:
    if picture[:4] == b"RIFF" and picture[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for sign, kind in _SIGNS if picture.startswith(sign)), "application/octet-stream")


def _seen_again(seen: SeenPage) -> dict[int, SeenAgain]:
    """Returns, by the number of the version, the last look that found this version unchanged."""
    looks = [look for look in seen.looks(_LOOKS) if look["decision"] in _SAME]
    found: dict[int, SeenAgain] = {}
    until: datetime | None = None
    for version in seen.versions():
        later = (one for one in looks if version.fetched_at < one["at"] and (not until or one["at"] < until))
        last = max(later, key=_time, default=None)
        if last:
            found[version.number] = SeenAgain(at=last["at"], profile=_SAME[last["decision"]])
        until = version.fetched_at
    return found


def _time(look: dict[str, datetime]) -> datetime:
    return look["at"]
