"""Requests are written as they are read, and what no text can say is refused."""

from __future__ import annotations

from typing import Any

import pytest

from webvigil.errors import MistakeInText
from webvigil.language import parse_request
from webvigil.language.requests import print_request
from webvigil.model.request import Header, Request


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "GET"),
        ({"method": "POST", "kind": "json", "body": '{"a": 1}'}, "POST json '{\"a\": 1}'"),
        (
            {"method": "POST", "kind": "json", "body": '{"a": "it\'s"}'},
            'POST json "{\\"a\\": \\"it\'s\\"}"',
        ),
        ({"method": "PUT", "kind": "body", "body": "ab"}, 'PUT body "ab"'),
        ({"method": "POST", "kind": "body", "body": 'a"\n'}, r'POST body "a\"\n"'),
        ({"method": "POST", "kind": "body", "body": 'a"\u202e'}, r'POST body "a\"\u202e"'),
        ({"method": "POST", "kind": "body", "body": 'a"\\d'}, r'POST body "a\"\d"'),
        (
            {"method": "POST", "kind": "form", "fields": (("a", "b c"), ("d", ""))},
            'POST form {a = "b c", d = ""}',
        ),
        ({"query": (("page", "2"),)}, "GET query {page = 2}"),
        ({"headers": (Header("X!", "a"),)}, 'GET header "X!" "a"'),
        ({"headers": (Header("X", ""),)}, 'GET header X ""'),
        ({"headers": (Header("X", "", "k y"),)}, 'GET header X secret "k y"'),
        (
            {"headers": (Header("X", "Key ", "k"), Header("Y", "b"))},
            'GET header X "Key " secret k header Y "b"',
        ),
    ],
)
def test_a_request_is_written_as_it_is_read(fields: dict[str, Any], text: str):
    request = Request(**fields)
    assert print_request(request) == text
    assert parse_request(text) == request
    method, _, rest = text.partition(" ")
    written = f"request {method} http://a.test/ {rest}".rstrip()
    assert print_request(request, "http://a.test/") == written


NO_BODY = "the body is empty or has a character that cannot be written"
NO_KIND = "the body has no kind"


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"kind": "body", "body": " "}, NO_BODY),
        ({"kind": "body", "body": "a\x00"}, NO_BODY),
        ({"kind": "body", "body": "a", "fields": (("a", "b"),)}, NO_BODY),
        ({"kind": "", "body": "x"}, NO_KIND),
        ({"kind": "", "fields": (("a", "b"),)}, NO_KIND),
        (
            {"kind": "form", "fields": (("a", "\x00"),)},
            "a field of the request has a character that cannot be written",
        ),
        (
            {"query": (("a\x00", "b"),)},
            "a field of the request has a character that cannot be written",
        ),
        ({"headers": (Header("X", "a", "b/c"),)}, "a name cannot contain '/'"),
    ],
)
def test_a_request_that_no_text_can_say_is_refused(fields: dict[str, Any], refusal: str):
    with pytest.raises(ValueError, match=r".") as caught:
        print_request(Request(**{"method": "POST"} | fields))
    assert str(caught.value) == refusal


@pytest.mark.parametrize(
    ("text", "column", "refusal"),
    [
        ("POST json {} body 'x'", 14, "body is one too many; a request has one body"),
        ("POST form {a = 1} form {a = 2}", 19, "form is one too many; a request has one body"),
        ("query {a = 1} query {a = 2}", 15, "query is one too many; a request has one query"),
        (
            "POST json '{'",
            11,
            "the body is no JSON: Expecting property name enclosed in double quotes at character 2",
        ),
        ("body 'x'", 1, "GET sends no body; write request POST, or leave out body"),
    ],
)
def test_a_request_that_says_too_much_is_refused(text: str, column: int, refusal: str):
    with pytest.raises(MistakeInText) as caught:
        parse_request(text)
    assert (caught.value.message, caught.value.column) == (refusal, column)
