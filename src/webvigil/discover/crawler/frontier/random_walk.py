"""Leads in, the next one to visit out: any of them, as a baseline for the other strategies."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from webvigil.discover.crawler.frontier.promise import Chosen
from webvigil.discover.crawler.lead import Lead


class RandomFrontier:
    """Chooses among all leads with equal chance. The same seed on the same web visits the same pages."""

    in_order = False

    def __init__(self, seed: int = 0) -> None:
        self._chance = Random(seed)  # noqa: S311  (no secret)
        self._leads: list[Lead] = []

    def add(self, leads: Sequence[Lead]) -> None:
        self._leads.extend(leads)

    def take(self) -> Chosen | None:
        if not self._leads:
            return None
        place = self._chance.randrange(len(self._leads))
        self._leads[place], self._leads[-1] = self._leads[-1], self._leads[place]
        return Chosen(self._leads.pop(), "at random")

    def learn(self, lead: Lead, worth: float) -> None:
        pass

    def __len__(self) -> int:
        return len(self._leads)
