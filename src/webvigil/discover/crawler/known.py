"""What a crawl has seen: the known addresses, and how often similar addresses and texts occurred (traps).

Addresses are kept as 64-bit hashes, at most `Reach.known` of them, so a site that names ever new addresses
cannot use up the memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from xxhash import xxh3_64_intdigest

from webvigil.discover.crawler.addresses import shape_of, trap_in
from webvigil.discover.crawler.lead import Lead
from webvigil.discover.crawler.reach import Reach

_NUMBERS = re.compile(r"[\d\W_]+")
_SHORT = 200
"""Letters. A shorter text is not enough to recognise two pages as the same."""


class Known:
    """The addresses, shapes of addresses and texts that a crawl has seen, and the visits to each host."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._addresses: set[int] = set()
        self._shapes: Counter[int] = Counter()
        self._texts: Counter[int] = Counter()
        self.visits: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._addresses)

    def news(self, leads: Iterable[Lead]) -> tuple[list[Lead], Counter[str]]:
        """Returns the leads worth keeping, which are known from now on, and why the others were left out."""
        kept: list[Lead] = []
        left_out: Counter[str] = Counter()
        for lead in leads:
            reason = self._against(lead)
            if reason:
                left_out[reason] += 1
            else:
                self.note(lead)
                kept.append(lead)
        return kept, left_out

    def note(self, lead: Lead) -> None:
        number = _hash(lead.url)
        if number not in self._addresses:
            self._addresses.add(number)
            self._shapes[_hash(shape_of(lead.url))] += 1

    def knows(self, url: str) -> bool:
        return _hash(url) in self._addresses

    def arrived(self, url: str) -> None:
        """Notes the address that a redirect led to, so that it is not visited again from elsewhere."""
        if len(self._addresses) < self._reach.known:
            self._addresses.add(_hash(url))

    def visited(self, host: str) -> None:
        self.visits[host] += 1

    def is_full(self, host: str) -> bool:
        return self.visits[host] >= self._reach.pages_per_host

    def saw_text(self, signature: int) -> None:
        self._texts[signature] += 1

    def has_twins(self, signature: int) -> bool:
        """Tells whether so many pages had the same text that another one leads nowhere new."""
        return self._texts[signature] >= self._reach.twins

    def _against(self, lead: Lead) -> str:
        """Returns why a lead is left out, or "" if it is worth keeping."""
        if _hash(lead.url) in self._addresses:
            return "known"
        if lead.depth > self._reach.depth:
            return "too deep"
        if len(self._addresses) >= self._reach.known:
            return "too many addresses"
        if lead.how == "seed":
            return ""
        if trap := trap_in(lead.url):
            return trap
        return "too many alike" if self._shapes[_hash(shape_of(lead.url))] >= self._reach.alike else ""


def text_signature(host: str, title: str, text: str) -> int:
    """Returns a number that is equal for pages of a host with the same text apart from numbers. In a short
    text the numbers count too."""
    letters = _NUMBERS.sub("", text)
    if len(letters) < _SHORT:
        return _hash(f"{host}\0{title}\0{text}")
    return _hash(f"{host}\0{_NUMBERS.sub('', title)}\0{letters}")


def _hash(text: str) -> int:
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))
