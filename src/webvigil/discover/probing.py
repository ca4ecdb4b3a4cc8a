"""A query in, the way from the form to a result out, or None if the query leads to no result (S3, S4).

Each answer is compared with the states that may follow the current one in the control flow graph. If a page
is none of them, its indirections are followed as deep as the bounds allow. Every request counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from webvigil.discover.analysis import Render, Step
from webvigil.discover.bounds import Ask, Bounds
from webvigil.discover.description import HTML_FORM, Example, ServiceClass, State
from webvigil.discover.indirection import Beginning, Move, moves
from webvigil.discover.queries import Query
from webvigil.discover.types import Found, Types
from webvigil.discover.views import Views
from webvigil.errors import HostBusy, HostUnreachable, PageError
from webvigil.model.page import Page
from webvigil.model.version import Answer

Sleep = Callable[[float], Awaitable[object]]

# Characters of text. A page with a script and less text than this is made by its script.
_BARE = 200


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
        self._answers: dict[str, Answer | None] = {}
        self.trouble = ""
        self._start = start
        self._known: dict[str, frozenset[str]] = {}

    async def fetch(self, page: Page, *, again: bool = False, reserve: int = 0) -> Answer | None:
        """Returns the answer, or None if the page cannot be fetched. Raises Spent and Silent."""
        if again or page.key not in self._answers:
            self.budget.spend(reserve)
            try:
                self._answers[page.key] = await self._ask(page)
            except (HostUnreachable, HostBusy) as error:
                raise Silent(str(error)) from error
            except PageError as error:
                self._answers[page.key] = None
                self.trouble = str(error)
        return self._answers[page.key]

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
        step = Step(kind="form", method=query.method, url=query.url, fields=query.fields, render=render)
        left = [(Move(step), _Place(_NOWHERE, start, (), (start,), -1))]
        while left:
            here = await self._go(*left.pop(), reserve=0 if like else 1)
            if here is None:
                continue
            trail = self._result(here, query.example)
            if trail and (like or mentioning(trail.found, query)):
                return trail
            here = self._recognised(here)
            left += [(move, here) for move in reversed(self._moves(here, query)) if _alike(move, here, like)]
        return None

    # --- where we are -----------------------------------------------------------------------------

    def _result(self, here: _Place, example: Example) -> Trail | None:
        for state in self._service.flow.after(here.state):
            if state.result and state.type == example.result and (found := self._is(state, here)):
                steps = (*here.steps[:-1], replace(here.steps[-1], state=state.name))
                return Trail(steps, (*here.states, state.name), found, here.views)
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

    def _is(self, state: State, here: _Place) -> Found | None:
        if state.type == HTML_FORM:
            return Found(type=HTML_FORM) if here.views.digest.forms else None
        return self._types.find(state.type, here.views, self.known(state.type))

    # --- where we can go --------------------------------------------------------------------------

    def _moves(self, here: _Place, query: Query) -> list[Move]:
        if here.between >= self._bounds.indirections or len(here.states) > 10:
            return []
        arguments = dict(query.arguments)
        found = list(moves(here.views, self._beginning, arguments, post=self._bounds.post))
        if self._bounds.browser and here.steps[-1].render == "http" and _is_made_by_script(here.views):
            found.append(Move(replace(here.steps[-1], render="browser")))
        return found

    async def _go(self, move: Move, here: _Place, reserve: int) -> _Place | None:
        if move.wait and self._bounds.wait:
            await self._sleep(min(move.wait, self._bounds.wait))
        step = move.step
        answer = await self.fetch(step.page, again=step.kind == "refresh", reserve=reserve)
        if answer is None:
            return None
        steps = (*here.steps[:-1], step) if _is_rendered(step, here) else (*here.steps, step)
        return replace(here, views=Views(answer, self._bounds.text), steps=steps, between=here.between + 1)


_NOWHERE = Views(Answer(url="", status=0, headers=(), body=b""), 0)


def mentioning(found: Found, query: Query) -> list[str]:
    """Returns the found texts that mention the values of the query; all texts if the class requires no
    mention."""
    values = [fill.value for fill in query.fills if fill.argument.name in query.example.mentions]
    wanted = [" ".join(value.split()).casefold() for value in values]
    empty = not found.texts and not wanted
    return [""] if empty else [text for text in found.texts if all(one in text.casefold() for one in wanted)]


def _is_made_by_script(views: Views) -> bool:
    return bool(len(views.digest.nodes_of("script"))) and len(views("text")) < _BARE


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
