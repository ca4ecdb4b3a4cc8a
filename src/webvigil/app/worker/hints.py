"""A changed feed or sitemap in, the watched pages that it newly names out (F8).

An entry of a feed is an address and a date. A new entry, or one with another date, means that its page has
changed. If that page is watched, it is looked at now instead of when its time comes. If it is watched on
change, its best-effort rule decides how much the hint is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Protocol

from webvigil.document import PageDigest
from webvigil.errors import NotFound
from webvigil.fetch.client import resolved
from webvigil.model.page import Page
from webvigil.pace.pacing import Pacing
from webvigil.store.promises import Paces, Schedule, Versions

_ENTRIES = ("url", "item", "entry")
_ADDRESSES = ("loc", "link", "guid")
_DATES = ("lastmod", "pubDate", "updated", "dc:date", "published")
# Hints that one version of a feed may give.
_MOST = 1000


class HintStore(Protocol):
    """The parts of the knowledge base that hints to the pacing need."""

    paces: Paces
    schedule: Schedule
    versions: Versions


def spoken_of(old: PageDigest | None, new: PageDigest) -> list[str]:
    """Returns the addresses whose entry is new or has changed. A first version gives none, because nothing is
    known to be new."""
    if old is None or new.kind != "xml":
        return []
    before = set(entries(old))
    return list(dict.fromkeys(address for address, date in entries(new) if (address, date) not in before))


def entries(digest: PageDigest) -> Iterator[tuple[str, str]]:
    """Yields address and date of each entry of a feed or sitemap; the date is "" if there is none."""
    for node in digest.nodes_of(*_ENTRIES).tolist():
        address = date = ""
        for child in digest.children(node):
            tag = digest.tag(child)
            if tag in _ADDRESSES and not address:
                address = _address(digest, child)
            elif tag in _DATES and not date:
                date = digest.text(child).strip()
        if address:
            yield address, date


def give_hints(knowledge: HintStore, addresses: list[str], source: str, pacing: Pacing | None = None) -> int:
    """Gives a hint to each watched page at these addresses, and returns how many pages got one."""
    asked, why = 0, f"a hint of {source}"[:40]
    for address in addresses[:_MOST]:
        for page in (Page(url=address), Page(url=address, render="browser")):
            with suppress(NotFound):
                _hint(
                    knowledge.paces,
                    knowledge.schedule,
                    knowledge.versions.page_id(page),
                    page.host,
                    why,
                    pacing or Pacing(),
                )
                asked += 1
    return asked


def _hint(paces: Paces, schedule: Schedule, page: int, host: str, why: str, pacing: Pacing) -> None:
    kept = paces.get(page)
    if kept is None:
        schedule.ask(page, why)
    else:
        paces.hint(page, pacing.hinted(kept, schedule.now(), host=host), why)


def _address(digest: PageDigest, node: int) -> str:
    if (digest.attribute(node, "rel") or "alternate") != "alternate":
        return ""
    try:
        return resolved(digest.url, digest.attribute(node, "href") or digest.text(node).strip())
    except ValueError:
        return ""
