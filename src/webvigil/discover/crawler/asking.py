"""Requests of the analyser in, answers out, but each form is asked only once in a crawl (S5).

The search field in the head of a site stands on every page of the site. A dry run asks nothing, and remembers
what it would have asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from webvigil.discover.bounds import Ask
from webvigil.document.forms import Form
from webvigil.errors import PageRefused
from webvigil.model.page import Page
from webvigil.model.version import Answer

# Requests that a dry run remembers for one page.
_MOST_SHOWN = 20


class Asking:
    """Is called like an `Ask`. `known` are the forms of this page that were asked before; asking one again
    raises PageRefused."""

    def __init__(self, ask: Ask, known: Iterable[Form] = (), *, dry_run: bool = False) -> None:
        self._ask = ask
        self._known = [(one.action, one.method, _names(one)) for one in known]
        self._dry_run = dry_run
        self.would_ask: list[dict[str, Any]] = []

    async def __call__(self, page: Page) -> Answer:
        if self._is_known(page):
            raise PageRefused("this form was asked before, on another page")
        if self._dry_run:
            if len(self.would_ask) < _MOST_SHOWN:
                self.would_ask.append({"method": page.method, "url": page.url, "fields": dict(page.fields)})
            raise PageRefused("nothing is asked in a dry run")
        return await self._ask(page)

    def _is_known(self, page: Page) -> bool:
        names = {name for name, _ in page.fields}
        return any(
            (action, method) == (page.url, page.method) and names <= fields
            for action, method, fields in self._known
        )


def form_key(form: Form) -> str:
    """Returns a key that is equal for forms that send the same fields to the same address."""
    parts = "\0".join([form.method, form.action, *sorted(_names(form))])
    return blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _names(form: Form) -> set[str]:
    return {field.name for field in form.fields if field.name}
