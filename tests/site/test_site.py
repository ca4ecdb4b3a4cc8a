"""The loopback site keeps its promises: each command is observed from outside, over a real socket."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gc
import gzip
import hashlib
import http.client
import socket
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlencode, urlsplit

import aiohttp
import brotli
import pytest
import zstandard

from tests.site import Coding, Field, Site, SitePage

A_LONG_TIME = 30.0


@dataclass(frozen=True)
class Got:
    status: int
    headers: http.client.HTTPMessage
    body: bytes


def get(
    url: str | SitePage,
    headers: Mapping[str, str] | None = None,
    *,
    method: str = "GET",
    body: bytes | None = None,
    timeout: float = 5.0,
) -> Got:
    """Makes one request on its own connection. Redirects are not followed, and bodies are not
    uncompressed."""
    parts = urlsplit(url if isinstance(url, str) else url.url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout)
    try:
        connection.request(method, target, body, dict(headers or {}))
        answer = connection.getresponse()
        return Got(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def exchange(site: Site, request: bytes) -> bytes:
    """Sends bytes, and returns everything that comes back until the site closes the connection."""
    with socket.create_connection((site.address, site.port), timeout=60) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65536), b""))


class InBackground:
    """Makes a request in a thread while the test continues."""

    def __init__(self, page: SitePage) -> None:
        self._got: list[Got] = []
        self._thread = threading.Thread(target=lambda: self._got.append(get(page, timeout=A_LONG_TIME)))
        self._thread.start()

    def answer(self) -> Got:
        self._thread.join(A_LONG_TIME)
        return self._got[0]


class TestContent:
    def test_a_page_shows_its_content_and_then_what_it_becomes(self, site: Site) -> None:
        page = site.page("/news", "<p>one")
        assert get(page).body == b"<p>one"
        assert get(page.becomes("<p>two")).body == b"<p>two"
        assert page.hits == site.hits("/news") == 2

    def test_a_list_of_contents_is_stepped_through(self, site: Site) -> None:
        page = site.page("/news", ["one", b"two", "three"])
        assert [get(page).body, get(page.next()).body, get(page.next()).body] == [b"one", b"two", b"three"]
        with pytest.raises(IndexError, match="/news has no further content"):
            page.next()

    def test_a_page_may_be_told_what_it_becomes_later(self, site: Site) -> None:
        page = site.page("/news", "one").becomes("two", "three")
        assert [get(page).body, get(page.next()).body] == [b"two", b"three"]

    def test_a_function_makes_the_content_from_the_request(self, site: Site) -> None:
        page = site.page("/token", lambda r: f"answer {r.number} to {r.headers['User-Agent']}")
        assert get(page, {"User-Agent": "me"}).body == b"answer 0 to me"
        assert get(page, {"User-Agent": "me"}).body == b"answer 1 to me"

    def test_a_mistake_in_such_a_function_reaches_the_test(self) -> None:
        with pytest.raises(ZeroDivisionError), Site() as site:
            assert get(site.page("/bad", lambda _: str(1 // 0))).status == 500

    def test_a_path_answers_any_query_unless_the_query_has_its_own_page(self, site: Site) -> None:
        site.page("/item", "any")
        third = site.page("/item?id=3", "third")
        assert get(site.url + "/item?id=4").body == b"any"
        assert get(third).body == b"third"
        assert (third.hits, site.hits("/item"), site.hits("/item?id=3")) == (1, 2, 1)

    def test_what_has_no_page_is_not_found_and_counted(self, site: Site) -> None:
        assert get(site.url + "/nothing").status == 404
        assert site.hits("/nothing") == 1

    def test_a_page_for_all_other_paths(self, site: Site) -> None:
        trap = site.page("*", lambda request: f"<a href='{request.path}/deeper'>")
        assert get(site.url + "/a/b").body == b"<a href='/a/b/deeper'>"
        assert trap.hits == 1

    def test_paths_beyond_ascii_are_found(self, site: Site) -> None:
        page = site.page("/größe/ein bild", "x")
        assert page.url.endswith("/gr%C3%B6%C3%9Fe/ein%20bild")
        assert get(page).body == b"x"

    def test_an_empty_page_is_an_answer(self, site: Site) -> None:
        got = get(site.page("/empty", ""))
        assert (got.status, got.body, got.headers["Content-Length"]) == (200, b"", "0")


class TestHeaders:
    def test_text_is_sent_in_its_charset(self, site: Site) -> None:
        page = site.page("/news", "<p>größer €").charset("iso-8859-1")
        got = get(page)
        assert got.body == b"<p>gr\xf6\xdfer &#8364;"
        assert got.headers["Content-Type"] == "text/html; charset=iso-8859-1"

    @pytest.mark.parametrize(
        ("declared", "header"), [("utf-8", "text/html; charset=utf-8"), (None, "text/html")]
    )
    def test_the_declared_charset_may_lie_or_be_missing(
        self, site: Site, declared: str | None, header: str
    ) -> None:
        got = get(site.page("/news", "ö").charset("iso-8859-1", declared=declared))
        assert (got.body, got.headers["Content-Type"]) == (b"\xf6", header)

    def test_the_content_type_can_be_any_or_none(self, site: Site) -> None:
        page = site.page("/data", b"{}").content_type("application/json")
        assert get(page).headers["Content-Type"] == "application/json"
        assert "Content-Type" not in get(page.content_type(None)).headers

    def test_more_headers_can_be_sent(self, site: Site) -> None:
        page = site.page("/x").headers({"Link": "</hub>; rel=hub"}).headers([("Link", "</self>; rel=self")])
        assert get(page).headers.get_all("Link") == ["</hub>; rel=hub", "</self>; rel=self"]

    def test_digests_are_those_of_the_body_as_sent(self, site: Site) -> None:
        page = site.page("/x", "text").digests("content-md5", "digest", "content-digest", "repr-digest")
        got = get(page.compressed("gzip"), {"Accept-Encoding": "gzip"})
        sha256 = base64.b64encode(hashlib.sha256(got.body).digest()).decode()
        assert base64.b64decode(got.headers["Content-MD5"]) == hashlib.md5(got.body).digest()
        assert got.headers["Digest"] == f"sha-256={sha256}"
        assert got.headers["Content-Digest"] == got.headers["Repr-Digest"] == f"sha-256=:{sha256}:"

    def test_digests_are_off_at_first(self, site: Site) -> None:
        assert not {"Content-MD5", "Digest", "Content-Digest"} & set(get(site.page("/x")).headers)

    @pytest.mark.parametrize("switch", ["digests", "compressed", "framed", "bomb"])
    def test_a_mistyped_switch_is_refused(self, site: Site, switch: str) -> None:
        with pytest.raises(ValueError, match="'md6' is none of"):
            getattr(site.page("/x"), switch)("md6")


class TestHead:
    def test_head_has_the_headers_of_get_and_no_body(self, site: Site) -> None:
        page = site.page("/news", "<p>one").digests("content-md5")
        whole, head = get(page), get(page, method="HEAD")
        assert head.body == b""
        for name in ("Content-Length", "ETag", "Last-Modified", "Content-MD5", "Content-Type"):
            assert head.headers[name] == whole.headers[name] is not None
        assert [(r.method, r.bytes) for r in page.requests] == [("GET", 6), ("HEAD", 0)]

    def test_a_server_may_not_know_head(self, site: Site) -> None:
        page = site.page("/news", "x").allows("GET")
        refused = get(page, method="HEAD")
        assert (refused.status, refused.headers["Allow"]) == (405, "GET")
        assert get(page).status == 200

    def test_post_is_not_for_plain_pages(self, site: Site) -> None:
        assert get(site.page("/news"), method="POST", body=b"a=b").status == 405


class TestValidators:
    def test_an_etag_stands_for_its_content(self, site: Site) -> None:
        page = site.page("/news", "one")
        page.validators = "etag"
        first = get(page)
        assert "Last-Modified" not in first.headers
        same = get(page, {"If-None-Match": first.headers["ETag"]})
        assert (same.status, same.body, same.headers["ETag"]) == (304, b"", first.headers["ETag"])
        assert get(page.becomes("two"), {"If-None-Match": first.headers["ETag"]}).status == 200
        assert get(page.becomes("one"), {"If-None-Match": first.headers["ETag"]}).status == 304

    @pytest.mark.parametrize("form", ["*", 'W/{}, "other"', '"other", {}'])
    def test_every_form_of_if_none_match_is_understood(self, site: Site, form: str) -> None:
        page = site.page("/news", "one")
        asked = form.format(get(page).headers["ETag"])
        assert get(page, {"If-None-Match": asked}).status == 304

    def test_last_modified_moves_with_each_change_even_in_one_second(self, site: Site) -> None:
        page = site.page("/news", "one")
        page.validators = "last-modified"
        first = get(page).headers["Last-Modified"]
        assert get(page, {"If-Modified-Since": first}).status == 304
        second = get(page.becomes("two")).headers["Last-Modified"]
        assert get(page.becomes("three"), {"If-Modified-Since": second}).status == 200
        assert "ETag" not in get(page).headers

    def test_last_modified_can_be_chosen_and_follows_the_clock(self) -> None:
        noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
        with Site(clock=noon.timestamp) as site:
            page = site.page("/news", "one")
            assert _modified(get(page)) < noon
            assert _modified(get(page.becomes("two"))) == noon
            old = datetime(2020, 1, 1, tzinfo=UTC)
            assert _modified(get(page.becomes("three", modified=old.timestamp()))) == old

    def test_an_unreadable_date_is_ignored(self, site: Site) -> None:
        assert get(site.page("/x"), {"If-Modified-Since": "yesterday"}).status == 200

    def test_if_none_match_outranks_if_modified_since(self, site: Site) -> None:
        page = site.page("/news", "one")
        since = get(page).headers["Last-Modified"]
        assert get(page, {"If-None-Match": '"old"', "If-Modified-Since": since}).status == 200

    def test_none_sends_no_validator_and_never_304(self, site: Site) -> None:
        page = site.page("/news", "one")
        page.validators = "none"
        got = get(page, {"If-None-Match": "*", "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"})
        assert got.status == 200
        assert not {"ETag", "Last-Modified"} & set(got.headers)

    def test_a_weak_etag_is_compared_all_the_same(self, site: Site) -> None:
        page = site.page("/news", "one")
        page.validators = "weak-etag"
        etag = get(page).headers["ETag"]
        assert etag.startswith('W/"')
        assert get(page, {"If-None-Match": etag}).status == 304

    def test_noise_gives_each_answer_a_new_etag(self, site: Site) -> None:
        page = site.page("/news", "one")
        page.validators = "etag-noise"
        first = get(page)
        second = get(page, {"If-None-Match": first.headers["ETag"]})
        assert (second.status, second.body) == (200, first.body)
        assert second.headers["ETag"] != first.headers["ETag"]

    def test_a_lying_etag_hides_a_change(self, site: Site) -> None:
        page = site.page("/news", "one")
        page.validators = "lying-etag"
        etag = get(page).headers["ETag"]
        assert get(page.becomes("two"), {"If-None-Match": etag}).status == 304
        assert get(page).body == b"two"

    def test_a_lying_last_modified_hides_a_change(self, site: Site) -> None:
        page = site.page("/news", "one")
        page.validators = "lying-last-modified"
        since = get(page).headers["Last-Modified"]
        assert get(page.becomes("two"), {"If-Modified-Since": since}).status == 304

    def test_an_invisible_change_moves_both_validators(self, site: Site) -> None:
        page = site.page("/news", "one")
        before, after = get(page), get(page.touched())
        assert before.body == after.body
        assert before.headers["ETag"] != after.headers["ETag"]
        assert _modified(before) < _modified(after)

    def test_conditions_may_be_ignored(self, site: Site) -> None:
        page = site.page("/news", "one").ignores_conditions()
        assert get(page, {"If-None-Match": get(page).headers["ETag"]}).status == 200

    def test_a_mistyped_kind_is_refused(self, site: Site) -> None:
        with pytest.raises(ValueError, match="'etags' is none of 'both', 'etag'"):
            site.page("/x").validators = "etags"  # type: ignore[assignment]


def _modified(got: Got) -> datetime:
    return parsedate_to_datetime(got.headers["Last-Modified"])


UNPACK: dict[Coding, Callable[[bytes], bytes]] = {
    "gzip": gzip.decompress,
    "deflate": zlib.decompress,
    "deflate-raw": lambda body: zlib.decompress(body, wbits=-15),
    "br": brotli.decompress,
    "zstd": lambda body: zstandard.ZstdDecompressor().decompressobj().decompress(body),
}


class TestCompression:
    @pytest.mark.parametrize("coding", UNPACK)
    def test_a_body_is_packed_for_those_who_accept_it(self, site: Site, coding: Coding) -> None:
        page = site.page("/news", "<p>one" * 100).compressed(coding)
        name = coding.removesuffix("-raw")
        got = get(page, {"Accept-Encoding": f"identity, {name};q=0.5"})
        assert got.headers["Content-Encoding"] == name
        assert UNPACK[coding](got.body) == b"<p>one" * 100
        assert int(got.headers["Content-Length"]) == len(got.body) < 600

    @pytest.mark.parametrize("accept", ["identity", "br", "gzip;q=0", "gzip; q=0.0", ""])
    def test_others_get_it_plain(self, site: Site, accept: str) -> None:
        got = get(site.page("/news", "one").compressed("gzip"), {"Accept-Encoding": accept})
        assert (got.body, got.headers["Vary"]) == (b"one", "Accept-Encoding")
        assert "Content-Encoding" not in got.headers

    def test_it_can_be_forced_and_stacked(self, site: Site) -> None:
        got = get(site.page("/news", "one").compressed("gzip", "br", forced=True))
        assert got.headers["Content-Encoding"] == "gzip, br"
        assert gzip.decompress(brotli.decompress(got.body)) == b"one"

    @pytest.mark.parametrize("coding", UNPACK)
    def test_a_bomb_is_small_and_unpacks_to_its_size(self, site: Site, coding: Coding) -> None:
        size = (3 << 20) + 7
        got = get(site.page("/bomb").bomb(coding, size=size))
        assert len(got.body) < size / 100
        assert UNPACK[coding](got.body) == bytes(size)

    def test_a_bomb_in_a_bomb_is_smaller_still(self, site: Site) -> None:
        once, twice = get(site.page("/1").bomb("gzip")), get(site.page("/2").bomb("gzip", "gzip"))
        assert gzip.decompress(twice.body) == once.body
        assert len(twice.body) < 2000 < 100_000 < len(once.body)

    def test_a_page_that_becomes_another_is_no_bomb_any_more(self, site: Site) -> None:
        page = site.page("/bomb").bomb("gzip", size=1 << 20).becomes("harmless")
        assert gzip.decompress(get(page).body) == b"harmless"


class TestTrouble:
    def test_an_error_lasts_until_the_page_answers_normally(self, site: Site) -> None:
        page = site.page("/news", "one").answers(503, headers={"X-Why": "tea"}, retry_after=3, body="later")
        for _ in range(2):
            got = get(page)
            assert (got.status, got.body) == (503, b"later")
            assert (got.headers["Retry-After"], got.headers["X-Why"]) == ("3", "tea")
        assert get(page.answers_normally()).body == b"one"

    def test_retry_after_may_be_a_time(self, site: Site) -> None:
        page = site.page("/news").answers(429, retry_after=datetime(2030, 1, 1, tzinfo=UTC))
        assert get(page).headers["Retry-After"] == "Tue, 01 Jan 2030 00:00:00 GMT"

    def test_a_trouble_may_last_for_some_answers_only(self, site: Site) -> None:
        page = site.page("/news").answers(500).times(2)
        assert [get(page).status for _ in range(4)] == [500, 500, 200, 200]

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_a_redirect_points_anywhere(self, site: Site, status: int) -> None:
        page = site.page("/old").redirects_to(site.page("/new"), status)
        got = get(page)
        assert (got.status, got.headers["Location"]) == (status, site.url + "/new")
        assert get(page.redirects_to("../up")).headers["Location"] == "../up"

    def test_the_first_byte_can_be_late(self, site: Site) -> None:
        started = time.monotonic()
        get(site.page("/slow", "x").slow(first_byte=0.1))
        assert time.monotonic() - started >= 0.1

    def test_every_chunk_can_be_late(self, site: Site) -> None:
        page = site.page("/slow", "x" * 10).slow(per_chunk=0.03, chunk=4)
        started = time.monotonic()
        assert get(page).body == b"x" * 10
        assert time.monotonic() - started >= 0.06

    @pytest.mark.parametrize("reset", [False, True])
    def test_a_connection_breaks_half_way(self, site: Site, reset: bool) -> None:
        page = site.page("/news", "0123456789").breaks(after_bytes=4, reset=reset)
        with pytest.raises((http.client.IncompleteRead, ConnectionResetError)) as raised:
            get(page)
        if not reset:
            assert isinstance(raised.value, http.client.IncompleteRead)
            assert raised.value.partial == b"0123"
        [request] = site.requests
        assert (request.status, request.bytes, request.outcome) == (200, 4, "cut")

    def test_a_connection_breaks_before_any_answer(self, site: Site) -> None:
        with pytest.raises(http.client.RemoteDisconnected):
            get(site.page("/news", "x").breaks(after_bytes=None))
        [request] = site.requests
        assert (request.status, request.bytes, request.outcome) == (None, 0, "cut")

    def test_a_connection_breaks_between_head_and_body(self, site: Site) -> None:
        with pytest.raises(http.client.IncompleteRead):
            get(site.page("/news", "x").breaks(after_bytes=0))
        assert site.requests[0].status == 200

    def test_a_chunked_answer_breaks_before_its_end_mark(self, site: Site) -> None:
        page = site.page("/news", "0123").framed("chunked").breaks(after_bytes=4)
        with pytest.raises(http.client.IncompleteRead):
            get(page)

    def test_a_hanging_page_answers_once_it_is_let_go(self, site: Site) -> None:
        page = site.page("/news", "one").hangs()
        asked = InBackground(page)
        assert page.wait_for()[0].outcome == "under way"
        page.answers_normally()
        assert asked.answer().body == b"one"
        assert page.requests[0].outcome == "complete"

    @pytest.mark.parametrize("place", [0, 3, 6])
    def test_a_page_hangs_within_its_answer(self, site: Site, place: int) -> None:
        page = site.page("/news", "abcdef").framed("chunked").hangs(after_bytes=place)
        asked = InBackground(page)
        site.wait_until(lambda log: bool(log) and (log[0].status, log[0].bytes) == (200, place))
        assert page.requests[0].outcome == "under way"
        page.answers_normally()
        assert asked.answer().body == b"abcdef"

    def test_a_client_that_gives_up_is_logged_as_left(self, site: Site) -> None:
        with pytest.raises(TimeoutError):
            get(site.page("/news", "one").hangs(), timeout=0.1)
        [request] = site.wait_until(lambda log: log[0].outcome == "left")
        assert (request.status, request.bytes) == (None, 0)

    def test_a_hanging_page_does_not_hold_up_the_end(self) -> None:
        with Site() as site:
            page = site.page("/news").hangs()
            connection = socket.create_connection((site.address, site.port))
            connection.sendall(b"GET /news HTTP/1.1\r\nHost: x\r\n\r\n")
            page.wait_for()
            started = time.monotonic()
        connection.close()
        assert time.monotonic() - started < 10
        assert site.requests[0].outcome == "left"

    def test_a_client_that_does_not_read_does_not_hold_up_the_end(self) -> None:
        with Site() as site:
            site.page("/stream").endless(b"x" * (1 << 20))
            connection = socket.create_connection((site.address, site.port))
            connection.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
            site.wait_until(lambda log: bool(log) and log[0].bytes > 1 << 20)
            started = time.monotonic()
        assert time.monotonic() - started < 10
        connection.close()

    def test_content_length_promises_too_much(self, site: Site) -> None:
        page = site.page("/news", "0123").length_off_by(+3)
        with pytest.raises(http.client.IncompleteRead) as raised:
            get(page)
        assert (raised.value.partial, raised.value.expected) == (b"0123", 3)

    def test_content_length_promises_too_little(self, site: Site) -> None:
        site.page("/news", "0123456789").length_off_by(-6)
        answer = exchange(site, b"GET /news HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"Content-Length: 4\r\n" in answer
        assert answer.endswith(b"\r\n\r\n0123456789")

    def test_an_endless_page_goes_on_until_the_client_leaves(self, site: Site) -> None:
        page = site.page("/stream", "start").endless()
        with socket.create_connection((site.address, site.port), timeout=60) as connection:
            connection.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
            site.wait_until(lambda log: bool(log) and log[0].bytes > 1_000_000 // 20)
        site.wait_until(lambda log: log[0].outcome == "left")
        assert page.hits == 1

    def test_anything_at_all_can_be_on_the_wire(self, site: Site) -> None:
        site.page("/odd").raw(b"ICY 200 OK\r\n\r\nla la la")
        assert exchange(site, b"GET /odd HTTP/1.1\r\nHost: x\r\n\r\n") == b"ICY 200 OK\r\n\r\nla la la"
        assert (site.requests[0].status, site.requests[0].bytes) == (None, 22)


class TestFraming:
    def test_a_chunked_answer_has_no_length(self, site: Site) -> None:
        got = get(site.page("/news", "x" * 5000).framed("chunked").slow(chunk=1000))
        assert got.body == b"x" * 5000
        assert got.headers["Transfer-Encoding"] == "chunked"
        assert "Content-Length" not in got.headers

    def test_an_answer_may_end_with_its_connection(self, site: Site) -> None:
        got = get(site.page("/news", "x" * 5000).framed("close"))
        assert (got.body, got.headers["Connection"]) == (b"x" * 5000, "close")
        assert not {"Content-Length", "Transfer-Encoding"} & set(got.headers)

    def test_an_old_client_gets_no_chunks(self, site: Site) -> None:
        site.page("/news", "one").framed("chunked")
        answer = exchange(site, b"GET /news HTTP/1.0\r\n\r\n")
        assert answer.endswith(b"\r\n\r\none")
        assert b"chunked" not in answer


class TestLettingIn:
    def test_a_header_is_required(self, site: Site) -> None:
        page = site.page("/api", "x").requires_header("X-Key", "secret", status=401)
        assert [get(page).status, get(page, {"x-key": "secret"}).status] == [401, 200]

    def test_a_cookie_set_by_one_page_is_required_by_another(self, site: Site) -> None:
        door = site.page("/login", "hello").sets_cookie(
            "session", "a b", path="/", httponly=True, max_age="60"
        )
        page = site.page("/inside", "x").requires_cookie("session", "a b")
        cookie = get(door).headers["Set-Cookie"]
        assert {part.strip() for part in cookie.split(";")[1:]} == {"HttpOnly", "Max-Age=60", "Path=/"}
        assert get(page).status == 403
        assert get(page, {"Cookie": cookie.partition(";")[0]}).status == 200

    def test_a_log_in_is_required(self, site: Site) -> None:
        page = site.page("/inside", "x").requires_login("jill", "pass:word", realm="club")
        refused = get(page)
        assert (refused.status, refused.headers["WWW-Authenticate"]) == (401, 'Basic realm="club"')
        right, wrong = (base64.b64encode(f"jill:{p}".encode()).decode() for p in ("pass:word", "no"))
        assert get(page, {"Authorization": f"Basic {wrong}"}).status == 401
        assert get(page, {"Authorization": f"Basic {right}"}).status == 200

    def test_robots_are_told_their_manners(self, site: Site) -> None:
        assert get(site.url + "/robots.txt").status == 404
        site.robots("User-agent: *\nDisallow: /private")
        got = get(site.url + "/robots.txt")
        assert got.body == b"User-agent: *\nDisallow: /private"
        assert got.headers["Content-Type"].startswith("text/plain")


class TestForms:
    def test_a_get_form_asks_and_answers(self, site: Site) -> None:
        fields: list[Field | str] = [
            "q",
            Field("sort", options=("date", "price"), value="price"),
            Field("t", "hidden", "7"),
        ]
        form = site.form("/search", fields, answer=lambda values: f"<p>{values['q']} by {values['sort']}")
        page = get(form.url).body.decode()
        assert '<form action="/search/answer" method="get">' in page
        assert '<input type="text" name="q" value="">' in page
        assert '<select name="sort"><option>date</option><option selected>price</option></select>' in page
        assert '<input type="hidden" name="t" value="7">' in page
        got = get(form.answers.url + "?q=a%26b+c&sort=date")
        assert got.body == b"<p>a&b c by date"

    def test_a_post_form_answers_only_to_post(self, site: Site) -> None:
        form = site.form("/ask", ["q"], method="POST", action="/reply", answer=lambda v: v["q"])
        sent = urlencode({"q": "größe"}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        assert get(form.answers, kind, method="POST", body=sent).body == "größe".encode()
        assert get(form.answers).status == 405
        assert form.answers.requests[0].body == sent


class TestLog:
    def test_every_request_is_remembered_as_it_came(self, site: Site) -> None:
        before = time.monotonic()
        get(site.page("/news", "one").url + "?a=1&b=%C3%B6", {"X-Me": "yes"})
        get(site.url + "/gone", method="POST", body=b"hello")
        first, second = site.requests
        assert (first.method, first.path, first.query) == ("GET", "/news", (("a", "1"), ("b", "ö")))
        assert (first.status, first.bytes, first.outcome) == (200, 3, "complete")
        assert first.headers["x-me"] == "yes"
        assert (second.method, second.status, second.body) == ("POST", 404, b"hello")
        assert before <= first.at <= second.at <= time.monotonic()
        assert site.gaps == [second.at - first.at]

    def test_a_request_body_cut_half_way_is_logged(self, site: Site) -> None:
        with socket.create_connection((site.address, site.port)) as connection:
            connection.sendall(b"POST /news HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf")
            site.wait_for(1)
        [request] = site.wait_until(lambda log: log[0].outcome == "left")
        assert (request.method, request.status) == ("POST", None)

    def test_requests_in_turn_are_never_concurrent(self, site: Site) -> None:
        page = site.page("/news", "x" * 300_000)
        connection = http.client.HTTPConnection(site.address, site.port)
        for _ in range(50):
            connection.request("GET", "/news")
            connection.getresponse().read()
        connection.close()
        assert site.most_concurrent == 1
        assert {request.outcome for request in page.requests} == {"complete"}
        assert site.connections == len({request.connection for request in page.requests}) == 1

    def test_requests_at_once_are_counted(self, site: Site) -> None:
        page = site.page("/news", "x").hangs()
        asked = [InBackground(page) for _ in range(5)]
        assert [request.concurrent for request in page.wait_for(5)] == [1, 2, 3, 4, 5]
        page.answers_normally()
        assert {request.answer().status for request in asked} == {200}
        assert site.most_concurrent == 5
        get(page)
        assert site.requests[-1].concurrent == 1

    def test_waiting_in_vain_tells_what_came(self, site: Site) -> None:
        get(site.page("/news", "one"))
        with pytest.raises(TimeoutError, match=r"within 0.01 s there came only:\n  GET /news → 200"):
            site.wait_for(2, within=0.01)
        with pytest.raises(TimeoutError, match="nothing"):
            Site().wait_for(1, within=0.01)

    def test_a_connection_without_a_request_is_counted(self, site: Site) -> None:
        with socket.create_connection((site.address, site.port)):
            deadline = time.monotonic() + 60
            while not site.connections and time.monotonic() < deadline:
                time.sleep(0.005)
        assert (site.connections, site.requests) == (1, [])

    def test_an_async_client_and_the_wait_share_a_loop(self, site: Site) -> None:
        page = site.page("/news", "one").hangs()

        async def conversation() -> str:
            async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as group:
                asked = group.create_task(_text(session, page.url))
                await page.hits_reach(1)
                page.answers_normally()
                await site.hits_reach(1)
                return await asked

        assert asyncio.run(conversation()) == "one"


async def _text(session: aiohttp.ClientSession, url: str) -> str:
    async with session.get(url) as answer:
        return await answer.text()


class TestHosts:
    def test_several_hosts_have_their_own_addresses_pages_and_logs(
        self, site: Site, another_site: Callable[..., Site]
    ) -> None:
        other = another_site("127.0.0.2")
        site.page("/news", "here")
        other.page("/news", "there")
        assert [get(site.url + "/news").body, get(other.url + "/news").body] == [b"here", b"there"]
        assert other.url.startswith("http://127.0.0.2:")
        assert (site.hits("/news"), other.hits("/news")) == (1, 1)

    @pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
    def test_a_host_may_have_the_longer_kind_of_address(self, another_site: Callable[..., Site]) -> None:
        try:
            site = another_site("::1")
        except OSError:
            pytest.skip("no IPv6 loopback here")
        assert get(site.page("/news", "six")).body == b"six"

    def test_a_site_goes_down_and_comes_back_on_its_port(self, site: Site) -> None:
        page = site.page("/news", "one")
        get(page)
        kept = http.client.HTTPConnection(site.address, site.port, timeout=60)
        kept.request("GET", "/news")
        kept.getresponse().read()
        site.goes_down()
        with pytest.raises(ConnectionRefusedError):
            get(page)
        assert kept.sock.recv(1) == b""
        kept.close()
        site.comes_back()
        assert get(page).body == b"one"
        assert page.hits == 3

    def test_a_taken_port_is_told_at_once(self, site: Site) -> None:
        with pytest.raises(OSError, match="in use"):
            Site(port=site.port).start()

    def test_pages_take_commands_before_the_site_starts(self) -> None:
        site = Site()
        page = site.page("/news", "one").hangs().answers_normally()
        with site:
            assert get(page).body == b"one"

    def test_a_site_that_is_down_can_still_be_stopped(self) -> None:
        with Site() as site:
            site.goes_down()
        assert site.requests == []

    def test_connections_of_the_last_moment_end_with_the_site(self) -> None:
        for _ in range(20):
            with ThreadPoolExecutor(1) as pool, Site() as site:
                callers = pool.submit(_connect_until_refused, site.port)
                while not site.connections:
                    time.sleep(0.001)
            for caller in callers.result():
                caller.close()
        gc.collect()  # a connection that nobody closed warns here, which is an error in tests


def _connect_until_refused(port: int) -> list[socket.socket]:
    callers = []
    with contextlib.suppress(OSError):
        while True:
            callers.append(socket.create_connection(("127.0.0.1", port), timeout=1))
    return callers
