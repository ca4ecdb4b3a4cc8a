"""Leads in, the next one to visit out: the seeds in their order, to repeat a recorded crawl."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from webvigil.discover.crawler.frontier.promise import Chosen
from webvigil.discover.crawler.lead import Lead


class TraceFrontier:
    """Takes the seeds in their order and ignores all other leads."""

    in_order = True

    def __init__(self) -> None:
        self._leads: deque[Lead] = deque()

    def add(self, leads: Sequence[Lead]) -> None:
        self._leads.extend(lead for lead in leads if lead.how == "seed")

    def take(self) -> Chosen | None:
        return Chosen(self._leads.popleft(), "as recorded") if self._leads else None

    def learn(self, lead: Lead, worth: float) -> None:
        pass

    def __len__(self) -> int:
        return len(self._leads)
