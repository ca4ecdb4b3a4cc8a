"""A request of another program becomes a target that asks in the same way; its headers find their place."""

from __future__ import annotations

from typing import Any

import pytest

from webvigil.app.moving.formats.requests import cookies, headers, target, with_query
from webvigil.app.moving.formats.said import Said

URL = "http://a.test/x"
FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("method", "body", "sent", "said"),
    [
        ("", None, None, URL),
        ("GET", None, None, URL),
        ("get", "", None, URL),
        ("HEAD", None, None, f"request HEAD {URL}"),
        ("post", None, None, f"request POST {URL}"),
        ("POST", {}, None, f"request POST {URL}"),
        ("POST", [], None, f"request POST {URL}"),
        ("", "a=b", None, f"form POST {URL} {{a = b}}"),
        ("", "a=b&c=", None, f'form POST {URL} {{a = b, c = ""}}'),
        ("", "a=b c", None, f'request POST {URL} body "a=b c"'),
        ("", "text", None, f'request POST {URL} body "text"'),
        ("", "a=\udcff", None, f'request POST {URL} body "a=\\udcff"'),
        ("", 7, None, f'request POST {URL} body "7"'),
        ("PUT", "a=b", None, f"request PUT {URL} form {{a = b}}"),
        ("", {"a": "b"}, None, f"form POST {URL} {{a = b}}"),
        ("", [["a", "b"], ["c"]], None, f"form POST {URL} {{a = b}}"),
        ("", '{"a":1}', None, f'request POST {URL} json "{{\\"a\\":1}}"'),
        ("", "{broken", None, f'request POST {URL} body "{{broken"'),
        ("", "5", None, f'request POST {URL} body "5"'),
        ("", "a=b", {"Content-Type": "a/b"}, f'request POST {URL} header "Content-Type" "a/b" body "a=b"'),
        ("", "a=b", {"content-type": f"{FORM}; x"}, f"form POST {URL} {{a = b}}"),
        ("", "[]", {"Content-Type": "a/b"}, f'request POST {URL} header "Content-Type" "a/b" body "[]"'),
        (
            "",
            "[]",
            {"Content-Type": "a/json"},
            f'request POST {URL} header "Content-Type" "a/json" json "[]"',
        ),
        ("", "7", {"Content-Type": "a/json"}, f'request POST {URL} header "Content-Type" "a/json" body "7"'),
        ("", "a=b", {"Accept": "x"}, f'request POST {URL} header "Accept" "x" form {{a = b}}'),
        ("", None, {"Accept": "x", "Cookie": "y"}, f'request GET {URL} header "Accept" "x"'),
        ("", None, {"Content-Type": "a/b"}, URL),
        ("", None, {"Range": "a\nb"}, URL),
    ],
)
def test_a_request_asks_in_the_same_way(method: str, body: Any, sent: Any, said: str):
    assert target(URL, method, body, sent) == Said("using", said)


def test_a_body_can_be_meant_as_json():
    assert target(URL, "", {"a": 1}, as_json=True).text == f'request POST {URL} json "{{\\"a\\": 1}}"'
    assert target(URL, "", "a=b", as_json=True).text == f'request POST {URL} json "a=b"'


def test_a_browser_sends_headers_of_its_own():
    assert target(URL, "", None, {"Accept": "x"}, browser=True).text == URL


@pytest.mark.parametrize(
    ("params", "url"),
    [
        ("a=1&b=", "http://a.test/?z=0&a=1&b="),
        ({"a": 1}, "http://a.test/?z=0&a=1"),
        ([["a", 1], ("b", 2), ["c"], "de", ["f", 1, 2]], "http://a.test/?z=0&a=1&b=2"),
        (None, "http://a.test/?z=0"),
        (5, "http://a.test/?z=0"),
    ],
)
def test_parameters_stand_behind_those_of_the_address(params: Any, url: str):
    assert with_query("http://a.test/?z=0", params) == url


def test_each_header_finds_its_place():
    given = {
        "User-Agent": "Tea",
        "HOST": "x",
        "Content-Type": "a",
        "Accept": "b",
        "X": "c",
        "Origin": "o\n",
    }
    assert list(headers(given, "h")) == [
        Said("remark", "WebVigil says its own name, too", "h User-Agent"),
        Said("agent", '"Tea (compatible; WebVigil)"', "h User-Agent"),
        Said("remark", "not taken along; it is made for each request", "h HOST"),
        Said("shown", "in Using", "h Content-Type"),
        Said("shown", "in Using", "h Accept"),
        Said("header", "X: c", "h X"),
        Said("header", "Origin: o\n", "h Origin"),
    ]
    assert list(
        headers({"user-agent": "WebVigil/1", "Content-Type": "a", "Accept": "b"}, "h", sealed=True)
    ) == [
        Said("agent", '"WebVigil/1"', "h user-agent"),
        Said("shown", "in Using", "h Content-Type"),
        Said("header", "Accept: b", "h Accept"),
    ]
    assert list(headers("x", "h")) == list(cookies(None, "c")) == []
    assert list(cookies({"a": 1}, "c")) == [Said("cookie", "a=1", "c a")]
