"""Leads in, the next one to visit out: the lead whose words led to services before, learnt while crawling.

Hints only help at the start. Every visited page tells, for each word of its address and of the link that led
there, whether something of worth was found. The weight of a word is the logarithm of how much more its pages
were worth than pages usually are: a word that stands everywhere ("www", "index") weighs nothing, and a word
that was often followed in vain weighs less than a new one. A page that leads to a page of worth is worth
something too, so that lists of services are found and not only services.

Now and then the lead that has waited longest is taken, whatever its words promise: a crawl that only follows
known words never learns new ones.
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
"""Letters. The beginning of a longer word counts as a word as well, so that `blastn` and `blasts` tell
something about `blast`."""

_SMOOTHING = 0.1  # worth that is imagined before anything was found, so that no logarithm of 0 is taken
_BELIEF = 2.0
"""Pages of the usual worth that are imagined for each word, so that one page alone proves little."""
_HANDED_ON = 0.4
"""The share of a page's worth that is credited to the page linking to it, and the same share again to that
page's source."""
# How many sources in a row get credit.
_GENERATIONS = 4
_LOOK_AROUND = 6
"""After so many pages, the lead that has waited longest is taken. tests/discover/test_frontier_comparison.py
shows that this costs little."""
# How much a hint weighs compared with learned words.
_HINT = 4.0
# Visits without a service after which all leads are scored again; a service found triggers it at once.
_RESCORED = 25
# Visited leads that are kept to credit sources; the oldest are dropped.
_REMEMBERED = 20_000


class LearnedFrontier:
    """Scores leads by the words that proved useful so far."""

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
        """Removes and returns the best lead, or now and then the one that has waited longest."""
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
        """Learns from a visited page. A find is also credited to the pages that led there, less with each
        step."""
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
        """Returns the weight of a word: above 0 if it promises something, below 0 if it was often followed in
        vain."""
        usual = (self._worth + _SMOOTHING) / (self._pages + 1)
        there = (self._good.get(word, 0.0) + _BELIEF * usual) / (self._all[word] + _BELIEF)
        return log(there / usual)

    def _score(self, lead: Lead, words: frozenset[str]) -> float:
        """Returns how promising a lead is.

        The weights of promising words add up. Disappointing words count by their mean, because otherwise a
        link with many words would always be the worst. Hints count from the start.
        """
        weights = [self.weight(word) if self._all[word] else 0.0 for word in words]
        promised = sum(one for one in weights if one > 0)
        disappointed = sum(one for one in weights if one < 0) / (len(weights) or 1)
        hinted = _HINT * sum(weighed(lead, self._hints).values()) if self._hints else 0.0
        return promised + disappointed + hinted

    def _push(self, lead: Lead, words: frozenset[str]) -> None:
        """Queues a lead by its score. Of equal leads the oldest comes first, so the crawl goes wide before it
        goes deep."""
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
    """Returns the words of a lead's address and link text, and the beginnings of long words."""
    text = f"{unquote(lead.url).partition('://')[2]} {lead.words}"
    words = {word.lower() for word in _WORD.findall(_HUMP.sub(" ", text))}
    return frozenset(words | {word[:_STEM] for word in words if len(word) > _STEM})
