"""A foreign request in, the target of a `Using` clause out. The request stays what it was."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from webvigil.app.moving.formats.said import COOKIE, HEADER, REMARK, SHOWN, Said
from webvigil.language.texts import fields_in_braces, quoted
from webvigil.model import request
from webvigil.model.request import Header, trouble_with_header

FORM = "application/x-www-form-urlencoded"
_AGENT, _KIND = "user-agent", "content-type"
# Headers that hold no secret of anybody, so that they may stand in the text of a sentinel.
_OPEN = frozenset(
    (
        *("accept", "accept-language", _KIND, "x-requested-with", "origin", "referer"),
        *("cache-control", "pragma", "prefer", "dnt", "range"),
    )
)
# Headers that are made for each request, and those that a request with a body has anyway.
_OURS = frozenset(
    (
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "content-encoding",
        "upgrade",
        "accept-encoding",
    )
)


def with_query(url: str, params: Any) -> str:
    """Returns the address with these parameters, in any of the forms of other programs, behind those that it
    has."""
    return request.with_query(url, tuple(_pairs(params)))


def _pairs(params: Any) -> list[tuple[str, str]]:
    if isinstance(params, str):
        return parse_qsl(params, keep_blank_values=True)
    if isinstance(params, Mapping):
        return [(str(name), str(value)) for name, value in params.items()]
    if isinstance(params, list):
        return [
            (str(one[0]), str(one[1])) for one in params if isinstance(one, list | tuple) and len(one) == 2
        ]
    return []


def target(
    url: str,
    method: str = "",
    body: Any = None,
    headers: Any = None,
    *,
    as_json: bool = False,
    browser: bool = False,
) -> Said:
    """Returns the target that asks in the same way: an address, a form, or a request with its headers and its
    body. A browser sends headers of its own."""
    method = (method or ("POST" if body not in (None, "") else "GET")).upper()
    is_empty = body in (None, "", {}, [])
    said = "" if browser else _said_headers(headers, has_body=not is_empty)
    if is_empty:
        return Said("using", url if method == "GET" and not said else f"request {method} {url}{said}")
    fields = _pairs(body) if not as_json and isinstance(body, Mapping | list) else None
    if fields is None and isinstance(body, str) and not as_json and _is_form(body, headers):
        fields = parse_qsl(body, keep_blank_values=True)
    if fields is not None and method == "POST" and not said:
        return Said("using", f"form {method} {url} {fields_in_braces(tuple(fields))}")
    if fields is not None:
        return Said("using", f"request {method} {url}{said} form {fields_in_braces(tuple(fields))}")
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, default=str)
    kind = "json" if as_json or _is_json(text, headers) else "body"
    return Said("using", f"request {method} {url}{said} {kind} {quoted(text)}")


def _said_headers(headers: Any, *, has_body: bool) -> str:
    """Returns the headers that are said in a request: those that hold no secret. The kind of a form goes
    without saying."""
    said = ""
    for name, value in headers.items() if isinstance(headers, Mapping) else ():
        is_kind = str(name).lower() == _KIND
        if not _is_said(name, value) or (is_kind and (not has_body or str(value).startswith(FORM))):
            continue
        said += f" header {quoted(str(name))} {quoted(str(value))}"
    return said


def _is_said(name: Any, value: Any) -> bool:
    return str(name).lower() in _OPEN and not trouble_with_header(Header(str(name), str(value)))


def _is_form(body: str, headers: Any) -> bool:
    said = _content_type(headers)
    whole = parse_qsl(body, keep_blank_values=True)
    try:
        return (not said or said.startswith(FORM)) and bool(whole) and urlencode(whole) == body
    except UnicodeEncodeError:
        return False


def _is_json(text: str, headers: Any) -> bool:
    said = _content_type(headers)
    if said and "json" not in said:
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except ValueError:
        return False


def _content_type(headers: Any) -> str:
    named = (
        {str(name).lower(): str(value) for name, value in headers.items()}
        if isinstance(headers, Mapping)
        else {}
    )
    return named.get(_KIND, "")


def headers(given: Any, key: str, *, sealed: bool = False) -> Iterator[Said]:
    """Yields what becomes of headers: those without a secret are said in `Using`, a name of the program by
    `Agent`, all others are kept as a log-in; with `sealed` all of them."""
    if not isinstance(given, Mapping):
        return
    for name, value in given.items():
        lower = str(name).lower()
        if lower == _AGENT:
            yield from agent(value, f"{key} {name}")
        elif lower in _OURS:
            yield Said(REMARK, "not taken along; it is made for each request", f"{key} {name}")
        elif lower == _KIND or (not sealed and _is_said(name, value)):
            yield Said(SHOWN, "in Using", f"{key} {name}")
        else:
            yield Said(HEADER, f"{name}: {value}", f"{key} {name}")


def agent(value: Any, key: str) -> Iterator[Said]:
    """Yields how we introduce ourselves: with the name that was given, and with our own."""
    text = str(value)
    if "webvigil" not in text.lower():
        text = f"{text} (compatible; WebVigil)"
        yield Said(REMARK, "WebVigil says its own name, too", key)
    yield Said("agent", quoted(text), key)


def cookies(given: Any, key: str) -> Iterator[Said]:
    if isinstance(given, Mapping):
        yield from (Said(COOKIE, f"{name}={value}", f"{key} {name}") for name, value in given.items())
