"""A page with forms and a service class in, the verdict on each form out (S3).

Forms are first filtered, by manners and by the fields they have; the others are asked the examples of the
class. A form is a member if an example leads to a page of the result's type and a nonsense query does not. So
a page that shows the same to everybody, or repeats the query, is no member.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from webvigil.discover.analysis import Analysis, Outcome, Profile, Render
from webvigil.discover.bounds import Ask, Bounds
from webvigil.discover.description import HTML_FORM, ServiceClass
from webvigil.discover.manners import refusal
from webvigil.discover.probing import Prober, Silent, Sleep, Spent, Trail, mentioning
from webvigil.discover.queries import Query, lacking, queries
from webvigil.discover.questions import Question, Questions
from webvigil.discover.types import Found, Types
from webvigil.discover.views import Views
from webvigil.model.page import Page
from webvigil.model.version import Answer

__all__ = ["Ask", "Bounds", "analyse"]

_SAMPLE = 200  # characters of the found text that a profile keeps
_ALIKE = "it answers alike to a question that makes no sense"


async def analyse(
    page: Page,
    answer: Answer,
    service: ServiceClass,
    ask: Ask,
    bounds: Bounds,
    *,
    sleep: Sleep = asyncio.sleep,
) -> list[Analysis]:
    """Returns one analysis per form, or a single one for a page without forms. Errors of fetched pages are
    not raised."""
    views = Views(answer, bounds.text)
    types = Types(service)
    prober = Prober(service, types, views, ask, bounds, sleep)
    if not views.digest.forms and bounds.browser and page.render == "http" and _has_script(views):
        return await _rendered(page, service, prober, ask, bounds, sleep)
    if not views.digest.forms:
        return [Analysis(page=page.url, outcome="filtered", reason="the page has no form")]
    start = service.flow.start.type
    if start != HTML_FORM and types.find(start, views) is None:
        return [
            _left(page, one, "filtered", f"the page is not of the type {start!r}")
            for one in _some(views, bounds)
        ]
    return await _Forms(page, service, prober, types, bounds).all(views)


async def _rendered(
    page: Page, service: ServiceClass, prober: Prober, ask: Ask, bounds: Bounds, sleep: Sleep
) -> list[Analysis]:
    """Renders a page whose forms appear only when its scripts have run, and analyses the result."""
    shown = replace(page, render="browser")
    try:
        answer = await prober.fetch(shown)
    except (Spent, Silent) as error:
        return [Analysis(page=page.url, outcome="unreachable", reason=str(error), probes=prober.budget.form)]
    if answer is None:
        return [Analysis(page=page.url, outcome="unreachable", reason="it does not come rendered", probes=1)]
    less = replace(bounds, probes_per_site=max(0, bounds.probes_per_site - 1))
    found = await analyse(shown, answer, service, ask, less, sleep=sleep)
    return [replace(found[0], probes=found[0].probes + 1), *found[1:]]


def _has_script(views: Views) -> bool:
    return bool(len(views.digest.nodes_of("script")))


def _some(views: Views, bounds: Bounds) -> Iterator[Question]:
    return (question for question, _ in zip(Questions(views.digest), range(bounds.forms), strict=False))


def _left(page: Page, question: Question, outcome: Outcome, reason: str) -> Analysis:
    return Analysis(
        page=page.url, form=question.place, fields=len(question.controls), outcome=outcome, reason=reason
    )


@dataclass(frozen=True, slots=True)
class _Forms:
    """Analyses the forms of one page, one after the other."""

    page: Page
    service: ServiceClass
    prober: Prober
    types: Types
    bounds: Bounds

    async def all(self, views: Views) -> list[Analysis]:
        """Returns the analyses of all forms. A form that equals an earlier one, but for its place and name,
        is asked only once."""
        seen: dict[object, str] = {}
        found = []
        for question in _some(views, self.bounds):
            identity = replace(question, place="", lead="", about=())
            if identity in seen:
                found.append(_left(self.page, question, "filtered", f"it is the same as {seen[identity]}"))
                continue
            seen[identity] = question.place
            found.append(await self._timed(question))
        more = len(views.digest.forms) - self.bounds.forms
        if more > 0:
            reason = (
                f"{more:,} more forms are left alone: at most {self.bounds.forms} of a page are looked at"
            )
            found.append(Analysis(page=self.page.url, outcome="filtered", reason=reason))
        return found

    async def _timed(self, question: Question) -> Analysis:
        begun = time.monotonic()
        self.prober.budget.next_form()
        analysis = await self._one(question)
        return replace(analysis, seconds=time.monotonic() - begun)

    async def _one(self, question: Question) -> Analysis:
        """Filters a form by manners and by its fields, and asks it if it passes."""
        if reason := refusal(question, post=self.bounds.post):
            return _left(self.page, question, "refused by manners", reason)
        possible = queries(question, self.service, post=self.bounds.post)
        first = next(possible, None)
        if first is None:
            return _left(self.page, question, "filtered", lacking(question, self.service))
        try:
            outcome, reason, profile = await self._tried(question, first, possible)
        except Silent as error:
            outcome, reason, profile = "unreachable", str(error), None
        return replace(
            _left(self.page, question, outcome, reason), probes=self.prober.budget.form, profile=profile
        )

    async def _tried(
        self, question: Question, first: Query, others: Iterator[Query]
    ) -> tuple[Outcome, str, Profile | None]:
        """Asks queries until one is proven to match, or until none is left or the budget is spent."""
        doubt = "no answer was of the type that the class describes"
        left = deque[Query]()
        query: Query | None = first
        try:
            while query is not None:
                trail = await self.prober.follow(query, self._render)
                if trail is not None:
                    why_not = await self._doubt(query, trail)
                    if not why_not:
                        return "matched", _matched(trail), self._profile(question, query, trail)
                    # The form understood the query but has no answer to it. The other examples are tried in
                    # the same fields, once.
                    if doubt != why_not:
                        left += query.retold(self.service)
                    doubt = why_not
                query = left.popleft() if left else next(others, None)
        except Spent as error:
            doubt = f"{doubt}; {error}"
        if self.prober.heard_nothing:
            return "unreachable", self.prober.trouble or doubt, None
        return "unmatched", doubt, None

    @property
    def _render(self) -> Render:
        return "browser" if self.page.render == "browser" else "http"

    async def _doubt(self, query: Query, trail: Trail) -> str:
        """Returns why a result is no proof, or "" if it is one. The proof is that a nonsense query is
        answered differently."""
        control = query.nonsense()
        if control is None:
            return "it could not be asked anything that makes no sense"
        other = await self.prober.follow(control, self._render, like=trail)
        if other is None or other.found.way != trail.found.way:
            return ""
        if query.example.mentions and not mentioning(other.found, control):
            return "" if set(mentioning(trail.found, query)) - set(other.found.texts) else _ALIKE
        return _ALIKE

    def _profile(self, question: Question, query: Query, trail: Trail) -> Profile:
        result = self.service.flow.state(trail.states[-1])
        wanted = (
            self.types.find(result.wanted, trail.views, self.prober.known(result.wanted))
            if result.wanted
            else None
        )
        return Profile(
            service=self.service.name,
            page=self.page,
            form=question.place,
            steps=trail.steps,
            states=trail.states,
            arguments=query.arguments,
            result=" ".join((trail.found.type, *trail.found.way)),
            found=_sample(wanted or trail.found, query),
        )


def _sample(found: Found, query: Query) -> str:
    return next(iter((*mentioning(found, query), *found.texts)), "")[:_SAMPLE]


def _matched(trail: Trail) -> str:
    between = len(trail.steps) - 1
    through = f", through {between} page{'s' if between > 1 else ''} between" if between else ""
    return f"the answer is of the type {' '.join((trail.found.type, *trail.found.way))!r}{through}"
