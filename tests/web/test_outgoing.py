"""Requests to addresses of others: pictures of shown pages, hubs that pages name, the operator's proxy.

Each must reach no private address, bring back nothing but what was wanted, and hold no more than it may.
"""

from __future__ import annotations

import asyncio
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.fetch.fetching import LOOPBACK
from tests.site import Site
from tests.web.test_push import SEAL, Watched
from webvigil.app.pages import display as sights_module
from webvigil.app.pages.display import Sights
from webvigil.app.pages.pushes import Subscriber
from webvigil.app.people.passes import Passes
from webvigil.app.settings import read_settings
from webvigil.errors import PageError
from webvigil.fetch.client import Ask, Client
from webvigil.model.version import Answer
from webvigil.store.memory import MemoryKnowledge
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository
from webvigil.web.second_origin import NOTHING, create_shown

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script></svg>"
PRIVATE = (
    "http://127.0.0.1:{port}/p.png",
    "http://localhost:{port}/p.png",
    "http://[::1]:{port}/p.png",
    "http://[::ffff:127.0.0.1]:{port}/p.png",
    "http://2130706433:{port}/p.png",
    "http://0x7f.1:{port}/p.png",
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
    "ftp://127.0.0.1/p.png",
    "gopher://127.0.0.1/",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "http://",
    "",
)


class Proxied:
    """The second origin with a real HTTP client, and with passes for any address."""

    def __init__(self, allowed: Any) -> None:
        self.passes = Passes(b"k" * 32)
        self.allowed = allowed

    def picture(self, url: str) -> Any:
        async def asked() -> Any:
            async with Client(user_agent="test", allowed=self.allowed) as client:
                made = Sights(MemoryKnowledge(delay=0), PageRepository(MemoryObjects()), client)
                return await made.picture(url)

        found = asyncio.run(asked())
        shown = _Ready(MemoryKnowledge(delay=0), PageRepository(MemoryObjects()), None)
        shown.ready = found
        with TestClient(create_shown(MemoryKnowledge(delay=0).changes, shown, self.passes)) as client:
            return client.get("/picture/" + self.passes.written("picture", {"url": url}))


class _Ready(Sights):
    """Sights that return the picture `ready`, which real ones have fetched."""

    ready: Any = None

    async def picture(self, url: str) -> Any:
        return self.ready


