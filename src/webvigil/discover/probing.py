"""A query in, the way from the form to a result out, or None if the query leads to no result (S3, S4).

Each answer is compared with the states that may follow the current one in the control flow graph. If a page
is none of them, its indirections are followed as deep as the bounds allow. Every request counts. The requests
of one query are one visit with cookies of its own, which begins with those of the form's page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from webvigil.discover.analysis import Render, Step
from webvigil.discover.bounds import Ask, Bounds
from webvigil.discover.description import HTML_FORM, Example, ServiceClass, State
from webvigil.discover.echoes import Echoes
from webvigil.discover.indirection import Beginning, Move, moves
from webvigil.discover.queries import Query
from webvigil.discover.types import Found, Types
from webvigil.discover.views import Views
from webvigil.errors import HostBusy, HostUnreachable, PageError
from webvigil.fetch.client import Cookies
from webvigil.model.page import Page
from webvigil.model.version import Answer

Sleep = Callable[[float], Awaitable[object]]

# Characters of text. A page with a script and less text than this is made by its script.
_BARE = 200
# How often a browser is tried for one form whose pages have scripts and more text than that.
_MOST_TRIED_BY_SCRIPT = 2


class Spent(Exception):
    """Raised when no more requests are allowed; the message names the bound."""


class Silent(Exception):
    """Raised when the host does not answer, so that nothing more can be learnt now."""


@dataclass(frozen=True, slots=True)
class Trail:
    """The way to a result: the steps, the states they passed, and what was found at the end."""

    steps: tuple[Step, ...]
    states: tuple[str, ...]
    found: Found
    views: Views
    echoes: Echoes


@dataclass(frozen=True)
class _Visit:
    """The requests that one query makes. The same address may answer otherwise in another visit."""

    query: Query
    echoes: Echoes
    cookies: Cookies
    like: Trail | None = None
    name: list[str] = field(default_factory=list)
    """The key of the first request, once it was made."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A page on the way: its views, the state it is taken for, and the steps and states that led there."""

    views: Views
    state: str
    steps: tuple[Step, ...]
    states: tuple[str, ...]
    between: int


