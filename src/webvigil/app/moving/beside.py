"""A plan of an import in, what each entry's selectors find on its page out: in the other program, and here.

The selectors of the other program are run as that program runs them, on a tree of lxml; ours are run on the
page digest. What only one of them finds is told, in words of the page.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cssselect import SelectorError
from lxml import etree, html

from webvigil.app.moving.formats.found import Selects
from webvigil.app.moving.imports import Plan, Planned
from webvigil.app.operating.stores import repository
from webvigil.app.pages.cache import CacheStore, PageCache
from webvigil.app.pages.documents import document_of
from webvigil.app.pages.fetchers import http_fetcher
from webvigil.app.settings import Settings
from webvigil.document import PageDigest
from webvigil.document.masks import view
from webvigil.errors import WebVigilError
from webvigil.model.page import Page
from webvigil.model.sentinel import Sentinel, WebPage
from webvigil.model.version import Answer

# Pages of a plan that are fetched while its user waits, and words of a difference that are shown.
MOST_PAGES = 50
_SHOWN = 8
_UNREAD = " or ".join(f"ancestor::{name}" for name in ("script", "style", "noscript", "template"))
_WORD = re.compile(r"\w+")


class _Store(CacheStore, Protocol):
    """The parts of the knowledge base that fetching a page once needs."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What both find on a page: the number of words, and those that only one of them finds. `trouble` says
    why the page could not be looked at."""

    name: str
    old: int = 0
    new: int = 0
    only_old: tuple[str, ...] = ()
    only_new: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def words(self) -> str:
        """What differs, in one sentence."""
        if self.trouble:
            return f"not compared on the page: {self.trouble}"
        if not self.only_old and not self.only_new:
            return f"both find the same {self.new} words on the page"
        found = [f"there {self.old} words, here {self.new}"]
        found += [f"only there: {_shown(self.only_old)}"] if self.only_old else []
        found += [f"only here: {_shown(self.only_new)}"] if self.only_new else []
        return "on the page " + "; ".join(found)


def _shown(words: Sequence[str]) -> str:
    more = len(words) - _SHOWN
    return " ".join(words[:_SHOWN]) + (f" … and {more} more" if more > 0 else "")


def beside(knowledge: _Store, settings: Settings, plan: Plan) -> list[Beside]:
    """Fetches the pages of entries with selectors, at most `MOST_PAGES`, and runs both selectors on them."""
    rows = [
        row
        for row in plan.fine
        if row.selectors and isinstance(row.sentinel and row.sentinel.target, WebPage)
    ]
    return (
        asyncio.run(_looked_at(knowledge, settings, rows[:MOST_PAGES]))
        if rows and settings.first_look
        else []
    )


async def _looked_at(knowledge: _Store, settings: Settings, rows: Iterable[Planned]) -> list[Beside]:
    async with http_fetcher(settings) as fetcher:
        cache = PageCache(knowledge, repository(settings, knowledge.versions), fetcher)
        ends = asyncio.get_running_loop().time() + max(settings.first_look, 30)
        return [await _one(cache, row, ends) for row in rows]


async def _one(cache: PageCache, row: Planned, ends: float) -> Beside:
    assert row.sentinel is not None
    assert isinstance(row.sentinel.target, WebPage)
    if row.secrets.headers or row.secrets.cookies:
        return Beside(row.name, trouble="it is seen with a log-in")
    if row.sentinel.render == "browser":
        return Beside(row.name, trouble="it is shown by a browser")
    try:
        async with asyncio.timeout_at(ends):
            answer = await cache.get(Page(url=row.sentinel.target.url))
        return await asyncio.to_thread(compared, row.name, row.selectors, row.sentinel, answer)
    except TimeoutError:
        return Beside(row.name, trouble="it did not come in time")
    except WebVigilError as error:
        return Beside(row.name, trouble=str(error))


def compared(name: str, selectors: Sequence[Selects], sentinel: Sentinel, answer: Answer) -> Beside:
    """Returns what the selectors of the other program and the parts of the sentinel find on one answer."""
    document = document_of(answer)
    try:
        old = _old_words(selectors, answer.body, is_xml=document.kind == "xml")
    except (etree.LxmlError, SelectorError, RecursionError, ValueError, TypeError) as error:
        return Beside(name, trouble=f"its selector cannot be run here ({str(error)[:100]})")
    new = _new_words(document, sentinel)
    return Beside(name, len(old), len(new), _more(old, new), _more(new, old))


def _more(these: list[str], those: list[str]) -> tuple[str, ...]:
    left = Counter(these) - Counter(those)
    return tuple(word for word in dict.fromkeys(these) if word in left)


def _new_words(document: PageDigest, sentinel: Sentinel) -> list[str]:
    within = [one for one in sentinel.within if one.by in ("css", "xpath")]
    ignore = [one for one in sentinel.ignore if one.by in ("css", "xpath")]
    seen = view(document, within, ignore)
    return _WORD.findall(seen.shown.text)


def _old_words(selectors: Sequence[Selects], body: bytes, *, is_xml: bool) -> list[str]:
    """Runs the selectors one after the other. Each that selects reads what is left as a page of its own."""
    roots: list[Any] = [_tree(body, is_xml)]
    first = True
    for do, by, text in _in_order(selectors):
        if do == "remove":
            _remove(roots, by, text)
        elif do == "select" or first:
            whole = roots if first else [_again(roots, is_xml)]
            roots, first = [found for root in whole for found in _select(root, by, text)], False
        else:
            roots += [found for root in whole for found in _select(root, by, text)]
    return [word for root in roots for word in _WORD.findall(_text(root))]


def _in_order(selectors: Sequence[Selects]) -> list[Selects]:
    """Returns the filters in the order in which they act: a program whose filters add up removes first,
    whatever stands first in its file."""
    adds = any(one.do == "also" for one in selectors)
    return sorted(selectors, key=lambda one: one.do != "remove") if adds else list(selectors)


def _again(roots: list[Any], is_xml: bool) -> Any:
    """Returns what was found as a page of its own, as a chain of filters hands it on."""
    found = [root if isinstance(root, str) else etree.tostring(root, encoding="unicode") for root in roots]
    inner = "".join(found)
    return _tree(
        (f"<root>{inner}</root>" if is_xml else f"<html><body>{inner}</body></html>").encode(), is_xml
    )


def _tree(body: bytes, is_xml: bool) -> Any:
    if is_xml:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
        root = etree.fromstring(body, parser)
        if root is None:
            raise ValueError("there is nothing to select from")
        return root
    return html.document_fromstring(body)


def _select(root: Any, by: str, text: str) -> list[Any]:
    if isinstance(root, str):
        return []
    found = root.cssselect(text) if by == "css" else root.xpath(text)
    return found if isinstance(found, list) else [str(found)]


def _remove(roots: list[Any], by: str, text: str) -> None:
    for root in roots:
        for one in _select(root, by, text):
            if not isinstance(one, str) and one.getparent() is not None:
                one.drop_tree() if hasattr(one, "drop_tree") else one.getparent().remove(one)


def _text(root: Any) -> str:
    if isinstance(root, str):
        return root
    return " ".join(root.xpath(f"descendant-or-self::*/text()[not({_UNREAD})]"))
