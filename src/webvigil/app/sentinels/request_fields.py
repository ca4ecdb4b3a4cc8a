"""The fields of a form about a request in, the request as text and as a target out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl

from webvigil.language import parse_request
from webvigil.language.requests import print_request
from webvigil.model.request import PLAIN_REQUEST, Header, Request
from webvigil.model.sentinel import RequestPage, SeveralTargets, Target, WebPage

# A header that ends with the name of a secret in braces: `Authorization: Bearer {token}`.
_WITH_SECRET = re.compile(r"(.*)\{([\w.-]+)\}", re.DOTALL)


def asking_text(method: str, headers: str, kind: str, body: str) -> str:
    """Returns the text of a request from the fields of a form; "" for a request with nothing special about
    it. `headers` are lines `Name: value`; the fields of a form in the body are lines `name=value`. Raises
    ValueError, with a sentence for the user, for a request that cannot be sent."""
    has_body = bool(kind and body.strip())
    fields = tuple(_fields(body)) if kind == "form" else ()
    said: Any = {"kind": kind, "fields": fields, "body": "" if kind == "form" else body} if has_body else {}
    said |= {"method": method or "GET", "headers": tuple(map(_header, _lines(headers)))}
    request = Request(**said)
    return print_request(request) if request != PLAIN_REQUEST else ""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _header(line: str) -> Header:
    name, found, value = line.partition(":")
    if not found:
        raise ValueError(f"{line[:40]!r} is no header; write Name: value")
    secret = _WITH_SECRET.fullmatch(value.strip())
    return Header(name.strip(), secret[1], secret[2]) if secret else Header(name.strip(), value.strip())


def _fields(body: str) -> Iterator[tuple[str, str]]:
    for line in _lines(body):
        if "=" not in line:
            raise ValueError(f"{line[:40]!r} is no field; write name=value, one on a line")
        yield from parse_qsl(line, keep_blank_values=True) if "&" in line else [_pair(line)]


def _pair(line: str) -> tuple[str, str]:
    name, _, value = line.partition("=")
    return name.strip(), value.strip()


def target_of(urls: Sequence[str], asking: str) -> Target:
    """Returns the target for these addresses, each asked for by the request of a text. Raises MistakeInText
    for a text that is no request."""
    request = parse_request(asking) if asking.strip() else None
    pages = tuple(RequestPage(one, request) if request else WebPage(one) for one in urls)
    return pages[0] if len(pages) == 1 else SeveralTargets("OR", pages)
