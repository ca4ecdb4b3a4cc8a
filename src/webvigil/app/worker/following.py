"""A version of a page in, the links that sentinels follow out (B7).

Only links in the part of the page that a sentinel watches are followed: whoever watches a list of headlines
follows the headlines, not the imprint. Sentinels that watch the same part share the links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from urllib.parse import urlsplit

from webvigil.app.forbidden import forbidden
from webvigil.app.pages.logins import with_login
from webvigil.app.settings import Settings
from webvigil.app.worker.interests import interest_of
from webvigil.document import PageDigest
from webvigil.document.leads import leads
from webvigil.document.masks import view
from webvigil.errors import WebVigilError
from webvigil.graph.nodes import Interest
from webvigil.model.following import Lead, Limits, PageLinks
from webvigil.model.login import SealedLogin
from webvigil.model.page import Page, normal_url
from webvigil.model.work import DuePage

Forbidden = Callable[[str], str]
"""Returns why a host may not be visited; "" if it may, as far as its name tells."""


@dataclass(frozen=True, slots=True)
class Following:
    """The rules for links: how many are followed, how long a missing link is kept, and to which hosts links
    may lead."""

    most: int = 100
    patience: float = 86_400.0
    forbidden: Callable[[str], str] = lambda _: ""

    @property
    def limits(self) -> Limits:
        return Limits(most=self.most, patience=int(self.patience * 1000))


def following_of(settings: Settings) -> Following:
    return Following(settings.linked_pages, settings.link_patience, partial(forbidden, settings))


def stale_parts(due: DuePage, newest: int) -> dict[str, Interest]:
    """Returns the parts of the page whose links must be read from the newest version, by key."""
    return {
        watch.follows: seen_by(watch.text, watch.level)
        for watch in due.watches
        if watch.follows is not None and due.links.get(watch.follows) != newest
    }


def seen_by(text: str, level: int) -> Interest:
    """Returns the interest of a sentinel in a page that is `level` links away from its own pages."""
    interest = interest_of(text)
    return interest.on_linked_pages if level else interest


def links_in(
    digest: PageDigest,
    page: Page,
    interest: Interest,
    *,
    key: str,
    version: int,
    most: int,
    forbidden: Forbidden = lambda _: "",
    logins: Iterable[SealedLogin] = (),
) -> PageLinks:
    """Returns the links in the part that an interest watches, at most `most`, in the order of the page. A
    part that is missing has no links."""
    found = _pages(digest, page, interest, forbidden, tuple(logins))
    listed = tuple(islice(found, most))
    home = _domain(digest.source_url)
    return PageLinks(
        part=key,
        version=version,
        leads=tuple(Lead(one, _domain(one.url) == home) for one in listed),
        more=next(found, None) is not None,
    )


def _pages(
    digest: PageDigest, page: Page, interest: Interest, forbidden: Forbidden, logins: tuple[SealedLogin, ...]
) -> Iterator[Page]:
    """Yields the linked pages, each once, without the page itself."""
    seen = {page.url, *_spelled([digest.source_url])}
    for url in _spelled(leads(_part(digest, interest))):
        if url not in seen and not forbidden(urlsplit(url).hostname or ""):
            seen.add(url)
            approach = page.approach.way
            yield with_login(Page(url=url, render=page.render, approach=approach), logins)


def _part(digest: PageDigest, interest: Interest) -> PageDigest:
    try:
        return view(digest, interest.part.within, interest.part.ignore)
    except WebVigilError:  # this kind of document has no such parts; the comparison reports that
        return digest


def _spelled(urls: Iterable[str]) -> Iterator[str]:
    """Yields the addresses in their normal spelling. Texts that are no address of a page are left out."""
    for url in urls:
        try:
            yield normal_url(url)
        except ValueError:
            continue


def _domain(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")
