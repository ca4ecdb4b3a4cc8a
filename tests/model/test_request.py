"""Which methods, headers and bodies a sentinel may send, and the message for each that is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from webvigil.model.request import (
    PLAIN_REQUEST,
    Header,
    Request,
    headers_to_send,
    request_as_json,
    request_from_json,
    trouble_with,
    with_query,
)

POST = Request(method="POST")
KEEP = "keep it with webvigil login add ADDRESS --secret token"


def headers(count: int) -> tuple[Header, ...]:
    return tuple(Header(f"X-{n}", "x") for n in range(count))


@pytest.mark.parametrize(
    "request_",
    [
        PLAIN_REQUEST,
        POST,
        replace(POST, headers=headers(30)),
        replace(POST, headers=(Header("X-Long", "x" * 4_000),)),
        replace(POST, headers=(Header("Authorization", "Bearer ", "token"),)),
        replace(POST, kind="body", body="x" * 100_000),
        replace(POST, kind="json", body="{}"),
        replace(POST, method="PUT", kind="form", fields=(("a", "1"),)),
        replace(POST, method="PATCH"),
    ],
)
def test_requests_that_can_be_sent(request_: Request):
    assert trouble_with(request_) == ""
    assert request_from_json(request_as_json(request_)) == request_


@pytest.mark.parametrize(
    ("request_", "trouble"),
    [
        (
            replace(POST, method="DELETE"),
            "DELETE would remove something at every look; a page is watched by reading it",
        ),
        (
            replace(POST, method="X" * 21),
            f"'{'X' * 20}' is no method for a page; write GET, POST, PUT or PATCH",
        ),
        (replace(POST, headers=headers(31)), "a request has at most 30 headers, not 31"),
        (
            replace(POST, headers=(Header("X-A", "1"), Header("x-a", "2"))),
            "the header x-a is given twice; keep one",
        ),
        (replace(POST, headers=(Header("a b" * 20),)), f"'{('a b' * 20)[:40]}' is not the name of a header"),
        (replace(POST, headers=(Header("Host", "a"),)), "the header Host is made for each request"),
        (
            replace(POST, headers=(Header("X-Forwarded-For", "a"),)),
            "the header X-Forwarded-For says that somebody else asks; we say who we are",
        ),
        (
            replace(POST, headers=(Header("X-A", "a\nb"),)),
            "the header X-A has a line break; a header is one line",
        ),
        (
            replace(POST, headers=(Header("X-A", "ä"),)),
            "the header X-A has a character that cannot be sent in a header",
        ),
        (
            replace(POST, headers=(Header("X-A", "\x07"),)),
            "the header X-A has a character that cannot be sent in a header",
        ),
        (
            replace(POST, headers=(Header("X-A", "x" * 4_001),)),
            "the header X-A has more than 4,000 characters",
        ),
        (
            replace(POST, headers=(Header("Authorization", "Bearer x"),)),
            f"the header Authorization is a secret; {KEEP}, and write header Authorization secret token",
        ),
        (
            Request(kind="body", body="x"),
            "GET sends no body; write request POST, or leave out body",
        ),
        (replace(POST, kind="body", body="x" * 100_001), "the body has more than 100,000 bytes"),
        (
            replace(POST, kind="json", body='{"a": }'),
            "the body is no JSON: Expecting value at character 7",
        ),
        (replace(POST, kind="json", body="NaN"), "the body is no JSON"),
    ],
)
def test_requests_that_cannot_be_sent(request_: Request, trouble: str):
    assert trouble_with(request_) == trouble


@pytest.mark.parametrize(
    ("kind", "content", "content_type"),
    [
        ("", None, ""),
        ("json", b"{}", "application/json"),
        ("body", b"{}", "text/plain; charset=utf-8"),
        ("form", b"a=1&b=x+y", "application/x-www-form-urlencoded"),
    ],
)
def test_a_body_is_sent_with_its_type(kind: str, content: bytes | None, content_type: str):
    one = Request(method="POST", kind=kind, body="{}", fields=(("a", "1"), ("b", "x y")))
    assert (one.content, one.content_type) == (content, content_type)
    typed = {"Content-Type": content_type} if kind else {}
    assert headers_to_send(one, str.upper) == typed
    own = replace(one, headers=(Header("content-TYPE", "text/x"), Header("X-Key", "key ", "word")))
    assert headers_to_send(own, str.upper) == {"content-TYPE": "text/x", "X-Key": "key WORD"}
    assert own.secrets == ("word",)


def test_a_query_is_put_behind_the_one_that_is_there():
    query = (("q", "a b"), ("q", "ä"))
    assert with_query("http://a.test/", ()) == "http://a.test/"
    assert with_query("http://a.test/", query) == "http://a.test/?q=a+b&q=%C3%A4"
    assert with_query("http://a.test/?x=1#top", query) == "http://a.test/?x=1&q=a+b&q=%C3%A4#top"
