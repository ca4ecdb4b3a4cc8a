"""A page with forms and a service class in, the verdict on each form out (S3).

Searches that the page describes for programs come first. Forms are filtered, by manners and by the fields
they have; the others are asked the examples of the class. A form is a member if an example leads to a page of
the result's type and a nonsense query does not, or leads to results that the nonsense query did not have. So
a page that shows the same to everybody, or repeats the query, is no member. A service that has nothing for
any question in its alphabet, but answers otherwise to a question outside of it, is a possible member.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlsplit

from webvigil.discover.analysis import Analysis, Outcome, Profile, Render
from webvigil.discover.bounds import Ask, Bounds
from webvigil.discover.description import HTML_FORM, ServiceClass
from webvigil.discover.descriptions import described
from webvigil.discover.manners import refusal
from webvigil.discover.probing import Prober, Silent, Sleep, Spent, Trail, mentioning
from webvigil.discover.queries import Query, lacking, queries, takes_words
from webvigil.discover.questions import Question, Questions
from webvigil.discover.search_words import with_words_of
from webvigil.discover.types import Found, Types
from webvigil.discover.views import Views
from webvigil.model.page import Page
from webvigil.model.version import Answer

__all__ = ["Ask", "Bounds", "analyse"]

Proof = Trail | None
"""The answer to a nonsense query, None if that had no result."""

_SAMPLE = 200  # characters of the found text that a profile keeps
_ALIKE = "it answers alike to a question that makes no sense"
_STRAIGHT = "it leads straight to the page that is called so, not to results"
_NOTHING_THERE = "it has nothing for any question, but knows which questions make sense"


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
    service = with_words_of(views, service)
    types = Types(service)
    prober = Prober(service, types, views, ask, bounds, sleep)
    told = await described(views, prober) if bounds.descriptions and takes_words(service) else []
    if (
        not views.digest.forms
        and not told
        and bounds.browser
        and page.render == "http"
        and _has_script(views)
    ):
        return await _rendered(page, service, prober, ask, bounds, sleep)
    if not views.digest.forms and not told:
        return [Analysis(page=page.url, outcome="filtered", reason="the page has no form")]
    start = service.flow.start.type
    if start != HTML_FORM and types.find(start, views) is None:
        return [
            _left(page, one, "filtered", f"the page is not of the type {start!r}")
            for one in _some(views, bounds)
        ]
    return await _Forms(page, service, prober, types, bounds).all(views, told)


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

    async def all(self, views: Views, told: Sequence[Question] = ()) -> list[Analysis]:
        """Returns the analyses of the described searches and of all forms. A form that equals an earlier one,
        but for its place, its name and what the page fills in, is asked only once."""
        seen: dict[object, str] = {}
        found = []
        for question in (*told, *_some(views, self.bounds)):
            identity = _identity(question)
            if identity in seen:
                found.append(_left(self.page, question, "filtered", f"it is the same as {seen[identity]}"))
                continue
            analysis = await self._timed(question)
            found.append(analysis)
            # A description may be out of date. The form is asked then.
            if question not in told or analysis.profile:
                seen[identity] = question.place
        more = len(views.digest.forms) - self.bounds.forms
        if more > 0:
            reason = (
                f"{more:,} more forms are left alone: at most {self.bounds.forms} of a page are looked at"
            )
            found.append(Analysis(page=self.page.url, outcome="filtered", reason=reason))
        return found

    async def _timed(self, question: Question) -> Analysis:
        begun = time.monotonic()
        self.prober.next_form()
        analysis = await self._one(question)
        return replace(analysis, seconds=time.monotonic() - begun)

    async def _one(self, question: Question) -> Analysis:
        """Filters a form by manners and by its fields, and asks it if it passes."""
        if reason := refusal(question, post=self.bounds.post):
            return _left(self.page, question, "refused by manners", reason)
        possible = queries(question, self.service, post=self.bounds.post, browser=self.bounds.browser)
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
        maybe: Profile | None = None
        try:
            while query is not None:
                trail = await self.prober.follow(query, self._render)
                if trail is not None:
                    why_not, proof = await self._doubt(query, trail)
                    if not why_not:
                        return "matched", _matched(trail), self._profile(question, query, trail, proof)
                    if why_not == _NOTHING_THERE:
                        maybe = maybe or self._profile(question, query, trail, proof, doubt=why_not)
                    # The form understood the query but has no answer to it. The other examples are tried in
                    # the same fields, once.
                    if doubt != why_not:
                        left += query.retold(self.service)
                    doubt = why_not
                query = left.popleft() if left else next(others, None)
        except Spent as error:
            doubt = f"{doubt}; {error}"
        if maybe is not None:
            return "possible", _NOTHING_THERE, maybe
        if self.prober.heard_nothing:
            return "unreachable", self.prober.trouble or doubt, None
        return "unmatched", doubt, None

    @property
    def _render(self) -> Render:
        return "browser" if self.page.render == "browser" else "http"

    async def _doubt(self, query: Query, trail: Trail) -> tuple[str, Proof]:
        """Returns why a result is no proof, or "" if it is one, and the answer to a nonsense query. The proof
        is that the nonsense query is answered differently."""
        control = query.nonsense()
        if control is None:
            return "it could not be asked anything that makes no sense", None
        other = await self.prober.follow(control, self._render, like=trail)
        came = self.prober.last
        straight = len(trail.steps) == 1 and _leads_elsewhere(query, trail.views.answer)
        if straight and came and not _leads_elsewhere(control, came):
            return _STRAIGHT, other
        if other is None or other.found.way != trail.found.way:
            return "", other
        if query.example.mentions and _news(mentioning(trail.found, query), trail, other):
            return "", other
        if await self._has_nothing(query, trail, other):
            return _NOTHING_THERE, other
        return _ALIKE, other

    async def _has_nothing(self, query: Query, trail: Trail, other: Trail) -> bool:
        """Tells whether both answers lack what the user came for, and whether a question outside of the
        alphabet of the class is answered differently."""
        wanted = self.service.flow.state(trail.states[-1]).wanted
        outside = query.outside()
        if not wanted or outside is None:
            return False
        if any(self.types.find(wanted, one.views) for one in (trail, other)):
            return False
        stranger = await self.prober.follow(outside, self._render, like=trail)
        return stranger is None or stranger.found.way != trail.found.way

    def _profile(
        self, question: Question, query: Query, trail: Trail, proof: Proof, doubt: str = ""
    ) -> Profile:
        result = self.service.flow.state(trail.states[-1])
        wanted = self.types.find(result.wanted, trail.views) if result.wanted else None
        return Profile(
            service=self.service.name,
            page=self.page,
            form=question.place,
            steps=trail.steps,
            states=trail.states,
            arguments=query.arguments,
            result=" ".join((trail.found.type, *trail.found.way)),
            found=_sample(wanted or trail.found, query, trail, proof, self._said_to_nonsense(proof)),
            doubt=doubt,
        )

    def _said_to_nonsense(self, proof: Proof) -> frozenset[str]:
        """Returns the lines of the answer to the nonsense query where it is no result: what it says stands on
        every page of the site."""
        if proof or not self.prober.last:
            return frozenset()
        views = Views(self.prober.last, self.bounds.text)
        return frozenset((*views("links").splitlines(), *views("text").splitlines()))


def _identity(question: Question) -> object:
    """Returns a value that is equal for forms that ask the same of the same address. What the page fills in
    does not count, nor do boxes and buttons."""
    asks = [one for one in question.controls if one.is_text]
    fields = frozenset((one.name, one.kind == "textarea") for one in asks)
    # A form without texts to fill in is told from others by all that it has.
    return (
        question.action.partition("?")[0],
        question.method,
        fields or replace(question, place="", lead="", about=()),
    )


def _leads_elsewhere(query: Query, answer: Answer) -> bool:
    """Tells whether a query that is sent with GET led to another address than the one that was asked."""
    asked, came = urlsplit(query.url), urlsplit(answer.url)
    kept = {name for name, _ in parse_qsl(came.query, keep_blank_values=True)}
    alike = came.path == asked.path and kept >= {one.name for one in query.fields if one.argument}
    return query.method == "GET" and not alike


def _news(texts: Sequence[str], trail: Trail, other: Trail | None) -> Sequence[str]:
    """Returns the texts that the answer to the nonsense query does not have."""
    return trail.echoes.news(texts, other.echoes, other.found.texts) if other else texts


def _sample(found: Found, query: Query, trail: Trail, proof: Proof, known: frozenset[str]) -> str:
    """Returns a text that speaks of the question and that the answer to the nonsense query does not have;
    else the best that there is. `known` is what that answer says where it is no result."""
    speaking = mentioning(found, query)
    own = [text for text in speaking if text not in known]
    best = (*_news(own, trail, proof), *_news(found.texts, trail, proof), *speaking, *found.texts)
    return next(iter(best), "")[:_SAMPLE]


def _matched(trail: Trail) -> str:
    between = len(trail.steps) - 1
    through = f", through {between} page{'s' if between > 1 else ''} between" if between else ""
    return f"the answer is of the type {' '.join((trail.found.type, *trail.found.way))!r}{through}"
