"""The words of a request in, a Request out, and back to its text.

request POST https://api.example/search header Accept "application/json" query {page = 2} json '{"q": 1}'
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from lark import Token

from webvigil.language import mistakes, names, texts, tokens
from webvigil.model.request import (
    CONTENT_TYPES,
    METHODS,
    BodyKind,
    Header,
    Request,
    trouble_with,
    trouble_with_header,
    trouble_with_json,
    trouble_with_method,
)

_BODIES = ("form", "json", "body")


class Said(NamedTuple):
    """One thing that is said about a request: `what` is header, query, form, json or body."""

    what: str
    value: Any
    token: Token


def said_of(children: list[Token]) -> Said:
    word, *rest = children
    match word.type, rest:
        case "HEADER", [name, *value]:
            return Said("header", _header(name, value), name)
        case "QUERY", [fields]:
            return Said("query", tokens.fields_of(fields), word)
        case "FORM", [fields]:
            return Said("form", tokens.fields_of(fields), word)
        case "JSON", [text]:
            return Said("json", _json(text), word)
        case _, [text]:
            return Said("body", _body(text), word)
    raise AssertionError(f"the grammar has no {children} in a request")


def _header(name: Token, value: list[Token]) -> Header:
    called = texts.unquoted(name) if name.type == "QUOTED" else str(name)
    text = texts.unquoted(value[0]) if value[0].type == "QUOTED" else ""
    secret = tokens.name_of(value[-1]) if len(value) > 1 else ""
    header = Header(called, text, secret)
    if trouble := trouble_with_header(header):
        raise mistakes.at(name, trouble)
    return header


def _json(token: Token) -> str:
    """Returns the JSON of a body. An object in braces needs no quotes."""
    text = str(token) if token.type == "DATA" else _body(token)
    if trouble := trouble_with_json(text):
        raise mistakes.at(token, trouble)
    return text


def _body(token: Token) -> str:
    return tokens.text_of(token, texts.unquoted)


def request_of(verb: Token | None, said: list[Said]) -> Request:
    method = (verb or "GET").upper()
    if verb and (trouble := trouble_with_method(method)):
        near = mistakes.near(method, METHODS)
        raise mistakes.at(verb, trouble + (f"; did you mean {near}?" if near else ""))
    for what in ("query", _BODIES):
        given = [one for one in said if one.what in what]
        if len(given) > 1:
            raise mistakes.at(
                given[1].token, f"{given[1].what} is one too many; a request has one {_a(what)}"
            )
    found = {one.what: one.value for one in said}
    kind = cast(BodyKind, next((one for one in _BODIES if one in found), ""))
    request = Request(
        method=cast(Any, method),
        headers=tuple(one.value for one in said if one.what == "header"),
        query=found.get("query", ()),
        kind=kind,
        body=found[kind] if kind in ("json", "body") else "",
        fields=found.get("form", ()),
    )
    if trouble := trouble_with(request):
        raise mistakes.at(said[-1].token, trouble)
    return request


def _a(what: str | tuple[str, ...]) -> str:
    return "query" if what == "query" else "body"


# --- and back -------------------------------------------------------------------------------------


def print_request(request: Request, url: str = "") -> str:
    """Returns the text of a request, with its address if that is given (as it is written already). Raises
    ValueError if no text can say it."""
    if trouble := trouble_with(request):
        raise ValueError(trouble)
    parts = [f"request {request.method} {url}" if url else request.method]
    parts += map(_printed_header, request.headers)
    if request.query:
        parts.append(f"query {_fields(request.query)}")
    if request.kind == "form":
        parts.append(f"form {_fields(request.fields)}")
    elif request.kind in CONTENT_TYPES:
        if request.fields or not request.body.strip() or texts.IMPOSSIBLE.search(request.body):
            raise ValueError("the body is empty or has a character that cannot be written")
        parts.append(f"{request.kind} {_in_quotes(request.body)}")
    elif request.kind or request.body or request.fields:
        raise ValueError("the body has no kind")
    return " ".join(parts)


def _printed_header(header: Header) -> str:
    name = header.name if names.PLAIN.fullmatch(header.name) else texts.quoted(header.name)
    if header.secret and names.trouble_with(header.secret):
        raise ValueError(names.trouble_with(header.secret))
    called = header.secret if names.PLAIN.fullmatch(header.secret) else texts.quoted(header.secret)
    text = texts.quoted(header.text) if header.text or not header.secret else ""
    return " ".join(filter(None, ("header", name, text, f"secret {called}" if header.secret else "")))


def _fields(fields: tuple[tuple[str, str], ...]) -> str:
    if any(texts.IMPOSSIBLE.search(side) for field in fields for side in field):
        raise ValueError("a field of the request has a character that cannot be written")
    return texts.fields_in_braces(fields)


def _in_quotes(text: str) -> str:
    """Returns the text in single quotes if it has double ones and needs no backslash, as most JSON does."""
    single = f"'{text}'"
    if '"' in text and not any(letter in text for letter in "'\\\n\r") and not texts.HIDDEN.search(text):
        return single
    return texts.quoted(text)
