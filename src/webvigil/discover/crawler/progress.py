"""The steps of a crawl in, its state out: while it runs, or when it is resumed from recorded steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from webvigil.discover.analysis import FOUND
from webvigil.discover.crawler.frontier import Frontier
from webvigil.discover.crawler.known import Known
from webvigil.discover.crawler.lead import Lead, host_of
from webvigil.discover.crawler.reach import Reach
from webvigil.discover.crawler.steps import Begun, Ended, Failed, Judged, Read, Started, Step

# Forms of one shape on one host after which further ones are left out: with the same answer, and without one.
_SAME_ANSWER = 2
_NO_ANSWER = 4


class Progress:
    """The state of a crawl. It follows from the steps alone, so a resumed crawl has the same state as one
    that was never interrupted."""

    def __init__(self, frontier: Frontier, reach: Reach, seeds: Sequence[Lead]) -> None:
        self.frontier = frontier
        self.known = Known(reach)
        self.pages = 0
        self.probes: Counter[str] = Counter()
        self.found = 0
        self.forms: set[str] = set()
        self._worn: Counter[str] = Counter()
        self.ended: Ended | None = None
        self._under_way: dict[str, Lead] = {}
        self._seeds = self.known.news(seeds)[0]
        frontier.add(self._seeds)

    @classmethod
    def resumed(
        cls, frontier: Frontier, reach: Reach, seeds: Sequence[Lead], steps: Sequence[Step]
    ) -> Progress:
        """Returns the state after these steps.

        A page that was requested but did not arrive is requested again. Forms that were about to be asked are
        not asked again, because nobody knows how far that went.
        """
        came = {step.url for step in steps if isinstance(step, Read | Failed)}
        begun = {step.lead.url: step.lead for step in steps if isinstance(step, Begun)}
        progress = cls(_Without(frontier, came), reach, seeds)
        for step in steps:
            progress.apply(step)
        progress.frontier = frontier
        again = [lead for url, lead in begun.items() if url not in came]
        progress.pages -= len(again)
        progress.known.visits.subtract(lead.host for lead in again)
        progress._under_way.clear()
        return progress

    def apply(self, step: Step) -> None:
        """Updates the state by one step."""
        match step:
            case Begun(lead=lead):
                self.pages += 1
                self.known.visited(lead.host)
                self._under_way[lead.url] = lead
            case Read():
                self._read(step)
            case Failed(url=url):
                self._learn(url, 0.0)
            case Judged(url=url, analyses=analyses):
                self._worn.update(step.worn)
                self.probes[host_of(url)] += sum(int(one.get("probes", 0)) for one in analyses)
                self.found += sum(one.get("outcome") in FOUND for one in analyses)
                self._learn(url, worth_of(analyses))
            case Ended():
                self.ended = step
            case Started():
                pass

    def is_worn(self, shape: str) -> bool:
        """Tells whether forms of a shape gave the same answer twice, or no answer several times."""
        told = ((key.partition(" ")[2], count) for key, count in self._worn.items() if key.startswith(shape))
        return any(count >= (_SAME_ANSWER if answer else _NO_ANSWER) for answer, count in told)

    def _read(self, step: Read) -> None:
        self.forms.update(step.forms)
        self.known.arrived(step.arrived)
        if step.text:
            self.known.saw_text(step.text)
        for lead in step.leads:
            self.known.note(lead)
        self.frontier.add(step.leads)
        if not step.forms:
            self._learn(step.url, 0.0)

    def _learn(self, url: str, worth: float) -> None:
        lead = self._under_way.pop(url, None)
        if lead:
            self.frontier.learn(lead, worth)


def worth_of(analyses: Iterable[dict[str, Any]]) -> float:
    """Returns 1 if a service was found, else 0.

    Crediting a form that was only worth asking led the crawl astray: the first forms of any site are its
    search fields.
    """
    return float(any(one.get("outcome") in FOUND for one in analyses))


class _Without:
    """A frontier that learns from all steps, but does not add leads that were visited already."""

    def __init__(self, frontier: Frontier, visited: set[str]) -> None:
        self.in_order = frontier.in_order
        self._frontier = frontier
        self._visited = visited
        self.take = frontier.take
        self.learn = frontier.learn

    def add(self, leads: Sequence[Lead]) -> None:
        self._frontier.add([lead for lead in leads if lead.url not in self._visited])

    def __len__(self) -> int:
        return len(self._frontier)
