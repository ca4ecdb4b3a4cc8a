"""A change in, what is needed to show its page out: both versions, style sheets and pictures (P4).

Style sheets and pictures are fetched by the client that also judges addresses. They are limited in size, must
be what they claim to be, and stay in memory for a while, so that ten views of a change cost one request.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from webvigil.app.pages.documents import document_of
from webvigil.document import PageDigest
from webvigil.document.links import absolute
from webvigil.document.screenshot import size_of
from webvigil.errors import MistakeInText, NotFound, PageError
from webvigil.fetch.client import Ask, Client
from webvigil.fetch.shared_call import SingleFlight
from webvigil.graph.part import views
from webvigil.language import parse
from webvigil.model.change import Change, Finding
from webvigil.store.promises import Sentinels, Versions
from webvigil.store.repository import PageRepository, reading_version

# Limits of what a shown page may load. They bound the time and memory that a stranger's page can cost.
LARGEST_PICTURE = 5_000_000
LARGEST_SHEET = 1_000_000
MOST_SHEETS = 12
LOOKED_BACK = 50  # versions in which pictures of the old version are searched
PATIENCE = 5.0  # seconds for one style sheet or picture
_MEMORY = 64_000_000  # bytes that style sheets and pictures may occupy
_MOST_KEPT = 5_000  # style sheets and pictures: also what could not be fetched has an entry
_KEPT = 3600.0  # seconds that a style sheet or a picture stays in memory

# The first bytes of a picture decide its type, not what its server claims: a browser must never be handed
# a page that pretends to be a picture.
_SIGNS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\0\0\1\0", "image/x-icon"),
)


class _Store(Protocol):
    """The parts of the knowledge base that showing two versions needs."""

    sentinels: Sentinels
    versions: Versions


class Picture(NamedTuple):
    type: str
    body: bytes


class Both(NamedTuple):
    """The two versions of a page between which a change lies, and how the sentinel wants to see them.
    `earlier` maps the address of each stored picture of the old version to the version it came with;
    `numbers` are the two versions."""

    old: PageDigest
    new: PageDigest
    how: str
    page: int
    earlier: dict[str, int]
    numbers: tuple[int, int]


class Sights:
    """Loads versions, style sheets and pictures for the pages that are shown."""

    def __init__(self, knowledge: _Store, pages: PageRepository, client: Client | None) -> None:
        """Without a `client` nothing is fetched from the web."""
        self._knowledge = knowledge
        self._pages = pages
        self._client = client
        self._kept: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._size = 0
        self._flights: SingleFlight[str, bytes] = SingleFlight()

    def both(self, change: Change) -> Both:
        """Returns the two versions of a change as its sentinel sees them. Raises NotFound if a version is no
        longer kept."""
        numbers = change.old_version, change.new_version
        old, new = (self._document(change.page, number) for number in numbers)
        earlier = self._earlier(change.page, change.old_version, old)
        try:
            sentinel = parse(self._knowledge.sentinels.get(change.user, change.sentinel).text)[0]
        except (NotFound, MistakeInText, IndexError):
            return Both(old, new, "auto", change.page, earlier, numbers)
        seen = views(old, new, sentinel)
        before, after = (old, new) if isinstance(seen, Finding) else seen
        return Both(before, after, sentinel.present or "auto", change.page, earlier, numbers)

    def versions(self, page: int, old: int, new: int) -> Both:
        before = self._document(page, old)
        earlier = self._earlier(page, old, before)
        return Both(before, self._document(page, new), "auto", page, earlier, (old, new))

    def earlier(self, page: int, version: int, url: str) -> Picture | None:
        """Returns a picture as it came with a version, or None if none was stored under this address."""
        kept = self._pages.pictures(self._knowledge.versions.get(page, version).object)
        return _picture(kept[url]) if url in kept else None

    def _earlier(self, page: int, number: int, old: PageDigest) -> dict[str, int]:
        """Finds for each picture of the old version the newest version, not later than `number`, that stored
        the picture."""
        if not old.whole.pictures:
            return {}
        found: dict[str, int] = {}
        for one in self._knowledge.versions.some(page, before=number + 1, limit=LOOKED_BACK):
            for url in self._pages.pictures(one.object):
                found.setdefault(url, one.number)
        return {url: at for url, at in found.items() if url in old.whole.pictures}

    def kept(self, key: str) -> PageDigest:
        """Returns the page that is stored under this key, to be shown so that a user can pick a part of
        it."""
        return document_of(self._pages.answer(key))

    def rendered(self, page: int, number: int) -> Picture | None:
        """Returns the screenshot of a version, or None if the version was not fetched by a browser."""
        key = self._knowledge.versions.get(page, number).picture
        return _picture(self._pages.picture(key)) if key else None

    def sizes(self, both: Both) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Returns the widths and heights of the screenshots of both versions, or None if one of them has
        none."""
        old, new = (self.rendered(both.page, number) for number in both.numbers)
        return (size_of(old.body), size_of(new.body)) if old and new else None

    def _document(self, page: int, number: int) -> PageDigest:
        with reading_version(number):
            return document_of(self._pages.answer(self._knowledge.versions.get(page, number).object))

    async def sheets(self, *pages: PageDigest) -> dict[str, str]:
        """Returns the style sheets that the pages link to, by address. Sheets that cannot be fetched are left
        out."""
        wanted = list(dict.fromkeys(url for page in pages for url in _sheets(page.whole)))[:MOST_SHEETS]
        found = await asyncio.gather(*[self._fetched(url, LARGEST_SHEET) for url in wanted])
        return {url: body.decode("utf-8", "replace") for url, body in zip(wanted, found, strict=True) if body}

    async def picture(self, url: str) -> Picture | None:
        body = await self._fetched(url, LARGEST_PICTURE)
        return _picture(body) if body else None

    async def _fetched(self, url: str, limit: int) -> bytes:
        kept = self._kept.get(url)
        if kept and kept[0] > time.monotonic():
            return kept[1]
        return await self._flights.do(url, lambda: self._ask(url, limit))

    async def _ask(self, url: str, limit: int) -> bytes:
        """Fetches a style sheet or picture and keeps it. Returns b"" if nothing comes; the page is then shown
        without it."""
        body = b""
        if self._client is not None:
            try:
                async with asyncio.timeout(PATIENCE):
                    answer = (await self._client.ask(Ask(url=url, limit=limit))).answer
                body = answer.body if answer.status == 200 else b""
            except (PageError, TimeoutError, ValueError):
                body = b""
        self._keep(url, body)
        return body

    def _keep(self, url: str, body: bytes) -> None:
        self._size += len(body) - len(self._kept.pop(url, (0, b""))[1])
        self._kept[url] = (time.monotonic() + _KEPT, body)
        while self._size > _MEMORY or len(self._kept) > _MOST_KEPT:
            self._size -= len(self._kept.popitem(last=False)[1][1])


def _sheets(page: PageDigest) -> Iterable[str]:
    for node in page.nodes_of("link").tolist():
        if "stylesheet" in (page.attribute(node, "rel") or "").lower().split():
            url = absolute(page.url, page.attribute(node, "href") or "")
            if url.startswith(("http://", "https://")):
                yield url


def _picture(body: bytes) -> Picture | None:
    for sign, type_ in _SIGNS:
        if body.startswith(sign):
            return Picture(type_, body)
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return Picture("image/webp", body)
    if body[4:12] in (b"ftypavif", b"ftypavis"):
        return Picture("image/avif", body)
    head = body[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    # SVG is safe here: inside `img` it runs no scripts and fetches nothing, and opened by itself it is served
    # with a content security policy that forbids both.
    if head.startswith((b"<svg", b"<?xml", b"<!DOCTYPE svg", b"<!--")) and b"<svg" in body[:5000]:
        return Picture("image/svg+xml", body)
    return None
