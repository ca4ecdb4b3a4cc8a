"""Helpers that crawl sites on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.fetch.fetching import LOOPBACK
from webvigil.discover.analysis import Analysis
from webvigil.discover.bounds import Ask, Bounds
from webvigil.discover.crawler.crawl import Crawl, Wanted, Watch
from webvigil.discover.crawler.steps import Begun, Ended, Failed, Judged, Read, Step
from webvigil.discover.crawler.trail import MemoryTrail, Trail
from webvigil.discover.crawler.web import PoliteWeb
from webvigil.discover.description import Flow, ServiceClass, State
from webvigil.document import read
from webvigil.errors import PageError
from webvigil.fetch.client import Cookies
from webvigil.fetch.http import HttpFetcher
from webvigil.model.page import Page
from webvigil.model.version import Answer

ANY = ServiceClass(
    name="any", flow=Flow(states=(State(name="start", type="HTMLform", start=True),), edges=())
)


async def asks_once(
    page: Page, answer: Answer, service: ServiceClass, ask: Ask, bounds: Bounds
) -> list[Analysis]:
    """Asks every form once with its own values. A form whose answer says `Found it` is a service."""
    found = []
    digest = read(answer.body, answer.content_type, answer.url)
    for form in digest.forms:
        place = digest.path(form.node)
        fields = tuple((one.name, one.value) for one in form.fields if one.name)
        try:
            body = (await ask(Page(url=form.action, method=form.method, fields=fields), Cookies())).body  # type: ignore[arg-type]
        except PageError as error:
            found.append(Analysis(page=page.url, form=place, outcome="unreachable", reason=str(error)))
            continue
        outcome = "matched" if b"Found it" in body else "unmatched"
        found.append(Analysis(page=page.url, form=place, outcome=outcome, reason="", probes=1))  # type: ignore[arg-type]
    return found


def crawl(
    *seeds: str,
    trail: Trail | None = None,
    steps: Sequence[Step] = (),
    watch: Watch = lambda step, progress: None,
    delay: float = 0.0,
    analyse: Any = asks_once,
    service: ServiceClass = ANY,
    **wanted: Any,
) -> tuple[Ended, list[Step]]:
    """Crawls, and returns the last step and all steps. One page is visited at a time, so that the order is
    certain."""

    async def once() -> tuple[Ended, list[Step]]:
        memory = trail or MemoryTrail()
        async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
            made = Wanted(service=service, seeds=seeds, **{"at_a_time": 1, "frontier": "learned"} | wanted)
            web = PoliteWeb(fetcher, delay=delay)
            done = await Crawl(made, web, memory, steps=steps, watch=watch, analyse=analyse).run()
        return done, list(getattr(memory, "steps", []))

    return asyncio.run(once())


def visited(steps: Sequence[Step]) -> list[str]:
    return [step.lead.url for step in steps if isinstance(step, Begun)]


def read_of(steps: Sequence[Step], url: str) -> Read:
    return next(step for step in steps if isinstance(step, Read) and step.url == url)


def failures(steps: Sequence[Step]) -> dict[str, str]:
    return {step.url: step.error for step in steps if isinstance(step, Failed)}


def outcomes(steps: Sequence[Step]) -> list[tuple[str, str]]:
    judged = (step for step in steps if isinstance(step, Judged))
    return [(one["page"], one["outcome"]) for step in judged for one in step.analyses]


def services_found(steps: Sequence[Step]) -> int:
    return sum(outcome == "matched" for _, outcome in outcomes(steps))
