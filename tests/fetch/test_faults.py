"""Tests of what goes wrong on the web: each fault gives an error in our own words, and never a version."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.fetch.fetching import LOOPBACK, as_page, body, fetch
from tests.site import Site
from tests.site.certificates import Authority
from webvigil.errors import HostBusy, HostUnreachable, PageError, PageRefused, PageUnreachable, SettingRefused
from webvigil.fetch.client import Limits
from webvigil.fetch.http import HttpFetcher
from webvigil.model.page import Page


def test_connection_refused_is_the_hosts_trouble(site: Site):
    page = site.page("/a", "<p>one")
    site.goes_down()
    with pytest.raises(HostUnreachable, match=rf"no connection to 127\.0\.0\.1:{site.port} \(.*refused"):
        fetch(page)
    site.comes_back()
    assert body(page) == b"<p>one"


@pytest.mark.parametrize("reset", [True, False])
@pytest.mark.parametrize("after_bytes", [None, 0, 100])
def test_a_connection_that_breaks_is_tried_later(site: Site, reset: bool, after_bytes: int | None):
    page = site.page("/a", "<p>" + "long " * 1000).breaks(after_bytes=after_bytes, reset=reset)
    with pytest.raises(PageUnreachable, match=r"the answer was cut off|without an answer|[Rr]eset"):
        fetch(page, obey_robots=False)


def test_a_slow_drip_is_given_up_in_time(site: Site):
    page = site.page("/a", "x" * 100_000).slow(per_chunk=0.05, chunk=100)  # 50 seconds
    started = time.monotonic()
    with pytest.raises(PageUnreachable, match=r"no answer within 0\.5 seconds"):
        fetch(page, limits=Limits(timeout=0.5))
    assert time.monotonic() - started < 20


def test_a_page_that_is_only_slow_arrives(site: Site):
    assert body(site.page("/a", "x" * 500).slow(first_byte=0.1, per_chunk=0.02, chunk=100)) == b"x" * 500


def test_shorter_than_announced_is_no_version(site: Site):
    page = site.page("/a", "<p>one").length_off_by(10)
    with pytest.raises(PageUnreachable, match=r"the answer was cut off$"):
        fetch(page)


def test_an_endless_body_is_refused(site: Site):
    page = site.page("/a", "<p>one").endless()
    with pytest.raises(PageRefused, match="larger than 2,000,000 bytes"):
        fetch(page, limits=Limits(bytes=2_000_000))


def test_a_body_announced_too_large_is_not_read(site: Site):
    page = site.page("/a", "x" * 3_000_000)
    with pytest.raises(PageRefused, match="larger than"):
        fetch(page, limits=Limits(bytes=1_000_000))


def test_redirects_in_a_circle_are_refused(site: Site):
    first, second = site.page("/a"), site.page("/b")
    first.redirects_to(second)
    second.redirects_to(first)
    with pytest.raises(PageRefused, match="more than 10 redirects"):
        fetch(first)


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:alert(1)", "data:text/html,x"]
)
def test_a_redirect_out_of_the_web_is_refused(site: Site, target: str):
    page = site.page("/a").redirects_to(target)
    with pytest.raises(PageRefused, match="which is not a web address"):
        fetch(page)


def test_a_redirect_that_wants_its_cookie_back_gets_it(site: Site):
    target = site.page("/b", "<p>here").requires_cookie("seen", "1")
    page = site.page("/a").answers(302, headers={"Location": target.url, "Set-Cookie": "seen=1; Path=/"})
    assert body(page) == b"<p>here"


@pytest.mark.parametrize(("status", "method"), [(302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
def test_a_posted_form_is_redirected_as_a_browser_does(site: Site, status: int, method: str):
    target = site.page("/b", "<p>here").allows("GET", "POST")
    page = site.page("/a").redirects_to(target, status)
    fetch(Page(url=page.url, method="POST", fields=(("q", "1"),)))
    assert (target.requests[0].method, target.requests[0].fields) == (
        method,
        {"q": "1"} if method == "POST" else {},
    )


@pytest.mark.parametrize(
    "raw", [b"", b"\x00\x01\x02", b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n", b"SSH-2.0\r\n"]
)
def test_what_does_not_speak_http_is_tried_later(site: Site, raw: bytes):
    page = site.page("/a").raw(raw)
    with pytest.raises(PageUnreachable, match=r"no answer of a web server|without an answer") as caught:
        fetch(page)
    assert "\n" not in str(caught.value)


def test_long_headers_are_read_as_browsers_do_and_endless_ones_are_not(site: Site):
    """Policies and cookies of real sites grow beyond eight kilobytes."""
    long = site.page("/a").raw(
        b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nX: " + b"a" * 50_000 + b"\r\n\r\n<p>one"
    )
    assert body(long) == b"<p>one"
    endless = site.page("/b").raw(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 1_000_000)
    with pytest.raises(PageUnreachable, match="no answer of a web server"):
        fetch(endless)


def test_a_server_that_asks_for_a_rest_says_how_long(site: Site):
    with pytest.raises(HostBusy) as caught:
        fetch(site.page("/a").answers(429, retry_after=120))
    assert caught.value.wait == 120_000


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
            "there is no such host; is the address",
        ),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), "Temporary failure"),
        (OSError(errno.ENETUNREACH, "Connect call failed ('::1', 80)"), "Network is unreachable"),
        (
            OSError("Multiple exceptions: [Errno 111] Connect call failed, [Errno 111] x"),
            "Connection refused",
        ),
    ],
)
def test_why_there_is_no_connection_is_told_in_words(error: OSError, said: str):
    def lookup(_: str) -> list[str]:
        raise error

    with pytest.raises(HostUnreachable, match=f"no connection to gone.test .{said}") as caught:
        fetch("http://gone.test/", lookup=lookup)
    assert "Errno" not in str(caught.value)


def test_a_name_that_does_not_exist_is_the_hosts_trouble():
    def lookup(_: str) -> list[str]:
        raise OSError("Name or service not known")

    with pytest.raises(HostUnreachable, match="could not be fetched"):
        fetch("http://gone.test/", lookup=lookup)


def test_a_slow_name_server_delays_nobody_else(site: Site):
    """A slow name lookup for one host must not delay another host (F4)."""
    page = site.page("/a", "<p>one")
    answered = threading.Event()

    def lookup(name: str) -> list[str]:
        if name == "slow.test":
            answered.wait(20)
        return ["127.0.0.1"]

    async def both() -> list[bool]:
        async with HttpFetcher(user_agent="test", allowed=LOOPBACK, lookup=lookup) as fetcher:
            slow = [
                asyncio.create_task(fetcher.fetch(as_page(f"http://slow.test:{site.port}/{n}"), {}))
                for n in range(20)
            ]
            quick = f"http://quick.test:{site.port}/a"
            assert (await fetcher.fetch(as_page(quick), {})).answer is not None
            waiting = [not one.done() for one in slow]
            answered.set()
            await asyncio.gather(*slow, return_exceptions=True)
            return waiting

    assert asyncio.run(both()) == [True] * 20
    assert page.hits == 1


class TestCertificates:
    def test_a_certificate_of_a_known_authority_is_fine(self, another_site: Any, tmp_path: Path):
        authority = Authority(tmp_path)
        site = another_site(tls=authority.server("127.0.0.1"))
        assert body(site.page("/a", "<p>one"), ca_file=authority.file) == b"<p>one"

    @pytest.mark.parametrize("case", ["unknown", "other name", "over", "self-made"])
    def test_a_wrong_certificate_is_refused(self, another_site: Any, tmp_path: Path, case: str):
        authority = Authority(tmp_path)
        other = Authority(tmp_path, "other")
        tls = {
            "unknown": other.server("127.0.0.1"),
            "other name": authority.server("elsewhere.test"),
            "over": authority.server("127.0.0.1", valid_for=-timedelta(days=1)),
            "self-made": other.server("127.0.0.1"),
        }[case]
        site = another_site(tls=tls)
        page = site.page("/a", "<p>one")
        with pytest.raises(PageRefused, match=r"certificate of 127\.0\.0\.1 is not valid"):
            fetch(page, ca_file=None if case == "self-made" else authority.file)
        assert site.requests == []

    def test_a_file_without_certificates_is_a_wrong_setting(self, tmp_path: Path):
        (tmp_path / "ca.pem").write_text("nothing")
        with pytest.raises(SettingRefused, match="holds no certificates"):
            fetch("https://127.0.0.1/", ca_file=tmp_path / "ca.pem")


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac answers at few addresses of 127.0.0.0/8")
def test_thousands_of_hosts_in_flight_are_answered(another_site: Any, monkeypatch: pytest.MonkeyPatch):
    """Every address of 127.0.0.0/8 counts as another host. One server answers for all of them at once."""
    monkeypatch.setattr("webvigil.fetch.client._CONNECT", 300.0)  # a busy machine is no mistake of ours
    patient = Limits(timeout=300.0)
    site = another_site("0.0.0.0")
    site.page("/a", "<p>one")
    addresses = [str(ipaddress.ip_address("127.1.0.0") + number) for number in range(1000)]

    async def all_of_them() -> int:
        async with HttpFetcher(
            user_agent="test", allowed=LOOPBACK, obey_robots=False, limits=patient
        ) as fetcher:
            pages = [as_page(f"http://{address}:{site.port}/a") for address in addresses]
            seen = await asyncio.gather(*(fetcher.fetch(page, {}) for page in pages), return_exceptions=True)
            return sum(not isinstance(one, BaseException) and one.answer is not None for one in seen)

    assert asyncio.run(all_of_them()) == 1000


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", b"HTTP/1.1 200 OK\r\n" * 50]
)
def test_nonsense_is_never_a_traceback(site: Site, answer: bytes):
    with pytest.raises(PageError):
        fetch(site.page("/a").raw(answer))