class TestPictures:
    @pytest.fixture
    def here(self) -> Proxied:
        return Proxied(LOOPBACK)

    @pytest.mark.parametrize("address", PRIVATE)
    def test_none_comes_from_the_private_network(self, site: Site, address: str):
        page = site.page("/p.png", PNG)
        port = page.url.split(":")[2].split("/")[0]
        assert Proxied(()).picture(address.format(port=port)).status_code == 404
        assert site.requests == []

    def test_nor_by_a_detour(self, site: Site, another_site: Any, here: Proxied):
        secret = another_site("127.0.0.2").page("/secret.png", PNG)
        away = site.page("/away.png", "").redirects_to(secret)
        only_here = Proxied([ip_network("127.0.0.1/32")])
        assert here.picture(away.url).status_code == 200
        assert only_here.picture(away.url).status_code == 404

    @pytest.mark.parametrize("type_", ["image/png", "image/svg+xml", "text/html", "application/javascript"])
    @pytest.mark.parametrize(
        "body", [b"<html><script>alert(1)</script>", b"alert(1)", b"", b"%PDF-1.7", b"\0" * 99]
    )
    def test_what_is_no_picture_is_not_shown_whatever_it_is_called(
        self, site: Site, here: Proxied, body: bytes, type_: str
    ):
        page = site.page("/x.png", body).content_type(type_)
        answer = here.picture(page.url)
        assert (answer.status_code, body[:10] in answer.content and bool(body)) == (404, False)

    @pytest.mark.parametrize(("body", "type_"), [(PNG, "image/png"), (SVG, "image/svg+xml")])
    def test_a_picture_is_what_it_is_and_can_do_nothing(
        self, site: Site, here: Proxied, body: bytes, type_: str
    ):
        answer = here.picture(site.page("/x", body).content_type("text/html").url)
        assert (answer.status_code, answer.headers["content-type"]) == (200, type_)
        assert answer.headers["content-security-policy"] == NOTHING
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in answer.headers

    def test_one_that_is_too_large_is_not_shown(
        self, site: Site, here: Proxied, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(sights_module, "LARGEST_PICTURE", 1_000)
        assert here.picture(site.page("/small.png", PNG).url).status_code == 200
        assert here.picture(site.page("/large.png", PNG + b"\0" * 2_000).url).status_code == 404

    def test_no_pass_opens_anything_but_its_own(self, here: Proxied):
        with TestClient(
            create_shown(MemoryKnowledge(delay=0).changes, _Ready(*_empty()), here.passes)
        ) as client:
            for wrong in ("x", Passes(b"other" * 8).written("picture", {"url": "http://a.test/"})):
                assert client.get(f"/picture/{wrong}").status_code in (403, 404, 410)
            shown = here.passes.written("shown", {"url": "http://a.test/"})
            assert client.get(f"/picture/{shown}").status_code in (403, 404, 410)


def _empty() -> tuple[MemoryKnowledge, PageRepository, None]:
    return MemoryKnowledge(delay=0), PageRepository(MemoryObjects()), None


class TestHubs:
    @pytest.fixture
    def watched(self, tmp_path: Path) -> Watched:
        return Watched(read_settings({"data": str(tmp_path)}, environment={}))

    def subscribe(self, watched: Watched, hub: str, allowed: Any) -> None:
        links = f'<{hub}>; rel="hub", <http://site.test/feed>; rel=self'
        answer = Answer(url="http://site.test/f", status=200, headers=(("Link", links),), body=b"<p>one")

        async def once() -> None:
            async with Client(user_agent="test", allowed=allowed) as client:
                await Subscriber(watched.knowledge, client, SEAL, "https://vigil.test/").noticed(
                    watched.page, answer
                )

        asyncio.run(once())

    @pytest.mark.parametrize("address", PRIVATE)
    def test_a_page_cannot_make_us_ask_the_private_network(self, watched: Watched, site: Site, address: str):
        port = site.page("/p.png", "x").allows("POST").url.split(":")[2].split("/")[0]
        self.subscribe(watched, address.format(port=port), ())
        assert site.requests == []

    @pytest.fixture
    def callback(self, watched: Watched, site: Site) -> str:
        hub = site.page("/hub", "accepted").allows("POST")
        self.subscribe(watched, hub.url, LOOPBACK)
        return hub.requests[-1].fields["hub.callback"].removeprefix("https://vigil.test")

    def test_what_a_hub_wants_to_hear_is_only_text(self, watched: Watched, callback: str):
        said = {"hub.mode": "subscribe", "hub.topic": "http://site.test/feed"}
        answer = watched.client.get(
            callback, params=said | {"hub.challenge": "<script>alert(1)</script>\r\nx: y"}
        )
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "x" not in answer.headers

    @pytest.mark.parametrize("lasts", ["-1", "9" * 40, "٣", "1e9", ""])
    def test_no_length_of_time_breaks_it(self, watched: Watched, callback: str, lasts: str):
        said = {"hub.mode": "subscribe", "hub.topic": "http://site.test/feed", "hub.challenge": "c"}
        assert watched.client.get(callback, params=said | {"hub.lease_seconds": lasts}).status_code == 200

    @pytest.mark.parametrize(
        "signature", [b"sha256=\xe9\xff", b"sha256=", b"=", b"sha256", b"nothing=1", b"sha1=" + b"0" * 10_000]
    )
    def test_a_wrong_signature_of_any_kind_is_only_wrong(
        self, watched: Watched, callback: str, signature: bytes
    ):
        said = {"hub.mode": "subscribe", "hub.topic": "http://site.test/feed", "hub.challenge": "c"}
        watched.client.get(callback, params=said)
        answer = watched.client.post(callback, content=b"news", headers=[(b"x-hub-signature", signature)])
        assert answer.status_code == 202
        assert watched.wishes() == []

    def test_too_much_is_not_taken(self, watched: Watched, callback: str):
        assert watched.client.post(callback, content=b"x" * 10_000_001).status_code == 413


class TestTheOutgoingProxy:
    def ask(self, url: str, proxy: str, allowed: Any = ()) -> int:
        async def asked() -> int:
            async with Client(user_agent="test", allowed=allowed, proxy=proxy) as client:
                return (await client.ask(Ask(url=url))).answer.status

        return asyncio.run(asked())

    @pytest.mark.parametrize("address", PRIVATE)
    def test_is_not_asked_for_the_private_network(self, site: Site, address: str):
        site.page("/", "proxied")
        with pytest.raises((PageError, ValueError)):
            self.ask(address.format(port=1), site.url)
        assert site.requests == []

    def test_is_the_one_of_the_settings_and_no_other(
        self, site: Site, another_site: Any, monkeypatch: pytest.MonkeyPatch
    ):
        page, other = site.page("/p", "plain"), another_site()
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, other.url)
        assert self.ask(page.url, "", LOOPBACK) == 200
        assert other.requests == []
