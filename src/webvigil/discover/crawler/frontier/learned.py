"""Learns which words of addresses and links lead to services, while it crawls; hints only help it to start.

Every page visited says of each word in its address, and on the link that led there, whether it came with
something of worth. A word's weight is the logarithm of how much more its pages were worth than pages
usually are: a word that stands everywhere ("www", "index") weighs nothing by itself, one that was often
followed in vain weighs less than a new one. A page that leads to one of worth is worth something, too, so
that lists of services are found and not only services.

Now and then the lead that waits longest is taken, whatever it promises: a crawl that only follows what it
knows never learns another word.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import log
from urllib.parse import unquote

from webvigil.discover.crawler.frontier.hint import weighed
from webvigil.discover.crawler.frontier.promise import Chosen
from webvigil.discover.crawler.lead import Lead

_WORD = re.compile(r"[^\W\d_]{2,24}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_STEM = 5
"""`blastn` and `blasts` say something of `blast`: of a longer word its beginning counts as a word as well."""

_SMOOTHING = 0.1
_BELIEF = 2.0
"""So many pages of the usual worth are imagined for each word, so that one page alone proves little."""
_HANDED_ON = 0.4
"""What a page is worth of what its links are worth; and its source of that, and so on."""
_GENERATIONS = 4
_LOOK_AROUND = 6
"""Every so many pages the one that waits longest. Little is lost by it, see tests/discover."""
_HINT = 4.0
_RESCORED = 25
_REMEMBERED = 20_000


class LearnedFrontier:
    in_order = False

    def __init__(self, hints: Mapping[str, float] | None = None) -> None:
        self._hints = hints or {}
        self._waiting: OrderedDict[str, tuple[Lead, frozenset[str]]] = OrderedDict()
        self._heap: list[tuple[float, int, str]] = []
        self._visited: OrderedDict[str, Lead] = OrderedDict()
        self._good: defaultdict[str, float] = defaultdict(float)
        self._all: Counter[str] = Counter()
        self._worth = 0.0
        self._pages = 0
        self._taken = 0
        self._count = 0
        self._stale = 0

    def add(self, leads: Sequence[Lead]) -> None:
        for lead in leads:
            words = words_of(lead)
            self._waiting[lead.url] = lead, words
            self._push(lead, words)

    def take(self) -> Chosen | None:
        if not self._waiting:
            return None
        self._taken += 1
        if self._taken % _LOOK_AROUND == 0:
            _, (lead, _) = self._waiting.popitem(last=False)
            return Chosen(lead, "to look around")
        if self._stale >= _RESCORED:
            self._rescore()
        while True:
            score, _, url = heappop(self._heap)
            if url in self._waiting:
                lead, words = self._waiting.pop(url)
                return Chosen(lead, self._why(-score, words))

    def learn(self, lead: Lead, worth: float) -> None:
        """What is found is credited to those who led there as well, less with each step."""
        self._remember(lead)
        words = words_of(lead)
        self._pages += 1
        self._all.update(words)
        self._stale += _RESCORED if worth else 1
        if worth:
            self._credit(words, worth)
            self._credit_sources(lead, worth)

    def __len__(self) -> int:
        return len(self._waiting)

    def weight(self, word: str) -> float:
        """Above 0 for a word that promises something, below for one that was often a disappointment."""
        usual = (self._worth + _SMOOTHING) / (self._pages + 1)
        there = (self._good.get(word, 0.0) + _BELIEF * usual) / (self._all[word] + _BELIEF)
        return log(there / usual)

    def _score(self, lead: Lead, words: frozenset[str]) -> float:
        """What promises something adds up; what disappointed counts by its mean, or else a link with many
        words would always be the worst. Hints are believed from the start."""
        weights = [self.weight(word) if self._all[word] else 0.0 for word in words]
        promised = sum(one for one in weights if one > 0)
        disappointed = sum(one for one in weights if one < 0) / (len(weights) or 1)
        hinted = _HINT * sum(weighed(lead, self._hints).values()) if self._hints else 0.0
        return promised + disappointed + hinted

    def _push(self, lead: Lead, words: frozenset[str]) -> None:
        """Among equals the oldest first: breadth before depth."""
        self._count += 1
        heappush(self._heap, (-self._score(lead, words), self._count, lead.url))

    def _rescore(self) -> None:
        self._heap = [
            (-self._score(lead, words), place, url)
            for place, (url, (lead, words)) in enumerate(self._waiting.items())
        ]
        heapify(self._heap)
        self._count = len(self._heap)
        self._stale = 0

    def _credit(self, words: Iterable[str], worth: float) -> None:
        self._worth += worth
        for word in words:
            self._good[word] += worth

    def _credit_sources(self, lead: Lead, worth: float) -> None:
        for _ in range(_GENERATIONS):
            source = self._visited.get(lead.source)
            if source is None or source is lead:
                return
            worth *= _HANDED_ON
            lead = source
            self._credit(words_of(lead), worth)

    def _remember(self, lead: Lead) -> None:
        self._visited[lead.url] = lead
        while len(self._visited) > _REMEMBERED:
            self._visited.popitem(last=False)

    def _why(self, score: float, words: frozenset[str]) -> str:
        seen = [word for word in words if self._all[word] and self.weight(word) > 0]
        best = sorted(seen, key=lambda word: (-self.weight(word), word))[:3]
        return f"words {', '.join(best)} ({score:.1f})" if best else "nothing better known"


def words_of(lead: Lead) -> frozenset[str]:
    """The words of the address and of the link, and the beginnings of long ones."""
    text = f"{unquote(lead.url).partition('://')[2]} {lead.words}"
    words = {word.lower() for word in _WORD.findall(_HUMP.sub(" ", text))}
    return frozenset(words | {word[:_STEM] for word in words if len(word) > _STEM})
