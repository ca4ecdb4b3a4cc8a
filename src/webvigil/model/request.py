"""A request that a user writes for a page: its method, headers, query and body.

The request is part of the identity of a page: two users share a fetch only if their requests are equal. A
header may hold a secret of the user's log-in, by its name; a page that is fetched with a log-in is never
shared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args
from urllib.parse import urlencode, urlsplit, urlunsplit

Method = Literal["GET", "POST", "PUT", "PATCH"]
BodyKind = Literal["", "json", "form", "body"]

METHODS: tuple[str, ...] = get_args(Method)
MOST_HEADERS = 30
LONGEST_HEADER = 4_000
LONGEST_BODY = 100_000
CONTENT_TYPES = {
    "json": "application/json",
    "form": "application/x-www-form-urlencoded",
    "body": "text/plain; charset=utf-8",
}

# A monitor repeats its request for ever, so requests that remove something, or bring nothing to read, are
# refused.
_REFUSED_METHODS = {
    "DELETE": "DELETE would remove something at every look; a page is watched by reading it",
    "HEAD": "HEAD brings nothing to read; Monitor status tells the state of a page",
    "OPTIONS": "OPTIONS brings nothing to read; Monitor status tells the state of a page",
    "TRACE": "TRACE sends back what was sent, with its secrets",
    "CONNECT": "CONNECT is for proxies; write Through NAME",
}
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_MADE_FOR_EACH = "is made for each request"
_ELSEWHERE = "says that somebody else asks; we say who we are"
_ANOTHER_METHOD = "says another method; write the method itself"
_REFUSED_HEADERS = {
    **dict.fromkeys(
        (
            *("host", "content-length", "transfer-encoding", "content-encoding", "accept-encoding"),
            *("connection", "keep-alive", "upgrade", "te", "trailer", "expect", "proxy-connection"),
            *("if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"),
        ),
        _MADE_FOR_EACH,
    ),
    **dict.fromkeys(("forwarded", "via", "x-real-ip", "proxy-authorization"), _ELSEWHERE),
    **dict.fromkeys(("x-http-method-override", "x-http-method", "x-method-override"), _ANOTHER_METHOD),
    "user-agent": "is how we introduce ourselves; write Agent",
    "cookie": "belongs to a log-in; keep it: webvigil login add ADDRESS --cookie NAME=VALUE",
}
_SECRET_HEADERS = ("authorization",)


@dataclass(frozen=True, slots=True)
class Header:
    """One header: `text`, and behind it the secret of this name, if there is one."""

    name: str
    text: str = ""
    secret: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """How a page is asked for. `body` is the text of a body of the kind `json` or `body`; `fields` are the
    fields of a body of the kind `form`. `query` is added to the address."""

    method: Method = "GET"
    headers: tuple[Header, ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    kind: BodyKind = ""
    body: str = ""
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of the secrets in the headers, each once."""
        return tuple(dict.fromkeys(one.secret for one in self.headers if one.secret))

    @property
    def content(self) -> bytes | None:
        """The body as it is sent; None for none."""
        if not self.kind:
            return None
        return (urlencode(self.fields) if self.kind == "form" else self.body).encode()

    @property
    def content_type(self) -> str:
        return CONTENT_TYPES.get(self.kind, "")


PLAIN_REQUEST = Request()
"""A request for an address with nothing special about it."""


def with_query(url: str, query: tuple[tuple[str, str], ...]) -> str:
    """Returns the address with these parameters behind those that it has."""
    if not query:
        return url
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query="&".join(one for one in (parts.query, urlencode(query)) if one)))


def trouble_with_method(method: str) -> str:
    """Says why a page cannot be asked for by this method; "" if it can."""
    if method in METHODS:
        return ""
    known = f"write {', '.join(METHODS[:-1])} or {METHODS[-1]}"
    return _REFUSED_METHODS.get(method, "") or f"{method[:20]!r} is no method for a page; {known}"


