"""A look, a trouble and a request in, an answer out, without a socket."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import formatdate, parsedate_to_datetime
from http import HTTPStatus

from tests.site.coding import accepted, coded, content_encoding
from tests.site.log import Request
from tests.site.look import Digest, Framing, Look
from tests.site.trouble import Trouble

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: int
    headers: Headers = ()
    body: bytes = b""
    framing: Framing = "length"


def answer(look: Look, trouble: Trouble, request: Request) -> Answer:
    """Returns the answer to a request. A trouble with a status comes first, then the guards, then the
    page."""
    if trouble.status is not None:
        return bare(trouble.status, trouble.headers, trouble.body)
    for guard in look.guards:
        if refusal := guard(request):
            return bare(refusal.status, refusal.headers)
    if request.method not in look.methods:
        return bare(405, (("Allow", ", ".join(look.methods)),))
    return _page(look, trouble, request)


def bare(status: int, headers: Headers = (), body: bytes = b"") -> Answer:
    """Returns an answer that is not the page: a status with a short body."""
    said = body or f"<h1>{status} {HTTPStatus(status).phrase}</h1>".encode()
    return Answer(status=status, headers=(("Content-Type", "text/html; charset=utf-8"), *headers), body=said)


def _page(look: Look, trouble: Trouble, request: Request) -> Answer:
    plain = _plain(look, request)
    validators = dict(_validators(look, plain, request))
    if look.conditional and _unchanged(validators, request):
        return Answer(status=304, headers=(*validators.items(), *look.headers))
    coding, body = _coded(look, plain, request)
    headers = (*_described(look), *coding, *validators.items(), *_digests(look, body), *look.headers)
    return Answer(status=200, headers=(*headers, *trouble.headers), body=body, framing=look.framing)


def _plain(look: Look, request: Request) -> bytes:
    if look.packed is not None:
        return look.packed
    content = look.content(request) if callable(look.content) else look.content
    return content if isinstance(content, bytes) else content.encode(look.charset, "xmlcharrefreplace")


def _described(look: Look) -> Headers:
    if look.media_type is None:
        return ()
    charset = f"; charset={look.declared}" if look.declared else ""
    return (("Content-Type", look.media_type + charset),)


def _coded(look: Look, plain: bytes, request: Request) -> tuple[Headers, bytes]:
    if not look.codings:
        return (), plain
    vary = ("Vary", "Accept-Encoding")
    if not (look.forced or accepted(look.codings, request.headers.get("Accept-Encoding", ""))):
        return (vary,), plain
    body = coded(plain, look.codings) if look.packed is None else look.packed
    return (("Content-Encoding", content_encoding(look.codings)), vary), body


def _validators(look: Look, plain: bytes, request: Request) -> Iterator[tuple[str, str]]:
    digest = hashlib.blake2b(plain, digest_size=8).hexdigest()
    match look.validators:
        case "both" | "etag":
            yield "ETag", f'"{digest}-{look.touched}"'
        case "weak-etag":
            yield "ETag", f'W/"{digest}-{look.touched}"'
        case "etag-noise":
            yield "ETag", f'"{digest}-{request.number}"'
        case "lying-etag":
            yield "ETag", '"always-the-same"'
    match look.validators:
        case "both" | "last-modified":
            yield "Last-Modified", formatdate(look.modified, usegmt=True)
        case "lying-last-modified":
            yield "Last-Modified", "Mon, 01 Jan 2001 00:00:00 GMT"


def _unchanged(validators: dict[str, str], request: Request) -> bool:
    """Tells whether the client has this version. If-None-Match is compared weakly and outranks
    If-Modified-Since."""
    etag, modified = validators.get("ETag"), validators.get("Last-Modified")
    asked = request.headers.get("If-None-Match")
    if asked is not None:
        tags = [tag.strip().removeprefix("W/") for tag in asked.split(",")]
        return etag is not None and ("*" in tags or etag.removeprefix("W/") in tags)
    since = request.headers.get("If-Modified-Since")
    return since is not None and modified is not None and _not_after(modified, since)


def _not_after(modified: str, since: str) -> bool:
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except (TypeError, ValueError):
        return False  # a date that cannot be read is ignored


def _digests(look: Look, body: bytes) -> Iterator[tuple[str, str]]:
    sha256 = base64.b64encode(hashlib.sha256(body).digest()).decode()
    forms: dict[Digest, tuple[str, str]] = {
        "content-md5": ("Content-MD5", base64.b64encode(hashlib.md5(body).digest()).decode()),
        "digest": ("Digest", f"sha-256={sha256}"),
        "content-digest": ("Content-Digest", f"sha-256=:{sha256}:"),
        "repr-digest": ("Repr-Digest", f"sha-256=:{sha256}:"),
    }
    return (header for name, header in forms.items() if name in look.digests)
