"""Tests that only public addresses are visited, whatever notation, name server or page say (F5)."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fetch.fetching import LOOPBACK, as_page, body, fetch
from tests.site import Site
from webvigil.errors import PageError, PageRefused
from webvigil.fetch.client import resolved
from webvigil.fetch.http import HttpFetcher
from webvigil.fetch.login import Login
from webvigil.fetch.networks import may_visit
from webvigil.model.page import Page, normal_url

ONE = (ipaddress.ip_network("127.0.0.1"),)


@pytest.mark.parametrize(
    "host",
    [
        *(
            "127.0.0.1",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f.1",
            "0x7f000001",
            "0177.0.0.1",
            "017700000001",
        ),
        *("[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "127.0.0.1.", "0"),
        *("[0:0:0:0:0:0:0:1]", "１２７.0.0.1", "0x7F.0x0.0x0.0x1"),
    ],
)
def test_loopback_in_every_spelling_is_refused_before_a_byte_is_sent(site: Site, host: str):
    url = f"http://{host}:{site.port}/a"
    with pytest.raises(PageRefused, match="not a public address"):
        fetch(normal_url(url), allowed=())
    with pytest.raises(PageError):
        fetch(Page(url=url), allowed=())  # also if the address was not normalised before
    assert site.requests == []
    assert site.connections == 0


@pytest.mark.parametrize("addresses", [["::1", "127.0.0.1"], ["10.0.0.1", "10.0.1.1"]])
def test_a_name_with_several_addresses_that_are_not_public_is_refused(addresses: list[str]):
    with pytest.raises(PageRefused, match="1 is not a public address"):
        fetch(Page(url="http://inside.test/"), allowed=(), lookup=lambda name: addresses)


@pytest.mark.parametrize(
    "host",
    ["169.254.169.254", "[fe80::1]", "100.64.0.1", "10.0.0.1", "192.168.0.1", "[fc00::1]", "224.0.0.1",
     "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "2852039166"],
)  # fmt: skip
def test_networks_that_are_not_public_are_refused(host: str):
    with pytest.raises(PageRefused, match="not a public address"):
        fetch(normal_url(f"http://{host}/"), allowed=())


@pytest.mark.parametrize(
    "url",
    [
        r"http://a\@b/", r"http:\\a/", r"http://a\b", "http://a b/", "http://1.2.3.4.5/", "http://256.1.1.1/",
        "http://0x/x y", "http://[::1", "http://[::1%eth0]/", "http://4294967296/", "http://09/", "ftp://a/",
        "//a/", "", "http://", "http://\x00/", "gopher://a/", "http://a:99999/",
    ],
)  # fmt: skip
def test_what_is_no_clear_address_is_refused(url: str):
    with pytest.raises(ValueError, match="is not a web address"):
        normal_url(url)


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("http://2130706433/", "http://127.0.0.1/"),
        ("HTTP://0x7f.1:80/a", "http://127.0.0.1/a"),
        ("http://[::FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
        ("http://example.org./", "http://example.org./"),
        ("http://münchen.example/?q=\\", "http://xn--mnchen-3ya.example/?q=\\"),
        ("http://1e100.net/", "http://1e100.net/"),
    ],
)
def test_addresses_have_one_spelling(url: str, normal: str):
    assert normal_url(url) == normal
    assert normal_url(normal) == normal


@given(st.integers(0, 2**32 - 1), st.sampled_from(["{}", "0x{:x}", "0{:o}"]))
def test_an_address_in_one_number_is_that_address(number: int, notation: str):
    assert normal_url(f"http://{notation.format(number)}/") == f"http://{ipaddress.ip_address(number)}/"


@pytest.mark.parametrize(
    ("reference", "address"),
    [
        (r"http://a\@b/", "http://a/@b/"),
        (r"\\evil.test\x", "http://evil.test/x"),
        ("  /x y#z ", "http://site.test/x%20y"),
        ("?q=a\\b", "http://site.test/d/p?q=a\\b"),
        ("//0x7f.1/", "http://127.0.0.1/"),
    ],
)
def test_references_are_read_as_browsers_do(reference: str, address: str):
    assert resolved("http://site.test/d/p", reference) == address


class TestNameThatChangesItsAddress:
    """The first lookup gives a public address, the second a private one. Here 127.0.0.1 stands for the public
    address (it is allowed) and 127.0.0.2 for the private one (it is not)."""

    def test_the_second_look_is_refused(self, site: Site, another_site: Any):
        inside = another_site("127.0.0.2", port=site.port)
        inside.page("/a", "<p>secret")
        site.page("/a", "<p>public")
        answers = iter([["127.0.0.1"], ["127.0.0.2"]])

        async def twice() -> None:
            async with HttpFetcher(
                user_agent="test",
                allowed=ONE,
                lookup=lambda _: next(answers),
                dns_seconds=0,
                obey_robots=False,
            ) as fetcher:
                page = as_page(f"http://rebind.test:{site.port}/a")
                first = await fetcher.fetch(page, {})
                assert first.answer is not None
                assert first.answer.body == b"<p>public"
                site.goes_down()  # the kept connection ends, so that the name is looked up again
                with pytest.raises(PageRefused, match=r"127\.0\.0\.2 is not a public address"):
                    await fetcher.fetch(page, first.validators)

        asyncio.run(twice())
        assert inside.connections == 0

    def test_one_answer_with_both_leads_only_to_the_public_one(self, site: Site, another_site: Any):
        inside = another_site("127.0.0.2", port=site.port)
        site.page("/a", "<p>public")
        both = ["127.0.0.2", "127.0.0.1"]
        assert body(f"http://both.test:{site.port}/a", allowed=ONE, lookup=lambda _: both) == b"<p>public"
        assert inside.connections == 0

    def test_a_redirect_to_such_a_name_is_refused(self, site: Site, another_site: Any):
        inside = another_site("127.0.0.2")
        page = site.page("/a").redirects_to(f"http://inside.test:{inside.port}/")
        with pytest.raises(PageRefused, match=r"127\.0\.0\.2 is not a public address"):
            fetch(page, allowed=ONE, lookup=lambda _: ["127.0.0.2"])
        assert inside.connections == 0

    def test_robots_txt_may_not_lead_inside_either(self, site: Site, another_site: Any):
        inside = another_site("127.0.0.2")
        site.page("/robots.txt").redirects_to(inside.page("/robots.txt", "x"))
        with pytest.raises(PageRefused, match=r"127\.0\.0\.2 is not a public address.*robots\.txt"):
            fetch(site.page("/a", "<p>one"), allowed=ONE)
        assert inside.connections == 0


def known(site: Site) -> Login:
    return Login(url=f"{site.url}/", headers=(("X-Key", "s3cret"),), cookies=(("session", "abc"),))


class TestLogin:
    """Cookies and headers of a login are sent to their own origin only (F7)."""

    def test_they_open_the_page(self, site: Site):
        page = (
            site.page("/a", "<p>hello").requires_header("X-Key", "s3cret").requires_cookie("session", "abc")
        )
        with pytest.raises(PageRefused, match="answered 403"):
            fetch(page)
        assert body(page, login=known(site)) == b"<p>hello"

    def test_they_do_not_travel_with_a_redirect(self, site: Site, another_site: Any):
        other = another_site("127.0.0.2").page("/b", "<p>other")
        page = site.page("/a").redirects_to(other)
        assert body(page, login=known(site)) == b"<p>other"
        (request,) = other.requests
        assert "X-Key" not in request.headers
        assert "Cookie" not in request.headers

    def test_they_go_to_the_frames_of_the_same_origin_only(self, site: Site, another_site: Any):
        own = site.page("/own", "<p>own")
        other = another_site("127.0.0.2").page("/other", "<p>other")
        page = site.page("/a", f'<iframe src="{own.url}"></iframe><iframe src="{other.url}"></iframe>')
        fetch(page, login=known(site))
        assert own.requests[0].headers["X-Key"] == "s3cret"
        assert "X-Key" not in other.requests[0].headers


class TestProxy:
    def test_the_page_is_asked_of_the_proxy(self, site: Site, another_site: Any):
        proxy = another_site()
        proxy.page("*", "<p>by proxy")
        url = "http://page.test/a"
        assert body(url, proxy=proxy.url, lookup=lambda _: ["127.0.0.1"]) == b"<p>by proxy"

    def test_the_private_network_is_not_asked_of_the_proxy(self, another_site: Any):
        proxy = another_site()
        proxy.page("*", "<p>by proxy")
        for url, lookup in (("http://10.0.0.1/", None), ("http://inside.test/", lambda _: ["10.0.0.1"])):
            with pytest.raises(PageRefused, match=r"10\.0\.0\.1 is not a public address"):
                fetch(url, proxy=proxy.url, **({"lookup": lookup} if lookup else {}))
        assert proxy.requests == []


def test_allowed_networks_are_all_that_is_allowed(site: Site):
    assert body(site.page("/a", "<p>one"), allowed=LOOPBACK) == b"<p>one"


@pytest.mark.parametrize(
    "address",
    ["fec0::1", "feff::1", "::127.0.0.1", "::10.0.0.1", "::ffff:10.0.0.1", "::ffff:0:10.0.0.1", "::1", "::"],
)
def test_private_addresses_in_the_dress_of_others_are_known(address: str):
    assert not may_visit(address, ())


def test_a_public_address_is_one_in_every_dress():
    assert all(
        may_visit(one, ()) for one in ("::93.184.215.14", "::ffff:93.184.215.14", "2001:4860:4860::8888")
    )
    assert may_visit("::10.0.0.1", [ipaddress.ip_network("10.0.0.0/8")])
