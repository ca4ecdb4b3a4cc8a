"""A route with all that it depends on as one function: they are called one after the other, where it is.

The framework hands every plain dependency to a thread of its own. Going there and back takes longer than to
look up a token, so who asks is judged in the thread that then finds the answer.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import update_wrapper
from inspect import Parameter
from typing import Annotated, Any, get_args, get_origin

from fastapi.params import Depends

Function = Callable[..., Any]
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Call:
    """A function, the values it is given as they came, and those that other functions find for it."""

    function: Function
    given: tuple[str, ...]
    found: tuple[tuple[str, _Call], ...]

    def __call__(self, values: Values, known: dict[Function, Any]) -> Any:
        """`known`: what has been found; who asks is judged once."""
        if self.function not in known:
            more = {name: call(values, known) for name, call in self.found}
            known[self.function] = self.function(**{name: values[name] for name in self.given}, **more)
        return known[self.function]


def together(endpoint: Function) -> Function:
    """Takes what the endpoint and everything below it take; `rules` are the functions it depends on."""
    wanted: dict[str, Parameter] = {}
    plan = _planned(endpoint, wanted)

    def all_of_it(**values: Any) -> Any:
        return plan(values, {})

    made = update_wrapper(all_of_it, endpoint)
    del made.__wrapped__  # its signature is another one
    told = inspect.signature(endpoint, eval_str=True).return_annotation
    made.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        list(wanted.values()), return_annotation=told
    )
    made.rules = tuple(_below(plan))  # type: ignore[attr-defined]
    return made


def _planned(function: Function, wanted: dict[str, Parameter]) -> _Call:
    """What it takes itself comes before what others below it take."""
    parameters = inspect.signature(function, eval_str=True).parameters
    below = {name: found for name, one in parameters.items() if (found := _dependency(one)) is not None}
    given = tuple(name for name in parameters if name not in below)
    for name in given:
        one = parameters[name].replace(kind=Parameter.KEYWORD_ONLY)
        assert wanted.setdefault(name, one).annotation == one.annotation, f"two things are called {name}"
    return _Call(function, given, tuple((name, _planned(found, wanted)) for name, found in below.items()))


def _dependency(one: Parameter) -> Function | None:
    if get_origin(one.annotation) is not Annotated:
        return None
    marks = [mark for mark in get_args(one.annotation)[1:] if isinstance(mark, Depends)]
    return marks[0].dependency if marks else None


def _below(plan: _Call) -> list[Function]:
    return [function for _, call in plan.found for function in (*_below(call), call.function)]
