"""A page by the address a person types: as everybody sees it, as this user sees it, or rendered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from webvigil.app.logins import with_login
from webvigil.errors import NotFound
from webvigil.model.page import Page, normal_url
from webvigil.store.promises import Knowledge


def page_of(knowledge: Knowledge, user: str, url: str) -> int:
    """The id of a watched page; NotFound where there is none. ValueError: no address of a page."""
    for page in _spellings(knowledge, user, normal_url(url)):
        with suppress(NotFound):
            return knowledge.versions.page_id(page)
    raise NotFound(f"nobody watches {url}")


def _spellings(knowledge: Knowledge, user: str, url: str) -> Iterator[Page]:
    known = knowledge.logins.all(user)
    for plain in (Page(url=url), Page(url=url, render="browser")):
        mine = with_login(plain, known)
        yield mine
        if mine != plain:
            yield replace(mine, login="")
