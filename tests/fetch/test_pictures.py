"""Tests that a picture replaced behind its address is a change of the page, if that is watched (C3)."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.app.worker.test_loop import Watching
from tests.fetch.fetching import LOOPBACK, as_page
from tests.site import Site, SitePage
from webvigil.app.pages.display import Picture, Sights
from webvigil.app.pages.documents import document_of, signature_of
from webvigil.detect.find import find
from webvigil.fetch.http import Fetched, HttpFetcher
from webvigil.model.sentinel import ChangeType
from webvigil.store import repository as shown_pictures
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository

PNG = b"\x89PNG\r\n\x1a\n"
CONTENT = ChangeType("all images", (), "content")


class Looks:
    def __init__(self, page: SitePage, **options: Any) -> None:
        self._page = page
        self._options = {"user_agent": "test", "allowed": LOOPBACK} | options
        self.facts: dict[str, str] = {}

    def look(self, pictures: bool = True) -> Fetched:
        async def once() -> Fetched:
            async with HttpFetcher(**self._options) as fetcher:
                return await fetcher.fetch(as_page(self._page), self.facts, pictures=pictures)

        seen = asyncio.run(once())
        self.facts = seen.validators
        return seen


def picture(site: Site, path: str, content: bytes) -> SitePage:
    return site.page(path, content).content_type("image/png")


def test_a_replaced_picture_is_found_though_the_page_is_the_same(site: Site):
    logo = picture(site, "/logo.png", b"one")
    looks = Looks(site.page("/a", '<p>x<img src="/logo.png"><img src="/gone.png"><img src="data:,x">'))
    first = looks.look().answer
    assert looks.look().answer is None
    logo.becomes(b"two")
    second = looks.look().answer
    assert signature_of(first) != signature_of(second)
    (found,) = find(document_of(first), document_of(second), CONTENT).objects
    assert (found.object, found.status) == (logo.url, "u")
    assert looks.look().answer is None


def test_pictures_are_fetched_only_where_they_are_watched(site: Site):
    logo = picture(site, "/logo.png", b"one")
    looks = Looks(site.page("/a", '<img src="/logo.png">'))
    assert looks.look(pictures=False).answer.pictures == ()
    assert logo.hits == 0
    assert dict(looks.look().answer.pictures).keys() == {logo.url}, "who wants them later gets them"


def test_a_picture_in_trouble_counts_as_it_was(site: Site):
    logo = picture(site, "/logo.png", b"one")
    page = site.page("/a", '<p>one<img src="/logo.png">')
    looks = Looks(page)
    before = looks.look().answer.pictures
    logo.answers(503)
    page.becomes('<p>two<img src="/logo.png">')
    assert looks.look().answer.pictures == before


def test_pictures_of_the_private_network_and_those_robots_may_not_see_are_not_fetched(
    site: Site, another_site: Any
):
    site.robots("User-agent: *\nDisallow: /no\n")
    forbidden = picture(site, "/no.png", b"x")
    inside = picture(another_site("127.0.0.2"), "/in.png", b"x")
    page = site.page("/a", f'<img src="/no.png"><img src="{inside.url}">')
    looks = Looks(page, allowed=(ipaddress.ip_network("127.0.0.1"),))
    assert looks.look().answer.pictures == ()
    assert looks.look().answer is None
    assert (forbidden.hits, inside.hits) == (0, 0)


def test_a_version_gives_back_what_was_seen_of_its_pictures(site: Site):
    picture(site, "/logo.png", b"one")
    site.page("/f", "<p>framed")
    for body in ('<img src="/logo.png">', '<img src="/logo.png"><iframe src="/f"></iframe>'):
        answer = Looks(site.page("/a", body)).look().answer
        pages = PageRepository(MemoryObjects())
        assert pages.answer(pages.keep(answer).object) == answer


def test_the_worker_tells_of_a_replaced_picture(site: Site):
    logo = picture(site, "/logo.png", b"one")
    page = site.page("/a", '<img src="/logo.png">')
    watching = Watching(page, monitor="all images content")
    watching.until(lambda: watching.decisions() == ["new version"])
    logo.becomes(b"two")
    watching.knowledge.schedule.ask(watching.page_id)
    watching.until(lambda: watching.knowledge.changes.all())
    (change,) = watching.knowledge.changes.all()
    assert change.findings[0].objects[0].object == logo.url


def test_the_old_picture_is_kept_beside_the_new_one(site: Site):
    """The old picture is kept also after versions in which it did not change (P2)."""
    other = picture(site, "/other.png", PNG + b"still")
    logo = picture(site, "/logo.png", PNG + b"one")
    page = site.page("/a", '<p>1<img src="/logo.png"><img src="/other.png">')
    watching = Watching(page, monitor="all images content")
    watching.until(lambda: watching.decisions() == ["new version"])
    for count, become in ((2, lambda: page.becomes('<p>2<img src="/logo.png"><img src="/other.png">')),
                          (3, lambda: logo.becomes(PNG + b"two"))):  # fmt: skip
        become()
        watching.knowledge.schedule.ask(watching.page_id)
        watching.until(lambda count=count: len(watching.knowledge.versions.of(watching.page_id)) == count)
    sights = Sights(watching.knowledge, watching.pages, None)
    both = sights.versions(watching.page_id, 2, 3)
    assert both.earlier == {logo.url: 1, other.url: 1}
    was = sights.earlier(watching.page_id, both.earlier[logo.url], logo.url)
    assert was == Picture("image/png", PNG + b"one")
    assert sights.versions(watching.page_id, 3, 3).earlier[logo.url] == 3


@given(st.dictionaries(st.text(max_size=20), st.binary(max_size=50), max_size=8))
def test_pictures_are_given_back_as_they_came(pictures: dict[str, bytes]):
    packed = shown_pictures.packed(pictures.items())
    assert (shown_pictures.unpacked(packed) if packed else {}) == {
        address: body for address, body in pictures.items() if body
    }


def test_there_is_not_room_for_all():
    large = b"x" * (shown_pictures.LARGEST + 1)
    many = [(str(number), b"x" * shown_pictures.LARGEST) for number in range(9)]
    packed = shown_pictures.packed([("large", large), *many])
    assert list(shown_pictures.unpacked(packed)) == ["0", "1", "2", "3", "4"]
    assert len(packed) <= shown_pictures.ROOM + 1_000


def test_a_frame_that_robots_may_not_see_is_never_asked_for(site: Site):
    site.robots("User-agent: *\nDisallow: /frame\n")
    frame = site.page("/frame", "<p>two")
    looks = Looks(site.page("/a", '<p>one<iframe src="/frame"></iframe>'))
    looks.look(pictures=False)
    assert looks.look(pictures=False).answer is None
    assert frame.hits == 0
