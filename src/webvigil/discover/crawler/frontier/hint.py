"""Leads in, the next one to visit out: the lead with the most and heaviest hints (ROC 2.5.3).

Of leads with equal hints the newest comes first, so that a promising trail is followed to its end. Of leads
without hints the oldest comes first: nothing tells which is better, and following the newest would spend the
whole crawl on a single site.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from urllib.parse import unquote

from webvigil.discover.crawler.frontier.promise import Chosen
from webvigil.discover.crawler.lead import Lead
from webvigil.errors import SettingRefused

_IN_ADDRESS, _IN_WORDS = 1.0, 0.5
"""A hint in the address counts more than one in the words of the link: the author of the target chose its
address, but anybody may write anything on a link."""


class HintFrontier:
    """Takes leads with hints first, the heaviest first of all."""

    in_order = False

    def __init__(self, hints: Mapping[str, float]) -> None:
        self._hints = hints
        self._heap: list[tuple[float, int, Lead]] = []
        self._others: deque[Lead] = deque()
        self._count = 0

    def add(self, leads: Sequence[Lead]) -> None:
        for lead in leads:
            score = sum(weighed(lead, self._hints).values())
            if score > 0:
                self._count += 1
                heappush(self._heap, (-score, -self._count, lead))
            else:
                self._others.append(lead)

    def take(self) -> Chosen | None:
        if self._heap:
            lead = heappop(self._heap)[2]
            return Chosen(lead, "hint " + ", ".join(weighed(lead, self._hints)))
        return Chosen(self._others.popleft(), "no hint left") if self._others else None

    def learn(self, lead: Lead, worth: float) -> None:
        pass

    def __len__(self) -> int:
        return len(self._heap) + len(self._others)


def hints_of(written: Iterable[str]) -> dict[str, float]:
    """Reads hints, each `blast` or `blast=3`: a word and its weight. Raises SettingRefused for anything
    else."""
    found: dict[str, float] = {}
    for one in written:
        word, sign, weight = one.strip().lower().rpartition("=")
        if not sign:
            word, weight = weight, "1"
        try:
            found[word.strip()] = float(weight)
        except ValueError as error:
            raise SettingRefused(
                f"{one!r} is no hint; write a word, or WORD=WEIGHT such as blast=3"
            ) from error
        if not word.strip() or not 0 < found[word.strip()] <= 1_000:
            raise SettingRefused(f"{one!r} is no hint; a hint is a word, and its weight is above 0")
    return found


def weighed(lead: Lead, hints: Mapping[str, float]) -> dict[str, float]:
    """Returns the hints that a lead contains, each with its weight there."""
    address, words = unquote(lead.url).lower(), lead.words.lower()
    found = {word: weight * _place(word, address, words) for word, weight in hints.items()}
    return {word: weight for word, weight in found.items() if weight}


def _place(word: str, address: str, words: str) -> float:
    return _IN_ADDRESS * (word in address) + _IN_WORDS * (word in words)
