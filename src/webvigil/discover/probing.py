"""A query in, what became of it out: from the form along the control flow graph to a result, or not (S3, S4).

Each answer is compared with the states that may follow the one we are in. A page that is none of them is gone
through by its indirections, as deep as the bounds allow; every request counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

from webvigil.discover.analysis import Step
from webvigil.discover.bounds import Ask, Bounds
from webvigil.discover.description import HTML_FORM, Example, ServiceClass, State
from webvigil.discover.indirection import Beginning, Move, moves
from webvigil.discover.queries import Query
from webvigil.discover.types import Found, Types
from webvigil.discover.views import Views
from webvigil.errors import HostBusy, HostUnreachable, PageError
from webvigil.model.page import Page
from webvigil.model.version import Answer

Render = Literal["http", "browser"]
Sleep = Callable[[float], Awaitable[object]]

# Fewer characters than this beside a script: the page is made by the script.
_BARE = 200


class Spent(Exception):
    """No more requests are allowed; says which bound was reached."""


class Silent(Exception):
    """The host does not answer: nothing more can be learnt now."""


@dataclass(frozen=True, slots=True)
class Trail:
    """The way to a result: the steps, the states they passed, and what was found there."""

    steps: tuple[Step, ...]
    states: tuple[str, ...]
    found: Found
    views: Views


@dataclass(frozen=True, slots=True)
class _Place:
    """Where we are on the way: a page that came, the state it is taken for, how we came."""

    views: Views
    state: str
    steps: tuple[Step, ...]
    states: tuple[str, ...]
    between: int


class Budget:
    """Requests that may still be made, for this form and for its site."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._site = 0
        self.form = 0

    def next_form(self) -> None:
        self.form = 0

    def spend(self, reserve: int) -> None:
        """`reserve` requests must be left after this one: a match is worth nothing without its proof."""
        if self._site + reserve >= self._bounds.probes_per_site:
            raise Spent(f"no more than {self._bounds.probes_per_site} requests are made to its site")
        if self.form + reserve >= self._bounds.probes_per_form:
            raise Spent(f"no more than {self._bounds.probes_per_form} requests are made for one form")
        self._site += 1
        self.form += 1


class Prober:
    """Asks, for one page with forms. Answers to equal requests are asked for once."""

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
        """None where nothing came. Raises Spent and Silent."""
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
        """What the form's own page had of a type."""
        if kind not in self._known:
            self._known[kind] = self._types.texts(kind, self._start)
        return self._known[kind]

    @property
    def heard_nothing(self) -> bool:
        """Was all that was asked in vain?"""
        return bool(self._answers) and not any(self._answers.values())

    async def follow(self, query: Query, render: Render = "http", like: Trail | None = None) -> Trail | None:
        """The way from this query to a result that mentions what was asked; or, `like` another, to any."""
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
        """A state between is entered where the page is of its type; otherwise we are where we were."""
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
    """What was found that speaks of what was asked; all of it where the class does not care."""
    values = [fill.value for fill in query.fills if fill.argument.name in query.example.mentions]
    wanted = [" ".join(value.split()).casefold() for value in values]
    empty = not found.texts and not wanted
    return [""] if empty else [text for text in found.texts if all(one in text.casefold() for one in wanted)]


def _is_made_by_script(views: Views) -> bool:
    return bool(len(views.digest.nodes_of("script"))) and len(views("text")) < _BARE


def _is_rendered(step: Step, here: _Place) -> bool:
    """The step before once more, now in a browser?"""
    return (
        bool(here.steps)
        and here.steps[-1].render == "http"
        and replace(here.steps[-1], render="browser") == step
    )


def _alike(move: Move, here: _Place, like: Trail | None) -> bool:
    """Is it a step of the same kind as the other way took here?"""
    if like is None:
        return True
    at = len(here.steps) - (1 if _is_rendered(move.step, here) else 0)
    return at < len(like.steps) and like.steps[at].kind == move.step.kind
