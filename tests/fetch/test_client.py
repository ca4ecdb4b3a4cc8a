"""Requests, redirects and errors of the client, without a server."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import ClientPayloadError, InvalidURL, ServerDisconnectedError
from aiohttp.client_exceptions import ClientConnectorError, ClientResponseError
from yarl import URL

from webvigil.errors import CertificateRefused, HostUnreachable, PageError, PageRefused, PageUnreachable
from webvigil.fetch.client import (
    Approached,
    Ask,
    Cookies,
    _connection_trouble,
    _forbidden,
    _form,
    _gather,
    _headers,
    _in_words,
    _our_errors,
    _plain,
    _redirect,
    _redirected,
    same_origin,
)
from webvigil.fetch.login import Login
from webvigil.fetch.ways import ForbiddenAddress
from webvigil.model.approach import Approach
from webvigil.model.version import Answer

HERE, THERE = "https://a.test/x", "https://b.test/y"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("https://a.test/other?q#top", True),
        ("https://A.TEST/", True),
        ("http://a.test/x", False),
        ("https://a.test:444/x", False),
        ("https://b.a.test/x", False),
    ],
)
def test_an_origin_is_scheme_host_and_port(other: str, same: bool):
    assert same_origin(HERE, other) is same


POST = Ask(
    url=HERE,
    method="POST",
    fields=(("q", "1"),),
    own_headers={"X-Key": "secret", "Content-Type": "text/x"},
)


@pytest.mark.parametrize(
    ("ask", "target", "status", "method", "fields", "own"),
    [
        (POST, "https://a.test/y", 302, "GET", (), {"X-Key": "secret"}),
        (POST, "https://a.test/y", 303, "GET", (), {"X-Key": "secret"}),
        (POST, THERE, 302, "GET", (), {}),
        (POST, "https://a.test/y", 307, "POST", POST.fields, POST.own_headers),
        (POST, "https://a.test/y", 308, "POST", POST.fields, POST.own_headers),
        (POST, THERE, 307, "POST", POST.fields, {}),
        (replace(POST, body=b"x"), THERE, 308, "POST", POST.fields, {"Content-Type": "text/x"}),
        (replace(POST, method="GET"), "https://a.test/y", 302, "GET", (), POST.own_headers),
        (replace(POST, method="HEAD"), THERE, 301, "HEAD", (), {}),
    ],
)
def test_what_is_asked_where_a_redirect_leads(
    ask: Ask, target: str, status: int, method: str, fields: tuple[Any, ...], own: dict[str, str]
):
    then = _redirected(ask, target, status)
    assert (then.url, then.method, then.fields, then.own_headers) == (target, method, fields, own)
    assert then.body == (ask.body if method == ask.method else None)


def answered(status: int, location: str | None) -> Any:
    headers = {} if location is None else {"Location": location}
    return SimpleNamespace(status=status, headers=headers, url=URL(HERE))


@pytest.mark.parametrize(
    ("status", "location", "target"),
    [
        *((status, "/y", "https://a.test/y") for status in (301, 302, 303, 307, 308)),
        *((status, "/y", None) for status in (200, 300, 304, 305, 306, 309)),
        (302, None, None),
        (302, "", None),
    ],
)
def test_which_answers_lead_elsewhere(status: int, location: str | None, target: str | None):
    assert _redirect(answered(status, location)) == target


def test_a_redirect_out_of_the_web_is_shown_in_short():
    with pytest.raises(PageRefused) as caught:
        _redirect(answered(302, "mailto:" + "x" * 300))
    assert str(caught.value) == f"the page redirects to 'mailto:{'x' * 193}', which is not a web address"


@pytest.mark.parametrize(
    ("ask", "sent"),
    [
        (Ask(url=HERE), {}),
        (Ask(url=HERE, fields=(("q", "1"),)), {"params": [("q", "1")]}),
        (Ask(url=HERE, method="POST", fields=(("q", "1"),)), {"data": [("q", "1")]}),
        (Ask(url=HERE, method="POST", body=b""), {"data": b""}),
        (Ask(url=HERE, fields=(("q", "1"),), multipart=True), {"params": [("q", "1")]}),
    ],
)
def test_where_the_fields_of_a_form_are_sent(ask: Ask, sent: dict[str, Any]):
    assert _form(ask) == sent


def test_a_form_in_parts_has_its_parts():
    sent = _form(Ask(url=HERE, method="POST", fields=(("q", "1"),), multipart=True))["data"]
    assert sent.is_multipart


LOGIN = Login(url="https://a.test/", headers=(("X-Login", "l"),), cookies=(("id", "7"),))


@pytest.mark.parametrize(
    ("ask", "sent"),
    [
        (Ask(url=HERE), {}),
        (Ask(url=HERE, agent="Jill"), {"User-Agent": "Jill"}),
        (Ask(url=HERE, login=LOGIN), {"X-Login": "l", "Cookie": "id=7"}),
        (Ask(url=THERE, login=LOGIN), {}),
        (
            Ask(url=HERE, headers={"x-login": "h"}, own_headers={"X-LOGIN": "o"}, login=LOGIN),
            {"X-LOGIN": "o", "Cookie": "id=7"},
        ),
    ],
)
def test_each_header_is_sent_once_and_a_login_to_its_origin_alone(ask: Ask, sent: dict[str, str]):
    found = _headers(ask, Cookies())
    assert {name.lower(): value for name, value in found.items()} == {
        name.lower(): value for name, value in sent.items()
    }
    assert len(found) == len(sent)


def test_the_cookies_of_a_page_go_back_to_its_site():
    async def sent() -> list[dict[str, str]]:
        page = Answer(
            url=HERE,
            status=200,
            headers=(("set-cookie", "a=1; Path=/"), ("Set-Cookie", "b=2; Path=/y"), ("X-Cookie", "c=3")),
            body=b"",
        )
        kept = Cookies(page)
        return [
            kept.header(HERE),
            kept.header("https://a.test/y"),
            kept.header(THERE),
            kept.header(HERE, LOGIN),
            Cookies().header(HERE),
        ]

    assert asyncio.run(sent()) == [
        {"Cookie": "a=1"},
        {"Cookie": "a=1; b=2"},
        {},
        {"Cookie": "id=7; a=1"},
        {},
    ]


@pytest.mark.parametrize("size", [255_999, 256_000])
def test_a_body_is_unpacked_in_a_thread_or_here(size: int):
    body = b"x" * size
    assert asyncio.run(_plain(body, "", 1)) == body
    assert asyncio.run(_plain(body, "identity", size)) == body


def translated(error: BaseException, url: str = HERE) -> PageError:
    with pytest.raises(PageError) as caught, _our_errors(url):
        raise error
    return caught.value


def unreached(port: int | None, why: OSError) -> ClientConnectorError:
    return ClientConnectorError(SimpleNamespace(host="a.test", port=port, ssl=None), why)  # type: ignore[arg-type]


REFUSED = OSError(errno.ECONNREFUSED, "x")
NO_CONNECTION = f"({os.strerror(errno.ECONNREFUSED)})"


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (
            unreached(80, ForbiddenAddress("10.0.0.9")),
            PageRefused,
            "10.0.0.9 is not a public address; allow it with the setting allow_networks",
        ),
        (InvalidURL("x"), PageRefused, f"{HERE!r} is not a web address"),
        *(
            (
                unreached(port, REFUSED),
                HostUnreachable,
                f"the page could not be fetched: no connection to a.test {NO_CONNECTION}",
            )
            for port in (80, 443, None)
        ),
        (
            unreached(81, REFUSED),
            HostUnreachable,
            f"the page could not be fetched: no connection to a.test:81 {NO_CONNECTION}",
        ),
        (
            socket.gaierror(socket.EAI_NONAME, "x"),
            HostUnreachable,
            "the page could not be fetched: there is no such host; is the address spelled right?",
        ),
        (
            ServerDisconnectedError(),
            PageUnreachable,
            "the page could not be fetched: the server closed the connection without an answer",
        ),
        (ClientPayloadError("x"), PageUnreachable, "the page could not be fetched: the answer was cut off"),
        (ValueError("odd"), PageUnreachable, "the page could not be fetched: odd"),
        (ValueError(), PageUnreachable, "the page could not be fetched: ValueError"),
        (PageRefused("ours"), PageRefused, "ours"),
    ],
)
def test_an_error_on_the_way_is_told_in_our_words(error: BaseException, kind: type, words: str):
    found = translated(error)
    assert (type(found), str(found)) == (kind, words)


def test_a_certificate_deep_in_an_error_is_named_by_its_host():
    inner = ssl.SSLCertVerificationError(1, "x")
    inner.verify_message = "it has expired"
    outer = OSError("odd")
    outer.__cause__ = inner
    found = translated(outer)
    assert type(found) is CertificateRefused
    assert str(found) == "the certificate of a.test is not valid: it has expired"


def test_other_errors_are_not_ours_to_translate():
    with pytest.raises(KeyError), _our_errors(HERE):
        raise KeyError("x")


@pytest.mark.parametrize(("depth", "found"), [(0, "10.0.0.9"), (10, "10.0.0.9"), (11, "")])
def test_a_forbidden_address_is_looked_for_among_ten_causes(depth: int, found: str):
    error: BaseException = ForbiddenAddress("10.0.0.9")
    for _ in range(depth):
        outer = OSError("outer")
        outer.__context__ = error
        error = outer
    assert _forbidden(error) == found


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(socket.EAI_AGAIN, "later"), "later"),
        (socket.gaierror(socket.EAI_AGAIN, ""), "there is no such host; is the address spelled right?"),
        (OSError("[Errno 111] and [Errno 113]"), os.strerror(111)),
        (OSError("odd"), "odd"),
        (OSError(), "it does not answer"),
    ],
)
def test_why_there_is_no_connection(error: OSError, words: str):
    assert _connection_trouble(error) == words


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TimeoutError(), "it took too long"),
        (ClientResponseError(None, ()), "what came back is no answer of a web server"),  # type: ignore[arg-type]
        (UnicodeError("x"), "its address cannot be read"),
        (OSError("odd"), "odd"),
        (KeyError(), "KeyError"),
    ],
)
def test_an_error_in_words(error: BaseException, words: str):
    assert _in_words(error) == words


def test_an_approach_is_put_into_every_request():
    asked: list[Ask] = []

    async def ask(one: Ask) -> None:
        asked.append(one)

    client: Any = SimpleNamespace(user_agent="w", limits=1, certificates={}, ask=ask)
    asyncio.run(Approached(client, Approach(through="p", agent="Jill", timeout=7)).ask(Ask(url=HERE)))
    assert asked == [Ask(url=HERE, through="p", agent="Jill", timeout=7)]


@pytest.mark.parametrize(
    ("chunks", "size"),
    [([10], 10), ([4, 6], 10), ([4, 6, 1], 11), ([4, 7, 5], 11), ([10, 1], 11), ([], 0)],
)
def test_a_body_is_read_until_it_is_larger_than_its_limit(chunks: list[int], size: int):
    """A body of as many bytes as are allowed may go on, so that its end has to be seen."""

    async def iter_any() -> AsyncIterator[bytes]:
        for length in chunks:
            yield b"x" * length

    response: Any = SimpleNamespace(content=SimpleNamespace(iter_any=iter_any))
    parts: list[bytes] = []
    assert asyncio.run(_gather(response, parts, 0, 10)) == size == sum(map(len, parts))
