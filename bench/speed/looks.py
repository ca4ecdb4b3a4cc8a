"""What a worker does with two versions of a page for a sentinel, as jobs for `hostile.py`.

a look: KIND         one watch: what changed is found, made quiet, weighed by habits, named and reported
a look: nine types   nine watches of the nine classic types at once
judging              whether the new answer is the page at all
keeping              the answer as a new version after the old one, and its packed digest
following            the links that a sentinel follows
what is missing      whether what a sentinel watches is on the page
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

from webvigil.app.pages.documents import Digests
from webvigil.app.worker.announce import changes_of
from webvigil.app.worker.evaluate import Evaluator
from webvigil.app.worker.following import links_in
from webvigil.app.worker.habits import Memory
from webvigil.app.worker.interests import interest_of
from webvigil.document import PageDigest
from webvigil.document.naming import title_of
from webvigil.errors import WebVigilError
from webvigil.fetch.suspicion import LastGood, first_suspicion, lost_product, suspicion_of
from webvigil.graph.missing import missing_places
from webvigil.model.page import Page
from webvigil.model.version import Answer
from webvigil.model.work import DuePage, Watch
from webvigil.rules.fetch import due_watches
from webvigil.store.objects.memory import MemoryObjects
from webvigil.store.repository import PageRepository
from webvigil.trigger.clock import Apart

Job = Callable[[PageDigest, PageDigest], object]
URL = "https://example.org/"
_TEXT = "Create Sentinel s{number} Using {url}\n{clauses}\nFetch 1 hour\nNotify By log\n"
CLASSIC = (
    "any change",
    "all links",
    "all images",
    "all words",
    "keywords: {a, b, word}",
    "phrase: {a b a}",
    "table: {1}",
    "list: {1}",
    r"regular expression: {\w+ \w+}",
)
OTHERS = (
    "content",
    "content any order",
    "all words by loctags",
    "product variants",
    "appearance",
    "comments",
    "attributes",
    "layout",
    'value css "p"',
    r'value regex "\d+"',
)
CLAUSES = {
    **{kind: f"Monitor {kind}" for kind in (*CLASSIC, *OTHERS)},
    "within main": "Monitor any change\nWithin main",
    "only new": "Monitor any change\nOnly new",
    "quiet but for one": 'Monitor any change\nQuiet on except css "p"',
}


def _due(clauses: tuple[str, ...]) -> DuePage:
    watches = tuple(
        Watch(
            sentinel=number,
            user="jill",
            name=f"s{number}",
            text=_TEXT.format(number=number, url=URL, clauses=one),
            interval=3_600_000,
            next_at=0,
            reference=1,
        )
        for number, one in enumerate(clauses)
    )
    return DuePage(
        id=1, page=Page(url=URL), due=0, asked=1, failures=0, latest=None, validators={}, watches=watches
    )


def _looked(clauses: tuple[str, ...], old: PageDigest, new: PageDigest) -> None:
    """Does all that a worker does with a new version for these watches, but for the store."""
    due, digests = _due(clauses), {1: old, 2: new}
    memory = Memory(apart=lambda _old, _new: Apart(3600, 3700, 43_200), latest=1)
    compared = Evaluator().compare(due, due_watches(due.watches, now=1), 2, digests.__getitem__, memory)
    memory.learnt()
    changes_of(due, compared, datetime(2026, 1, 1, tzinfo=UTC), title=lambda: title_of(new))


def _followed(old: PageDigest, new: PageDigest) -> None:
    text = _TEXT.format(number=1, url=URL, clauses="Monitor any change")
    links_in(new, Page(url=URL), interest_of(text), key="", version=2, most=1000)


def _missed(old: PageDigest, new: PageDigest) -> None:
    for clauses in CLAUSES.values():
        interest = interest_of(_TEXT.format(number=1, url=URL, clauses=clauses))
        with suppress(WebVigilError):
            missing_places(new, interest.part, tuple(node.change for node in interest.changes))


LOOKS: dict[str, Job] = {
    "a look: nine types": partial(_looked, tuple(f"Monitor {kind}" for kind in CLASSIC)),
    **{f"a look: {name}": partial(_looked, (clauses,)) for name, clauses in CLAUSES.items()},
    "following": _followed,
    "what is missing": _missed,
}


def of_answers(before: Answer, after: Answer) -> dict[str, Job]:
    """Returns the jobs that also need the bytes of both versions."""

    def judged(old: PageDigest, new: PageDigest) -> None:
        first_suspicion(after, new)
        suspicion_of(after, new, LastGood(old, lambda: before.body))
        lost_product(old, new)

    def kept(old: PageDigest, new: PageDigest) -> None:
        pages = PageRepository(MemoryObjects())
        first = pages.keep(before)
        second = pages.keep(after, after=first.object)
        Digests(pages).keep(second.object, after, new)

    return {"judging": judged, "keeping": kept}
