"""Tests of pages from a real server on loopback: conditional requests, limits, forbidden addresses."""

from __future__ import annotations

import asyncio
import ipaddress
from email.parser import BytesParser
from typing import Any

import pytest

from tests.fetch.fetching import LOOPBACK, fetch
from tests.site import Site
from webvigil.errors import PageRefused, PageUnreachable
from webvigil.fetch.client import Cookies
from webvigil.fetch.http import HttpFetcher, Limits
from webvigil.fetch.networks import may_visit
from webvigil.model.page import Page
from webvigil.model.version import Answer


def test_the_exact_bytes_and_headers_arrive(site: Site):
    page = site.page("/a", b"<p>caf\xe9\x00")
    fetched = fetch(Page(url=page.url))
    assert fetched.answer is not None
    assert (fetched.status, fetched.answer.body, fetched.answer.url) == (200, b"<p>caf\xe9\x00", page.url)
    assert fetched.answer.content_type.startswith("text/html")
    assert site.requests[0].headers["User-Agent"] == "test"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "deflate-raw", "br", "zstd"])
def test_compressed_answers_arrive_unpacked(site: Site, coding: Any):
    page = site.page("/a", "<p>again and again " * 100)
    page.compressed(coding)
    fetched = fetch(Page(url=page.url))
    assert fetched.answer is not None
    assert fetched.answer.body == b"<p>again and again " * 100


def test_redirects_are_followed_and_the_last_address_is_told(site: Site):
    target = site.page("/b", "<p>here")
    page = site.page("/a", "")
    page.redirects_to(target.url)
    fetched = fetch(Page(url=page.url))
    assert fetched.answer is not None
    assert (fetched.answer.url, fetched.answer.body) == (target.url, b"<p>here")


def test_endless_redirects_are_refused(site: Site):
    page = site.page("/a", "")
    page.redirects_to(page.url)
    with pytest.raises(PageRefused, match="more than 3 redirects"):
        fetch(Page(url=page.url), limits=Limits(redirects=3))


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_in_trouble_is_tried_later(site: Site, status: int):
    page = site.page("/a", "")
    page.answers(status=status)
    with pytest.raises(PageUnreachable, match=f"answered {status}"):
        fetch(Page(url=page.url))


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_page_that_is_gone_needs_a_person(site: Site, status: int):
    page = site.page("/a", "")
    page.answers(status=status)
    with pytest.raises(PageRefused, match=f"answered {status}"):
        fetch(Page(url=page.url))


def test_a_silent_server_is_given_up(site: Site):
    page = site.page("/a", "")
    page.hangs()
    with pytest.raises(PageUnreachable, match=r"no answer within 0\.3 seconds"):
        fetch(Page(url=page.url), limits=Limits(timeout=0.3))


def test_an_answer_cut_off_is_no_version(site: Site):
    page = site.page("/a", "<p>" + "long " * 1000)
    page.breaks(after_bytes=100)
    with pytest.raises(PageUnreachable):
        fetch(Page(url=page.url))


def test_too_large_is_refused_while_it_arrives(site: Site):
    page = site.page("/a", "x" * 100_000)
    with pytest.raises(PageRefused, match="larger than 1,000 bytes"):
        fetch(Page(url=page.url), limits=Limits(bytes=1000))


def test_a_bomb_is_refused_at_its_start(site: Site):
    page = site.page("/a", "x" * 5_000_000)
    page.compressed("gzip")
    with pytest.raises(PageRefused, match="larger than"):
        fetch(Page(url=page.url), limits=Limits(bytes=100_000))


def test_nobody_there_is_tried_later():
    with pytest.raises(PageUnreachable, match="could not be fetched"):
        fetch(Page(url="http://127.0.0.1:1/"))


def test_a_name_that_does_not_exist_is_tried_later():
    with pytest.raises(PageUnreachable):
        fetch(Page(url="http://no-such-host.invalid/"))


def test_private_addresses_are_refused_before_anything_is_sent(site: Site):
    page = site.page("/a", "<p>secret")
    for url in (page.url, page.url.replace("127.0.0.1", "localhost")):
        with pytest.raises(PageRefused, match="not a public address"):
            fetch(Page(url=url), allowed=())
    assert site.requests == []


def test_a_redirect_into_the_private_network_is_refused(site: Site, another_site: Any):
    inside = another_site("127.0.0.2")
    secret = inside.page("/secret", "<p>secret")
    page = site.page("/a", "")
    page.redirects_to(secret.url)
    with pytest.raises(PageRefused, match=r"127\.0\.0\.2 is not a public address"):
        fetch(Page(url=page.url), allowed=(ipaddress.ip_network("127.0.0.1"),))
    assert inside.requests == []


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_form_is_sent_with_its_fields(site: Site, method: Any):
    wanted = (("q", "ä & b"), ("page", "1"))
    site.form("/search", ["q", "page"], method=method, answer=lambda fields: f"<p>{fields['q']}")
    fetched = fetch(Page(url=f"{site.url}/search/answer", method=method, fields=wanted))
    assert fetched.answer is not None
    assert fetched.answer.body.decode() == "<p>ä & b"


def test_a_form_in_parts_is_sent_in_parts(site: Site):
    page = site.page("/search", "<p>here").allows("POST")
    fetch(Page(url=page.url, method="MULTIPART", fields=(("q", "ä & b"), ("page", "1"))))
    (sent,) = (one for one in site.requests if one.method == "POST")
    kind = sent.headers["Content-Type"]
    assert kind.startswith("multipart/form-data; boundary=")
    parts = BytesParser().parsebytes(f"Content-Type: {kind}\n\n".encode() + sent.body).get_payload()
    told = [
        (one.get_param("name", header="content-disposition"), one.get_payload(decode=True)) for one in parts
    ]
    assert told == [("q", "ä & b".encode()), ("page", b"1")]


def test_a_form_that_a_script_sends_needs_a_browser(site: Site):
    page = site.page("/search", "<p>here")
    with pytest.raises(PageRefused, match="Render browser"):
        fetch(Page(url=page.url, method="FILL", fields=(("q", "a"),)))
    assert site.requests == []


def test_the_requests_of_one_visit_share_their_cookies(site: Site):
    first = site.page("/first", "<p>one").sets_cookie("visit", "7", path="/")
    second = site.page("/second", "<p>two").requires_cookie("visit", "7")

    async def visit() -> list[int]:
        async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
            kept = Cookies()
            await fetcher.fetch(Page(url=first.url), {}, cookies=kept)
            again = await fetcher.fetch(Page(url=second.url), {}, cookies=kept)
            begun = Cookies(Answer(url=first.url, status=200, headers=(("Set-Cookie", "visit=7"),), body=b""))
            begins = await fetcher.fetch(Page(url=second.url), {}, cookies=begun)
            with pytest.raises(PageRefused):
                await fetcher.fetch(Page(url=second.url), {})
            return [again.status, begins.status]

    assert asyncio.run(visit()) == [200, 200]


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1"),
        *("::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b:1::1", "64:ff9b::7f00:1", "198.18.0.1", "192.0.2.1"),
    ],
)
def test_addresses_that_are_not_public(address: str):
    assert not may_visit(address, ())


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]
)
def test_public_addresses_may_be_visited(address: str):
    assert may_visit(address, ())


def test_an_allowed_network_may_be_visited():
    assert may_visit("10.1.2.3", [ipaddress.ip_network("10.0.0.0/8")])
    assert not may_visit("10.1.2.3", [ipaddress.ip_network("fc00::/7")])