class Budget:
    """Counts the requests that may still be made, for one form and for its site."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._site = 0
        self.form = 0

    def next_form(self) -> None:
        self.form = 0

    @property
    def site(self) -> int:
        return self._site

    def spend(self, reserve: int) -> None:
        """Counts one request. Raises Spent unless `reserve` requests are left after it: a match needs one
        more request as proof."""
        if self._site + reserve >= self._bounds.probes_per_site:
            raise Spent(f"no more than {self._bounds.probes_per_site} requests are made to its site")
        if self.form + reserve >= self._bounds.probes_per_form:
            raise Spent(f"no more than {self._bounds.probes_per_form} requests are made for one form")
        self._site += 1
        self.form += 1


class Prober:
    """Asks the queries of one page with forms. Equal requests are made only once."""

    def __init__(
        self,
        service: ServiceClass,
        types: Types,
        start: Views,
        ask: Ask,
        bounds: Bounds,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._service, self._types = service, types
        self._ask, self._bounds, self._sleep = ask, bounds, sleep
        self.budget = Budget(bounds)
        self._beginning = Beginning(start)
        self._answers: dict[tuple[str, str], Answer | None] = {}
        self._by_script = 0
        self.last: Answer | None = None
        """The answer that came last."""
        self.trouble = ""
        self._start = start
        self._known: dict[str, frozenset[str]] = {}

    def next_form(self) -> None:
        """Begins to count the requests for another form."""
        self.budget.next_form()
        self._by_script = 0

    async def fetch(
        self, page: Page, visit: _Visit | None = None, *, again: bool = False, reserve: int = 0
    ) -> Answer | None:
        """Returns the answer, or None if the page cannot be fetched. Raises Spent and Silent."""
        key = (visit.name[0] if visit and visit.name else "", page.key)
        if again or key not in self._answers:
            self.budget.spend(reserve)
            try:
                self._answers[key] = await self._ask(page, visit.cookies if visit else Cookies())
            except (HostUnreachable, HostBusy) as error:
                raise Silent(str(error)) from error
            except PageError as error:
                self._answers[key] = None
                self.trouble = str(error)
        if visit and not visit.name:
            visit.name.append(page.key)
        self.last = self._answers[key]
        return self.last

    def known(self, kind: str) -> frozenset[str]:
        """Returns the texts of a type that the form's own page has."""
        if kind not in self._known:
            self._known[kind] = self._types.texts(kind, self._start)
        return self._known[kind]

    @property
    def heard_nothing(self) -> bool:
        """Tells whether all requests failed."""
        return bool(self._answers) and not any(self._answers.values())

    async def follow(self, query: Query, render: Render = "http", like: Trail | None = None) -> Trail | None:
        """Returns the way from a query to a result that mentions the query's values, or None.

        With `like`, the way must take the same kinds of steps as that trail, and any result counts.
        """
        start = self._service.flow.start.name
        nowhere = _Place(_NOWHERE, start, (), (start,), -1)
        for step in self._first_steps(query, render, like):
            echoes = Echoes(query, self._start.answer.url)
            visit = _Visit(query, echoes, Cookies(self._start.answer), like)
            trail = await self._visited(visit, [(Move(step), nowhere)])
            if trail:
                return trail
        return None

    async def _visited(self, visit: _Visit, left: list[tuple[Move, _Place]]) -> Trail | None:
        while left:
            here = await self._go(*left.pop(), visit)
            if here is None:
                continue
            trail = self._result(here, visit)
            if trail and (visit.like or mentioning(trail.found, visit.query)):
                return trail
            here = self._recognised(here)
            found = [move for move in self._moves(here, visit) if _alike(move, here, visit.like)]
            left += [(move, here) for move in reversed(found)]
        return None

    def _first_steps(self, query: Query, render: Render, like: Trail | None) -> list[Step]:
        """Returns the ways to send the form: by a request of ours, and by a browser that fills it in where
        the page has scripts. With `like`, the way that the other trail took."""
        found = []
        if query.is_sent_without_script:
            found.append(
                Step(kind="form", method=query.method, url=query.url, fields=query.fields, render=render)
            )
        page = self._start.answer.url
        filled = Step(kind="form", method="FILL", url=page, fields=query.filled_in, render="browser")
        if like:
            return [one for one in (*found, filled) if one.method == like.steps[0].method]
        if self._may_fill(query) and (not found or self._tries_script()):
            found.append(filled)
        return found

    def _may_fill(self, query: Query) -> bool:
        """Tells whether a browser may send the form. Nobody knows before how its script sends it, so POST
        must be allowed."""
        scripts = len(self._start.digest.nodes_of("script")) or not query.is_sent_without_script
        return self._bounds.browser and self._bounds.post and bool(scripts) and bool(query.filled_in)

    def _tries_script(self) -> bool:
        self._by_script += 1
        return self._by_script <= _MOST_TRIED_BY_SCRIPT

    # --- where we are -----------------------------------------------------------------------------

    def _result(self, here: _Place, visit: _Visit) -> Trail | None:
        example = visit.query.example
        for state in self._service.flow.after(here.state):
            if state.result and state.type == example.result and (found := self._is(state, here, example)):
                steps = (*here.steps[:-1], replace(here.steps[-1], state=state.name))
                return Trail(steps, (*here.states, state.name), found, here.views, visit.echoes)
        return None

    def _recognised(self, here: _Place) -> _Place:
        """Returns the place with the state that its page has, if the page is a state between; otherwise the
        place unchanged."""
        for state in self._service.flow.after(here.state):
            if not state.result and self._is(state, here):
                steps = (*here.steps[:-1], replace(here.steps[-1], state=state.name))
                return replace(
                    here, state=state.name, steps=steps, states=(*here.states, state.name), between=-1
                )
        return here

    def _is(self, state: State, here: _Place, example: Example | None = None) -> Found | None:
        """Returns what the page has of a state. Results that must mention the question are compared with the
        answer to another question later, so they count although the form's own page has them, too."""
        if state.type == HTML_FORM:
            return Found(type=HTML_FORM) if here.views.digest.forms else None
        compared = example is not None and example.mentions
        return self._types.find(state.type, here.views, frozenset() if compared else self.known(state.type))

    # --- where we can go --------------------------------------------------------------------------

    def _moves(self, here: _Place, visit: _Visit) -> list[Move]:
        if here.between >= self._bounds.indirections or len(here.states) > 10:
            return []
        arguments = dict(visit.query.arguments)
        found = list(moves(here.views, self._beginning, arguments, post=self._bounds.post))
        if (
            self._bounds.browser
            and here.steps[-1].render == "http"
            and self._may_be_made_by_script(here, visit)
        ):
            found.append(Move(replace(here.steps[-1], render="browser")))
        return found

    def _may_be_made_by_script(self, here: _Place, visit: _Visit) -> bool:
        if visit.like:
            return any(one.render == "browser" for one in visit.like.steps)
        if not len(here.views.digest.nodes_of("script")):
            return False
        return len(here.views("text")) < _BARE or self._tries_script()

    async def _go(self, move: Move, here: _Place, visit: _Visit) -> _Place | None:
        if move.wait and self._bounds.wait:
            await self._sleep(min(move.wait, self._bounds.wait))
        step = move.step
        again = step.kind == "refresh"
        answer = await self.fetch(step.page, visit, again=again, reserve=0 if visit.like else 1)
        if answer is None:
            return None
        steps = (*here.steps[:-1], step) if _is_rendered(step, here) else (*here.steps, step)
        views = Views(answer, self._bounds.text, visit.echoes.repeats)
        return replace(here, views=views, steps=steps, between=here.between + 1)


_NOWHERE = Views(Answer(url="", status=0, headers=(), body=b""), 0)


def mentioning(found: Found, query: Query) -> list[str]:
    """Returns the found texts that mention the values of the query; all texts if the class requires no
    mention."""
    values = [fill.value for fill in query.fills if fill.argument.name in query.example.mentions]
    wanted = [" ".join(value.split()).casefold() for value in values]
    empty = not found.texts and not wanted
    return [""] if empty else [text for text in found.texts if all(one in text.casefold() for one in wanted)]


def _is_rendered(step: Step, here: _Place) -> bool:
    """Tells whether the step repeats the step before in a browser."""
    return (
        bool(here.steps)
        and here.steps[-1].render == "http"
        and replace(here.steps[-1], render="browser") == step
    )


def _alike(move: Move, here: _Place, like: Trail | None) -> bool:
    """Tells whether the move is of the same kind as the step that the other trail took at this point."""
    if like is None:
        return True
    at = len(here.steps) - (1 if _is_rendered(move.step, here) else 0)
    return at < len(like.steps) and like.steps[at].kind == move.step.kind