def trouble_with_header(header: Header) -> str:
    """Says why a header cannot be sent; "" if it can. The text of the header is not repeated."""
    name = header.name.lower()
    if not _NAME.fullmatch(header.name):
        return f"{header.name[:40]!r} is not the name of a header"
    if name in _REFUSED_HEADERS or name.startswith("x-forwarded-"):
        return f"the header {header.name} {_REFUSED_HEADERS.get(name, _ELSEWHERE)}"
    if re.search(r"[\r\n]", header.text):
        return f"the header {header.name} has a line break; a header is one line"
    if not header.text.isascii() or not header.text.isprintable():
        return f"the header {header.name} has a character that cannot be sent in a header"
    if len(header.text) > LONGEST_HEADER:
        return f"the header {header.name} has more than {LONGEST_HEADER:,} characters"
    if name in _SECRET_HEADERS and not header.secret:
        keep = "keep it with webvigil login add ADDRESS --secret token"
        return f"the header {header.name} is a secret; {keep}, and write header {header.name} secret token"
    return ""


def trouble_with(request: Request) -> str:
    """Says why a request cannot be sent; "" if it can."""
    return next((one for one in _troubles(request) if one), "")


def _troubles(request: Request) -> Iterator[str]:
    yield trouble_with_method(request.method)
    if len(request.headers) > MOST_HEADERS:
        yield f"a request has at most {MOST_HEADERS} headers, not {len(request.headers)}"
    seen: set[str] = set()
    for header in request.headers:
        yield trouble_with_header(header)
        if header.name.lower() in seen:
            yield f"the header {header.name} is given twice; keep one"
        seen.add(header.name.lower())
    if request.method == "GET" and request.kind:
        yield f"GET sends no body; write request POST, or leave out {request.kind}"
    if len(request.content or b"") > LONGEST_BODY:
        yield f"the body has more than {LONGEST_BODY:,} bytes"
    if request.kind == "json":
        yield trouble_with_json(request.body)


def trouble_with_json(text: str) -> str:
    """Says why a text is no JSON; "" if it is."""
    try:
        json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        return f"the body is no JSON: {error.msg} at character {error.pos + 1}"
    except (ValueError, RecursionError):
        return "the body is no JSON"
    return ""


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def request_as_json(request: Request) -> dict[str, Any]:
    """Returns the request as plain data, without what is not said."""
    headers = [_without_blanks(name=one.name, text=one.text, secret=one.secret) for one in request.headers]
    body: Any = [list(pair) for pair in request.fields] if request.kind == "form" else request.body
    plain = {"method": request.method, "headers": headers, "query": [list(pair) for pair in request.query]}
    return {name: value for name, value in plain.items() if value} | (
        {request.kind: body} if request.kind else {}
    )


def _without_blanks(**fields: str) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value}


def request_from_json(plain: dict[str, Any]) -> Request:
    """Reads what `request_as_json` has written. The data is our own, so it is not checked."""
    kind: Any = next((one for one in CONTENT_TYPES if one in plain), "")
    return Request(
        method=plain.get("method", "GET"),
        headers=tuple(Header(**one) for one in plain.get("headers", ())),
        query=_pairs(plain.get("query", ())),
        kind=kind,
        body=plain[kind] if kind in ("json", "body") else "",
        fields=_pairs(plain["form"]) if kind == "form" else (),
    )


def _pairs(rows: Any) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in rows)


def headers_to_send(request: Request, secret: Callable[[str], str]) -> dict[str, str]:
    """Returns the headers as they are sent. `secret` returns the secret of a name."""
    typed = {"Content-Type": request.content_type} if request.kind else {}
    said = {one.name: one.text + (secret(one.secret) if one.secret else "") for one in request.headers}
    own = {name.lower() for name in said}
    return {name: value for name, value in typed.items() if name.lower() not in own} | said
