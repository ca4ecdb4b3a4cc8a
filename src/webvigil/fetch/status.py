"""A page address in, a small document about its state out: up or down, status, address, certificate.

The document is kept and compared like any page, so that the state has versions and changes. A page that
cannot be reached, or answers with an error, is a state like another one and no failure of the look. What the
operator or robots.txt forbids is a failure, as for every page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from html import escape
from http import HTTPStatus
from urllib.parse import urlsplit

from webvigil.errors import CertificateRefused, PageUnreachable
from webvigil.fetch.client import Asks, Reply
from webvigil.fetch.conditional import asked
from webvigil.fetch.login import Login
from webvigil.model.page import Page
from webvigil.model.version import Answer

# A certificate that ends within this time is told to end soon: most are renewed a month before their end.
SOON = timedelta(days=14)
_HEADERS = (("Content-Type", "text/html; charset=utf-8"),)

Facts = Iterable[tuple[str, str]]


async def state_of(
    client: Asks,
    page: Page,
    login: Login | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> tuple[Answer, int, int]:
    """Returns the document, the status of the answer (0 for none) and the bytes that came."""
    try:
        reply = await client.ask(asked(page, login))
    except (PageUnreachable, CertificateRefused) as error:
        return down(page.url, str(error)), 0, 0
    ends = client.certificates.get(urlsplit(reply.answer.url).hostname or "")
    secure = reply.answer.url.startswith("https:")
    return (
        _document(page.url, _facts(reply, ends if secure else None, now())),
        reply.answer.status,
        reply.received,
    )


def down(url: str, reason: str) -> Answer:
    """Returns the document about a page that does not answer."""
    return _document(url, [("state", "down"), ("reason", reason)])


def _facts(reply: Reply, ends: datetime | None, now: datetime) -> Facts:
    status = reply.answer.status
    yield "state", "up" if status < 400 else "down"
    yield "status", f"{status} {_phrase(status)}".strip()
    yield "address", reply.answer.url
    if ends:
        yield "certificate", f"{_validity(ends, now)} {ends:%Y-%m-%d}"


def _validity(ends: datetime, now: datetime) -> str:
    return "ends soon:" if ends - now < SOON else "valid until"


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _document(url: str, facts: Facts) -> Answer:
    rows = "\n".join(
        f'<tr><th>{name.capitalize()}</th><td data-status="{name}">{escape(text)}</td></tr>'
        for name, text in facts
    )
    title = escape(f"State of {url}")
    body = f"<!doctype html>\n<title>{title}</title>\n<table>\n<caption>{title}</caption>\n{rows}\n</table>\n"
    return Answer(url=url, status=200, headers=_HEADERS, body=body.encode())
