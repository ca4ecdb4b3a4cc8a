"""Requests of the analyser in, answers out, but each form is asked only once in a crawl (S5).

The search field in the head of a site stands on every page of the site. A dry run asks nothing, and remembers
what it would have asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from webvigil.discover.bounds import Ask
from webvigil.discover.crawler.lead import host_of
from webvigil.document.forms import Form
from webvigil.errors import PageRefused
from webvigil.fetch.client import Cookies
from webvigil.model.page import Page
from webvigil.model.version import Answer

# Requests that a dry run remembers for one page.
_MOST_SHOWN = 20


class Asking:
    """Is called like an `Ask`. `known` are the forms of this page that were asked before; asking one again
    raises PageRefused."""

    def __init__(self, ask: Ask, known: Iterable[Form] = (), *, dry_run: bool = False) -> None:
        self._ask = ask
        self._known = [(_target(one), one.method, _names(one)) for one in known]
        self._dry_run = dry_run
        self.would_ask: list[dict[str, Any]] = []

    async def __call__(self, page: Page, cookies: Cookies) -> Answer:
        if self._is_known(page):
            raise PageRefused("this form was asked before, on another page")
        if self._dry_run:
            if len(self.would_ask) < _MOST_SHOWN:
                self.would_ask.append({"method": page.method, "url": page.url, "fields": dict(page.fields)})
            raise PageRefused("nothing is asked in a dry run")
        return await self._ask(page, cookies)

    def _is_known(self, page: Page) -> bool:
        names = {name for name, _ in page.fields}
        how = "GET" if page.method == "GET" else "POST"
        return bool(names) and any(
            (action, method) == (page.url, how) and names <= fields for action, method, fields in self._known
        )


def form_key(form: Form, *, exact: bool = False) -> str:
    """Returns a key that is equal for forms that send the same fields to the same address. An `exact` key
    also tells apart what the page itself has put into hidden fields: there may be a service behind each."""
    hidden = [f"{one.name}={one.value}" for one in form.fields if one.type == "hidden"] if exact else []
    return _digest(form.method, _target(form), *sorted(_names(form)), *sorted(hidden))


def shape_key(form: Form) -> str:
    """Returns a key that is equal for forms with the same fields on one host, wherever they are sent."""
    return _digest(form.method, host_of(form.action), *sorted(_names(form)))


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _target(form: Form) -> str:
    """Returns the address that a form is sent to. With GET, the fields replace the query of the address."""
    return form.action if form.method == "POST" else form.action.partition("?")[0]


def _names(form: Form) -> set[str]:
    return {field.name for field in form.fields if field.name}
