"""A page in, the leads on it out: links, areas of a map, frames, and the target of a refresh.

A page can ask robots not to follow its links, all of them or a single one; such links are left out. So are
links that may do something as soon as they are followed: log out, delete, vote (S5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from webvigil.discover.crawler.addresses import is_no_page, plain_address
from webvigil.discover.crawler.lead import How, Lead
from webvigil.discover.manners import acts_at_once
from webvigil.document import PageDigest
from webvigil.document.links import absolute
from webvigil.model.version import Answer

_LONGEST_WORDS = 120  # characters kept of a link's text
_REFRESH = re.compile(r"^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?['\"]?([^'\"]+)", re.IGNORECASE)
_HOW: dict[str, How] = {"a": "link", "area": "area", "frame": "frame", "iframe": "frame"}


def leads_on(digest: PageDigest, answer: Answer, *, source: Lead, most: int) -> list[Lead]:
    """Returns the first `most` addresses on a page, in the order of the page, each once."""
    if not digest.is_html or _asks_us_not_to(digest, answer):
        return []
    found: dict[str, Lead] = {}
    for lead in islice(_leads(digest, source), most * 4):
        found.setdefault(lead.url, lead)
        if len(found) >= most:
            break
    return list(found.values())


def _leads(digest: PageDigest, source: Lead) -> Iterator[Lead]:
    for node, how, written in _named(digest):
        url = _followed(absolute(digest.url, written))
        words = "" if node is None else _words(digest, node)
        if url and not acts_at_once(words, url):
            yield Lead(url=url, source=source.url, how=how, words=words, depth=source.depth + 1)


def _named(digest: PageDigest) -> Iterator[tuple[int | None, How, str]]:
    """Yields the node, the kind and the written address of everything on a page that leads elsewhere."""
    for node in digest.nodes_of("meta").tolist():
        if (digest.attribute(node, "http-equiv") or "").strip().lower() == "refresh":
            found = _REFRESH.match(digest.attribute(node, "content") or "")
            if found:
                yield None, "refresh", found[1]
    for node in digest.nodes_of(*_HOW).tolist():
        how = _HOW[digest.tag(node)]
        written = digest.attribute(node, "src" if how == "frame" else "href")
        if written and "nofollow" not in (digest.attribute(node, "rel") or "").lower().split():
            yield node, how, written


def _followed(url: str) -> str:
    """Returns the address in its one spelling, or "" if it is no page of the web."""
    try:
        plain = plain_address(url) if url else ""
    except ValueError:
        return ""
    return "" if is_no_page(plain) else plain


def _words(digest: PageDigest, node: int) -> str:
    """Returns the visible text of a link, or its description."""
    attributes = digest.attributes(node)
    said = (
        digest.text(node) or attributes.get("alt") or attributes.get("title") or attributes.get("name") or ""
    )
    return " ".join(said.split())[:_LONGEST_WORDS]


def _asks_us_not_to(digest: PageDigest, answer: Answer) -> bool:
    """Tells whether the page asks robots not to follow any of its links."""
    asked = answer.header("x-robots-tag") or ""
    for node in digest.nodes_of("meta").tolist():
        if (digest.attribute(node, "name") or "").strip().lower() in ("robots", "webvigil"):
            asked += "," + (digest.attribute(node, "content") or "")
    return bool({"nofollow", "none"} & {one.strip().lower() for one in asked.split(",")})
