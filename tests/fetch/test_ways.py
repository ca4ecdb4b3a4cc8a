"""Ways to a page, through real proxies on loopback: HTTP, HTTPS, SOCKS, with and without a browser (K9)."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.browser import needs_chromium
from tests.fetch.fetching import LOOPBACK
from tests.fetch.test_browser import Browsers, browsers, shown
from tests.ports import unused_port
from tests.site import Site
from tests.site.certificates import Authority
from webvigil.errors import PageError, PageRefused, PageUnreachable
from webvigil.fetch.client import Limits, tls_context
from webvigil.fetch.http import Fetched, HttpFetcher
from webvigil.fetch.ways import (
    ForbiddenAddress,
    Proxy,
    ProxyTrouble,
    Ways,
    fits,
    in_words,
    judge,
    refusal_of,
    tunnel,
)
from webvigil.model.approach import Approach
from webvigil.model.page import Page

__all__ = ["browsers"]

# The program asks for an event loop that Python makes no longer by itself.
PPROXY = """
import asyncio
asyncio.set_event_loop(asyncio.new_event_loop())
from pproxy.server import main
main()
"""
KINDS = ("http", "socks5", "socks4", "https")


class RealProxy:
    """The program pproxy in a process of its own. `tls` is a file with its certificate and key."""

    def __init__(self, folder: Path, *, user: str = "", tls: Path | None = None) -> None:
        self.port = unused_port()
        self._said = folder / f"proxy-{self.port}.log"
        kinds = "http+ssl" if tls else "http+socks4+socks5"
        place = f"{kinds}://127.0.0.1:{self.port}" + (f"#{user}" if user else "")
        secure = ["--ssl", str(tls)] if tls else []
        command = [sys.executable, "-u", "-W", "ignore", "-c", PPROXY, "-v", "-l", place, *secure]
        with self._said.open("wb") as out:
            self._process = subprocess.Popen(command, stdout=out, stderr=out)
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            with socket.socket() as trying:
                if trying.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError(self._said.read_text())

    def led_to(self, port: int) -> bool:
        """Returns whether the proxy says that it led somebody to a port."""
        return f":{port}" in self._said.read_text()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)


Make = Callable[..., RealProxy]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[RealProxy] = []

    def start(**options: Any) -> RealProxy:
        made.append(RealProxy(tmp_path, **options))
        return made[-1]

    yield start
    for one in made:
        one.stop()


def fetched(page: Page, **options: Any) -> Fetched:
    async def once() -> Fetched:
        usual: dict[str, Any] = {
            "user_agent": "WebVigil/test",
            "allowed": LOOPBACK,
            "limits": Limits(timeout=20),
        }
        async with HttpFetcher(**(usual | options)) as fetcher:
            return await fetcher.fetch(page, {})

    return asyncio.run(once())


def rendered(browsers: Browsers, page: Page, **options: Any) -> Fetched:
    async def once() -> Fetched:
        return await (await browsers.browser(options)).fetch(page)

    return browsers.run(once())


def through(url: str, name: str = "office", **more: Any) -> Page:
    return Page(url=url, approach=Approach(through=name), **more)


def ways(proxy: RealProxy, kind: str = "http", user: str = "", **more: Any) -> Ways:
    at = f"{user}@" if user else ""
    return Ways(proxies=(("office", f"{kind}://{at}127.0.0.1:{proxy.port}"),), **more)


@pytest.fixture
def tls(tmp_path: Path) -> tuple[Path, Path]:
    """Returns the file of an authority, and the certificate with its key that the authority gave to
    127.0.0.1."""
    authority = Authority(tmp_path)
    authority.server("127.0.0.1")
    return authority.file, next(tmp_path.glob("server-*.pem"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_fetched_through_the_proxy_that_its_sentinel_names(
    site: Site, make: Make, kind: str, tls: tuple[Path, Path]
):
    proxy = make(tls=tls[1] if kind == "https" else None)
    page = site.page("/a", "<p>one")
    seen = fetched(through(page.url), ways=ways(proxy, kind), ca_file=tls[0])
    assert (shown(seen), proxy.led_to(site.port)) == ("one", True)
    assert [one.path for one in site.log.requests] == ["/robots.txt", "/a"], "robots.txt goes the same way"


def test_another_page_goes_directly(site: Site, make: Make):
    proxy = make()
    assert shown(fetched(Page(url=site.page("/a", "<p>one").url), ways=ways(proxy))) == "one"
    assert not proxy.led_to(site.port)


def test_a_host_has_the_proxy_that_the_operator_gave_it(site: Site, make: Make):
    proxy = make()
    page = Page(url=site.page("/a", "<p>one").url)
    assert (
        shown(fetched(page, ways=ways(proxy, "socks5", hosts=((f"127.0.0.1:{site.port}", "office"),))))
        == "one"
    )
    assert proxy.led_to(site.port)


def test_a_secure_page_is_verified_behind_the_proxy(tmp_path: Path, make: Make):
    proxy, authority = make(), Authority(tmp_path)
    with Site(tls=authority.server("127.0.0.1")) as site:
        page = through(site.page("/a", "<p>one").url)
        for kind in ("http", "socks5"):
            assert shown(fetched(page, ways=ways(proxy, kind), ca_file=authority.file)) == "one"
            with pytest.raises(PageRefused, match=r"the certificate of 127\.0\.0\.1 is not valid"):
                fetched(page, ways=ways(proxy, kind))


def test_the_address_is_judged_before_the_proxy_hears_its_name(site: Site, make: Make):
    proxy = make()
    for kind in ("http", "socks5"):
        with pytest.raises(PageRefused, match=r"127\.0\.0\.1 is not a public address"):
            fetched(through(site.page("/a", "x").url), ways=ways(proxy, kind), allowed=())
    with pytest.raises(PageRefused, match=r"10\.0\.0\.9 is not a public address"):
        fetched(through("http://inside.test/"), ways=ways(proxy), lookup=lambda _: ["10.0.0.9"])
    assert not proxy.led_to(site.port)
    assert not site.log.requests


def test_a_proxy_asks_who_we_are_and_its_password_is_not_told(site: Site, make: Make):
    proxy, page = make(user="jill:s3cret"), through(site.page("/a", "<p>one").url)
    for kind in ("http", "socks5"):
        with pytest.raises(PageError) as refused:
            fetched(page, ways=ways(proxy, kind, "jill:wr0ng"))
        assert "the proxy office" in str(refused.value)
        assert "wr0ng" not in str(refused.value)
    assert shown(fetched(page, ways=ways(proxy, "http", "jill:s3cret"))) == "one"
    assert shown(fetched(page, ways=ways(proxy, "socks5", "jill:s3cret"))) == "one"


@pytest.mark.parametrize("kind", ["http", "https", "socks5"])
def test_a_proxy_that_is_not_there_is_named(site: Site, make: Make, kind: str):
    proxy = make()
    proxy.stop()
    with pytest.raises(
        PageUnreachable, match="the page could not be fetched: the proxy office cannot be reached"
    ):
        fetched(through(site.page("/a", "x").url), ways=ways(proxy, kind, "jill:s3cret"))


def test_a_proxy_that_the_operator_took_away_is_named(site: Site):
    with pytest.raises(PageRefused, match="there is no proxy 'office' any more"):
        fetched(through(site.page("/a", "x").url))


def test_a_certificate_need_not_be_valid_where_the_operator_says_so(tmp_path: Path):
    with Site(tls=Authority(tmp_path).server("other.test")) as site:
        page = Page(url=site.page("/a", "<p>one").url)
        assert shown(fetched(page, ways=Ways(unverified=(f"127.0.0.1:{site.port}",)))) == "one"
        with pytest.raises(PageRefused, match="is not valid"):
            fetched(page, ways=Ways(unverified=("127.0.0.2", f"127.0.0.1:{site.port + 1}")))


def test_a_page_has_its_own_introduction_and_time_limit(site: Site):
    slow = site.page("/slow", "x").slow(first_byte=3)
    hasty = Page(url=slow.url, approach=Approach(timeout=1, agent="Jill's WebVigil"))
    with pytest.raises(PageUnreachable, match="no answer within 1 seconds"):
        fetched(hasty)
    assert {one.headers["User-Agent"] for one in slow.requests} == {"Jill's WebVigil"}
    assert fetched(replace(hasty, approach=Approach(timeout=10)), limits=Limits(timeout=1)).status == 200


@needs_chromium
class TestTheBrowser:
    @pytest.mark.parametrize("kind", KINDS)
    def test_goes_through_the_proxy_for_all_that_it_loads(
        self, site: Site, make: Make, browsers: Browsers, kind: str, tls: tuple[Path, Path]
    ):
        proxy = make(tls=tls[1] if kind == "https" else None)
        site.page("/b.js", "document.write('<p>two')").content_type("text/javascript")
        page = through(site.page("/a", "<p>one<script src=/b.js></script>").url, render="browser")
        seen = rendered(browsers, page, ways=ways(proxy, kind), ca_file=tls[0])
        assert (shown(seen), proxy.led_to(site.port)) == ("one\ntwo", True)

    def test_comes_to_secure_pages_through_a_tunnel(self, tmp_path: Path, make: Make, browsers: Browsers):
        proxy = make(user="jill:s3cret")
        with Site(tls=Authority(tmp_path).server("127.0.0.1")) as site:
            page = through(site.page("/a", "<p>one").url, render="browser")
            for kind in ("http", "socks5"):
                said = ways(proxy, kind, "jill:s3cret", unverified=("127.0.0.1",))
                assert shown(rendered(browsers, page, ways=said)) == "one"

    def test_is_judged_before_the_proxy_hears_the_name(self, site: Site, make: Make, browsers: Browsers):
        proxy = make()
        page = through(site.page("/a", "x").url, render="browser")
        with pytest.raises(PageRefused, match=r"127\.0\.0\.1 is not a public address"):
            rendered(browsers, page, ways=ways(proxy), allowed=())
        assert not proxy.led_to(site.port)

    def test_names_a_proxy_that_is_not_there(self, site: Site, make: Make, browsers: Browsers):
        proxy = make()
        proxy.stop()
        with pytest.raises(PageUnreachable, match="the proxy office cannot be reached"):
            rendered(browsers, through(site.page("/a", "x").url, render="browser"), ways=ways(proxy))

    def test_believes_no_other_host_than_the_operator_named(self, tmp_path: Path, browsers: Browsers):
        with Site(tls=Authority(tmp_path).server("127.0.0.1")) as site:
            page = Page(url=site.page("/a", "<p>one").url, render="browser")
            assert shown(rendered(browsers, page, ways=Ways(unverified=("127.0.0.1",)))) == "one"
            with pytest.raises(PageRefused, match="the certificate of the page is not valid"):
                rendered(browsers, page, ways=Ways(unverified=("127.0.0.2",)))

    def test_introduces_itself_as_the_sentinel_says(self, site: Site, browsers: Browsers):
        page = Page(
            url=site.page("/a", "x").url, render="browser", approach=Approach(agent="Jill's WebVigil")
        )
        rendered(browsers, page)
        assert {one.headers["User-Agent"] for one in site.log.requests if one.path == "/a"} == {
            "Jill's WebVigil"
        }


@pytest.mark.parametrize(
    ("host", "url", "so"),
    [
        ("a.example", "https://a.example/x", True),
        ("A.example", "https://a.example/x", True),
        ("a.example", "https://b.a.example/", False),
        ("*.a.example", "https://b.a.example/", True),
        ("*.a.example", "https://a.example/", False),
        ("*.a.example", "https://ba.example/", False),
        ("a.example:8443", "https://a.example:8443/", True),
        ("a.example:443", "https://a.example/", True),
        ("a.example:8443", "https://a.example/", False),
        ("[::1]:81", "http://[::1]:81/", True),
    ],
)
def test_which_addresses_are_at_a_host(host: str, url: str, so: bool):
    assert fits(host, url) is so


def test_a_proxy_never_shows_its_password():
    proxy = Proxy("office", "http://jill:s3cret@proxy.test:3128")
    assert "s3cret" not in f"{proxy} {proxy!r} {Ways(proxies=(('office', proxy.url),))!r}"
    assert proxy.place == ("proxy.test", 3128)
    assert proxy.credentials == ("jill", "s3cret")
    assert tls_context(None)


@pytest.mark.parametrize(
    ("url", "place", "credentials", "authorization"),
    [
        ("http://p.test", ("p.test", 80), ("", ""), ""),
        ("https://p.test", ("p.test", 443), ("", ""), ""),
        ("socks5://p.test", ("p.test", 1080), ("", ""), ""),
        ("http://p.test:3128", ("p.test", 3128), ("", ""), ""),
        ("http://me:p%40ss@p.test", ("p.test", 80), ("me", "p@ss"), "Basic bWU6cEBzcw=="),
        ("http://me@p.test", ("p.test", 80), ("me", ""), "Basic bWU6"),
        ("http://:secret@p.test", ("p.test", 80), ("", "secret"), ""),
    ],
)
def test_where_a_proxy_is_and_who_we_are_there(
    url: str, place: tuple[str, int], credentials: tuple[str, str], authorization: str
):
    proxy = Proxy("office", url)
    assert (proxy.place, proxy.credentials, proxy.authorization) == (place, credentials, authorization)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (407, "the proxy office wants another user name or password (407)"),
        (406, "the proxy office does not lead there (406)"),
        (408, "the proxy office does not lead there (408)"),
        (0, "the proxy office does not lead there (no answer of a proxy)"),
    ],
)
def test_what_a_proxy_that_refuses_is_said_to_do(status: int, words: str):
    assert refusal_of(Proxy("office", "http://p.test"), status) == words


class ProxyConnectionError(Exception):
    """As the library for SOCKS has one."""


class ProxyTimeoutError(Exception):
    """As the library for SOCKS has one."""


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TimeoutError(), "does not answer"),
        (ProxyTimeoutError(), "does not answer"),
        (OSError("no route"), "cannot be reached"),
        (ProxyConnectionError(), "cannot be reached"),
        (EOFError(), "closed the connection; is its user name or password another one?"),
        (ValueError("general failure"), "does not lead there (general failure)"),
    ],
)
def test_what_went_wrong_at_a_proxy_is_said(error: Exception, words: str):
    assert in_words(Proxy("", "http://me:secret@p.test"), error) == f"the proxy {words}"


SAID = Ways(
    everywhere="http://all.test",
    proxies=(("office", "http://office.test"), ("home", "socks5://home.test")),
    hosts=(("a.test", "office"), ("gone.test", "taken")),
)


@pytest.mark.parametrize(
    ("ways", "url", "named", "proxy"),
    [
        (SAID, "http://b.test/", "", Proxy("", "http://all.test")),
        (SAID, "http://a.test/", "", Proxy("office", "http://office.test")),
        (SAID, "http://a.test/", "home", Proxy("home", "socks5://home.test")),
        (Ways(), "http://a.test/", "", None),
    ],
)
def test_the_proxy_for_an_address(ways: Ways, url: str, named: str, proxy: Proxy | None):
    assert ways.to(url, named) == proxy
    for url, through, name in (("http://gone.test/", "", "taken"), ("http://a.test/", "x", "x")):
        with pytest.raises(PageRefused, match=f"there is no proxy '{name}' any more; the setting proxies"):
            SAID.to(url, through)


@pytest.mark.parametrize(
    ("host", "url", "so"),
    [
        ("a.test:80", "http://a.test/", True),
        ("a.test:81", "http://a.test/", False),
        ("a.test:79", "http://a.test/", False),
    ],
)
def test_the_usual_port_need_not_be_written(host: str, url: str, so: bool):
    assert fits(host, url) is so


class ProxyServer:
    """A proxy on loopback that answers CONNECT as it was told, and notes what it heard."""

    def __init__(self, answer: bytes) -> None:
        self.answer, self.heard = answer, b""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heard = await reader.readuntil(b"\r\n\r\n")
        writer.write(self.answer)
        writer.close()

    def led(self, host: str, user: str = "") -> str:
        """Returns what came behind the answer of the proxy, or the trouble with it."""

        async def once() -> str:
            server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
            async with server:
                at = f"http://{user}127.0.0.1:{server.sockets[0].getsockname()[1]}"
                reader, writer = await tunnel(Proxy("office", at), host, 443, tls_context(None))
                said = await reader.read()
                writer.close()
                return said.decode()

        try:
            return asyncio.run(once())
        except ProxyTrouble as error:
            return str(error)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.1 200 Go on then\r\n\r\nhello", "hello"),
        (b"HTTP/1.1 407 Who\r\n\r\n", "the proxy office wants another user name or password (407)"),
        (b"HTTP/1.1 502 No\r\n\r\n", "the proxy office does not lead there (502)"),
        (b"what\r\n\r\n", "the proxy office does not lead there (no answer of a proxy)"),
        (b"", "the proxy office gave no answer"),
    ],
)
def test_what_a_proxy_answers_to_the_wish_for_a_tunnel(answer: bytes, said: str):
    proxy = ProxyServer(answer)
    assert proxy.led("a.test", "me@") == said
    assert proxy.heard == (
        b"CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nProxy-Authorization: Basic bWU6\r\n\r\n"
    )


def test_an_address_with_colons_stands_in_brackets():
    proxy = ProxyServer(b"HTTP/1.1 200 OK\r\n\r\n")
    assert proxy.led("2001:db8::1") == ""
    assert proxy.heard == b"CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: [2001:db8::1]:443\r\n\r\n"


@pytest.mark.parametrize(
    ("host", "addresses", "forbidden"),
    [
        ("93.184.216.34", [], ""),
        ("10.0.0.9", [], "10.0.0.9"),
        ("a.test", ["93.184.216.34"], ""),
        ("a.test", ["93.184.216.34", "10.0.0.9"], "10.0.0.9"),
    ],
)
def test_every_address_of_a_host_is_judged(host: str, addresses: list[str], forbidden: str):
    async def lookup(_: str) -> list[str]:
        return addresses

    if not forbidden:
        asyncio.run(judge(host, (), lookup))
        return
    with pytest.raises(ForbiddenAddress) as caught:
        asyncio.run(judge(host, (), lookup))
    assert caught.value.address == forbidden
