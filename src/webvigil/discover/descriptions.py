"""A page in, the searches that it describes for programs out: OpenSearch and SearchAction.

A site that wants to be searched by programs says how: with a link to an OpenSearch description, or with a
SearchAction in its structured data. Both name an address with a place for the words. Such a search is the
same as a form with one field, and is asked like one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from webvigil.discover.questions import Button, Control, Question
from webvigil.discover.views import Views
from webvigil.document import PageDigest
from webvigil.fetch.client import resolved
from webvigil.model.page import Page
from webvigil.model.version import Answer

OPENSEARCH = "application/opensearchdescription+xml"
# Bounds for what a page may describe.
_MOST = 2
_LARGEST = 100_000
_DEEPEST = 12
_WORDS = re.compile(
    r"\{(?:searchTerms|search_term_string|query|q|search_term|searchterm|search|s)\}", re.IGNORECASE
)
_OTHERS = re.compile(r"\{[^{}]*\}")
_BUTTON = Button(text="search")


class Fetches(Protocol):
    async def fetch(self, page: Page) -> Answer | None: ...


def descriptions_on(digest: PageDigest) -> list[str]:
    """Returns the keys of the descriptions on a page: the addresses of OpenSearch descriptions, and the
    templates of search actions."""
    return [*_linked(digest), *_acted(digest)]


async def described(views: Views, web: Fetches) -> list[Question]:
    """Returns the searches that a page describes, fetching the descriptions."""
    templates = [(template, "SearchAction") for template in _acted(views.digest)]
    for address in _linked(views.digest):
        answer = await web.fetch(Page(url=address))
        templates += [(one, "OpenSearch") for one in _in_opensearch(answer)] if answer else []
    made = (_question(views.digest.url, template, kind) for template, kind in templates[:_MOST])
    return list(dict.fromkeys(one for one in made if one is not None))


def _linked(digest: PageDigest) -> list[str]:
    found = []
    for node in digest.nodes_of("link").tolist()[:200]:
        attributes = digest.attributes(node)
        if attributes.get("type", "").strip().lower() == OPENSEARCH and attributes.get("href"):
            try:
                found.append(resolved(digest.url, attributes["href"]))
            except ValueError:
                continue
    return list(dict.fromkeys(found))[:_MOST]


def _acted(digest: PageDigest) -> list[str]:
    found: list[str] = []
    for node in digest.nodes_of("script").tolist()[:200]:
        if (digest.attribute(node, "type") or "").strip().lower() != "application/ld+json":
            continue
        text = digest.text(node)
        if "SearchAction" in text and len(text) <= _LARGEST:
            try:
                found += _templates(json.loads(text), 0)
            except (ValueError, RecursionError):
                continue
    return list(dict.fromkeys(found))[:_MOST]


def _templates(told: Any, depth: int) -> Iterator[str]:
    """Yields the addresses of all search actions in structured data."""
    if depth > _DEEPEST:
        return
    if isinstance(told, list):
        for one in told:
            yield from _templates(one, depth + 1)
    elif isinstance(told, dict):
        if told.get("@type") == "SearchAction":
            targets = told.get("target")
            for target in targets if isinstance(targets, list) else [targets]:
                address = target.get("urlTemplate") if isinstance(target, dict) else target
                if isinstance(address, str):
                    yield address
        for one in told.values():
            yield from _templates(one, depth + 1)


def _in_opensearch(answer: Answer) -> Iterator[str]:
    """Yields the addresses for people in an OpenSearch description that are asked with GET."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(answer.body[:_LARGEST], parser)
    except (etree.XMLSyntaxError, ValueError):
        return
    for one in root.iter("{*}Url"):
        method = str(one.get("method", "get")).lower()
        if str(one.get("type", "")).lower() in ("text/html", "application/xhtml+xml") and method == "get":
            yield str(one.get("template", ""))


def _question(base: str, template: str, kind: str) -> Question | None:
    """Returns the form that an address with a place for the words stands for, or None if no field takes the
    words or the text is no address."""
    if not _WORDS.search(urlsplit(template).query):
        return None
    try:
        parts = urlsplit(resolved(base, template))
    except ValueError:
        return None
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    controls = [_control(name, value) for name, value in pairs if not _is_left_out(value)]
    action = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
    return Question(place=kind, action=action, method="GET", controls=tuple(controls), buttons=(_BUTTON,))


def _control(name: str, value: str) -> Control:
    if _WORDS.search(value):
        return Control(name=name, kind="search", words=(name, "search"))
    return Control(name=name, kind="hidden", value=value, words=(name,))


def _is_left_out(value: str) -> bool:
    """Tells whether a field has a place for something that is not asked here, such as the number of a
    page."""
    return not _WORDS.search(value) and bool(_OTHERS.search(value))
