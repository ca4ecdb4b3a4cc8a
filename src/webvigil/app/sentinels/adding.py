"""A page that somebody wants to watch in, what a form offers for it out: intervals, contacts, a name (U8).

The dashboard, the API and through it the browser extension offer the same, in the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from webvigil.app.pages.logins import with_login
from webvigil.app.sentinels.fields import Fields, ways_to_tell, with_fields
from webvigil.app.sentinels.names import free_name, name_of_page
from webvigil.app.sentinels.offers import Offer
from webvigil.app.sentinels.pick import Kind, Picked, kinds, picked
from webvigil.app.sentinels.request_fields import target_of
from webvigil.document import PageDigest
from webvigil.errors import NotFound
from webvigil.language import parse_request, parse_steps, print_sentinel
from webvigil.model.approach import PLAIN, Approach
from webvigil.model.page import Page
from webvigil.model.sentinel import Contact, Sentinel
from webvigil.model.wanted import WantedSentinels
from webvigil.rules.install import Fetching, page_of_request
from webvigil.store.promises import Contacts, Logins, Sentinels

Render = Literal["", "browser"]
EVERY = {
    "on change": "when it tends to change (recommended)",
    "5 minute": "every 5 minutes",
    "1 hour": "every hour",
    "6 hour": "every 6 hours",
    "1 day": "every day",
    "1 week": "every week",
}
ABOUT = {
    "main": "What people come for. Menu, footer and advertising are left out.",
    "page": "Everything, even the menu and the footer.",
    "document": "Everything that is in it.",
    "table": "Tells row by row: new, gone, changed.",
    "list": "Tells new and gone entries.",
    "value": "Draws the value over time.",
    "prices": "Tells which one rose or fell, by how much, and draws each over time.",
    "product": "Tells price and availability, draws the price over time.",
}
"""What it means to watch something of a kind (`Offer.kind`)."""
# The first of these kinds that is offered is recommended.
_RECOMMENDED = ("product", "prices", "main")
# In a page as a browser sends it, the number by which the browser knows an element.
MARK = "data-wv-at"
_LONGEST_NUMBER = 8


def recommended(offers: tuple[Offer, ...]) -> str:
    """Returns the kind of offer that suits most people; "" for none."""
    return next((one.kind for one in offers if one.kind in _RECOMMENDED), "")


def as_seen(
    logins: Logins, user: str, url: str, render: Render = "", steps: str = "", asking: str = ""
) -> Page:
    """Returns the page as a sentinel of this user would fetch it, with the user's log-in for it if there is
    one. Raises MistakeInText for steps or a request that cannot be read."""
    taken = parse_steps(steps)
    approach = Approach(steps=taken) if taken else PLAIN
    engine: Literal["http", "browser"] = "browser" if taken or render == "browser" else "http"
    page = page_of_request(url, parse_request(asking), Fetching(engine, approach))
    return with_login(page, logins.all(user))


def wished_name(sentinels: Sentinels, user: str, title: str, url: str) -> str:
    """Returns a free name for a sentinel, made from the title of the page or else from its address."""
    return free_name(sentinels, user, name_of_page(title, url))


def wished_topic(sentinels: Sentinels, user: str, url: str) -> str:
    """Returns the topic of the newest sentinel on the same site; "" if there is none."""
    host = urlsplit(url).hostname or ""
    found = sentinels.some(WantedSentinels(user=user, words=host, limit=5)) if host else []
    return next((one.topic for one in found if one.topic), "")


def ways_of(contacts: Contacts, user: str) -> dict[str, str]:
    """Returns the texts by which the user's contacts are named in a form, each with its meaning."""
    known = contacts.all(user)
    return ways_to_tell(Contact(one.channel, one.address) for one in known if one.channel != "feed")


def composed(url: str, name: str, fields: Fields, render: Render = "") -> str:
    """Returns the text of a sentinel on one page, as a form describes it. Raises MistakeInText for a field
    that cannot be read."""
    bare = Sentinel(name=name.strip() or "new", target=target_of((url,), ""))
    return print_sentinel(replace(with_fields(bare, fields), render=render or None))


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page as a browser shows it, whose elements carry the numbers by which the browser knows them."""

    digest: PageDigest

    def kinds(self) -> dict[int, Kind]:
        """Returns, by the browser's number, what a click on each element means."""
        meant = kinds(self.digest)
        return {at: meant[node] for node, at in self._numbers() if node in meant}

    def picked(self, at: int) -> Picked:
        """Returns what a click on the element may mean. Raises NotFound if no element has this number."""
        found = next((node for node, number in self._numbers() if number == at), None)
        if found is None:
            raise NotFound("the page has no such element")
        return picked(self.digest, found)

    def _numbers(self) -> Iterator[tuple[int, int]]:
        """Yields each node that carries a number, with the number."""
        digest = self.digest
        for row in digest.rows_of(MARK).tolist():
            said = digest.attribute_values[int(digest.attribute_value[row])]
            if said.isascii() and said.isdigit() and len(said) <= _LONGEST_NUMBER:
                yield int(digest.attribute_node[row]), int(said)
