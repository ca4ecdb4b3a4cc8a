"""A form and a service class in, the queries worth trying out, the likeliest first (S3).

Trying every argument in every field would take thousands of requests. So each argument ranks the fields that
could take it, by its hints for names and kinds, and the combinations come in the order of their summed ranks.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count

from webvigil.discover.analysis import Filled, Method
from webvigil.discover.description import Argument, Example, ServiceClass
from webvigil.discover.manners import searches, usable_buttons
from webvigil.discover.questions import Button, Control, Question
from webvigil.document.patterns import compile_pattern
from webvigil.errors import PatternRefused

# Ranks: how much less likely a choice is than the best one. They were tuned on the zoo of services
# (tests/zoo); run tests/discover/test_zoo.py again after changing one.
_UNCALLED = 3.0  # no name of the field fits a hint
_OFFERED = 1.0  # no name fits, but the value is among the field's choices
_OUT_OF_ORDER = 0.02  # for each place between the order of fields and that of arguments
_LATER_HINT = 0.3  # for each hint before the one that fits
_PART_OF_A_NAME = 0.7  # the hint fits only a part of a word
_OTHER_KIND = 1.5  # the field is of another kind than the argument wants
_LONG_IN_A_LINE = 1.0  # a long value in a one-line field
_LEFT_OUT = 1.0  # an optional argument is left out, or filled in without need
_NEXT_OPTION = 0.5  # for each option before this one
_NEXT_BUTTON = 1.5  # for each button before this one
_NEXT_EXAMPLE = 0.45  # for each example before this one

# Characters; a longer value rather belongs into a text area than into a line.
_LONG = 200
# Bounds that keep the search small on forms with very many fields and options.
_MOST_FIELDS = 12
_MOST_OPTIONS = 300
_MOST_TRIED = 8
_MOST_COMBINED = 2000
# Values that no service should know: an answer to them proves that a form answers anything.
_NONSENSE = "xqzvkjwyqx"
_NUMBER = "98765432109"


@dataclass(frozen=True, slots=True)
class Fill:
    """One argument in one field, with the value it takes there."""

    argument: Argument
    control: Control
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One way to fill in a form and send it."""

    question: Question
    example: Example
    button: Button
    fills: tuple[Fill, ...]

    @property
    def url(self) -> str:
        return self.question.target(self.button)

    @property
    def method(self) -> Method:
        return self.question.verb(self.button)

    @property
    def fields(self) -> tuple[Filled, ...]:
        values = {fill.control.name: (fill.argument.name, fill.value) for fill in self.fills}
        return self.question.filled(self.button, values)

    @property
    def filled_in(self) -> tuple[Filled, ...]:
        """The fields that a browser fills in, and the button that it presses if that has a name; the browser
        leaves all other fields as they are on the page."""
        filled = tuple(
            Filled(name=fill.control.name, value=fill.value, argument=fill.argument.name)
            for fill in self.fills
        )
        return (
            (*filled, Filled(name=self.button.name, value=self.button.value)) if self.button.name else filled
        )

    @property
    def is_sent_without_script(self) -> bool:
        """Tells whether the form says itself where it is sent, and whether the question is sent with it."""
        return bool(self.question.action) and any(not one.control.name.startswith("#") for one in self.fills)

    @property
    def arguments(self) -> tuple[tuple[str, str], ...]:
        return tuple((fill.argument.name, fill.value) for fill in self.fills)

    def outside(self) -> Query | None:
        """Returns the same query with values outside of the alphabet that the class gives its arguments, or
        None if it gives none."""
        fills = tuple(
            replace(fill, value=(_NONSENSE * 5)[:40])
            if fill.argument.required and fill.argument.control and fill.control.is_text
            else fill
            for fill in self.fills
        )
        return replace(self, fills=fills) if fills != self.fills else None

    def nonsense(self) -> Query | None:
        """Returns the same query with values that no service knows and with empty choices, or None if that is
        impossible.

        If nothing can be emptied, required choices get the same value: a journey from a place to itself makes
        no sense either.
        """
        fills = tuple(_without_sense(fill) if fill.argument.required else fill for fill in self.fills)
        if fills == self.fills:
            fills = _twice_the_same(fills)
        return replace(self, fills=fills) if fills != self.fills else None

    def retold(self, service: ServiceClass) -> Iterator[Query]:
        """Yields the other examples in the same fields: fields that work for one query work for others."""
        for example in service.examples:
            arguments = {argument.name: argument for argument in example.arguments}
            required = {argument.name for argument in example.arguments if argument.required}
            filled = {fill.argument.name for fill in self.fills}
            if example != self.example and required <= filled:
                known = [fill for fill in self.fills if fill.argument.name in arguments]
                fills = tuple(_retold(fill, arguments[fill.argument.name]) for fill in known)
                yield replace(self, example=example, fills=fills)


def _retold(fill: Fill, argument: Argument) -> Fill:
    if not fill.control.is_text:
        return replace(fill, argument=argument)
    return Fill(argument, fill.control, _fitted(argument.value, fill.control))


def _twice_the_same(fills: tuple[Fill, ...]) -> tuple[Fill, ...]:
    chosen = [fill for fill in fills if fill.argument.required]
    return tuple(
        replace(fill, value=chosen[0].value)
        if fill.argument.required and fill.control.options == chosen[0].control.options
        else fill
        for fill in fills
    )


def _without_sense(fill: Fill) -> Fill:
    if not fill.control.is_text:
        empty = next((one.value for one in fill.control.options if not one.value.strip("-–— 0")), None)
        return fill if empty is None else replace(fill, value=empty)
    if fill.argument.control:
        return replace(fill, value=_fitted(fill.argument.control, fill.control))
    stock = _NUMBER if fill.control.kind == "number" or fill.value.isdigit() else _NONSENSE
    length = min(max(len(fill.value), 6), 40, fill.control.longest or 40)
    return replace(fill, value=(stock * 5)[:length])


# --- all of them, likeliest first ---------------------------------------------------------------------


def queries(
    question: Question, service: ServiceClass, *, post: bool, browser: bool = False
) -> Iterator[Query]:
    """Yields the queries for a form, the likeliest first and each only once. Only a `browser` can send a form
    that does not say itself where it is sent."""
    buttons = [one for one in usable_buttons(question) if post or question.verb(one) == "GET"]
    if not buttons or not (question.action or (browser and post)):
        return
    streams = [
        _of_example(question, example, buttons, number * _NEXT_EXAMPLE)
        for number, example in enumerate(service.examples)
    ]
    seen = set[tuple[str, Method, tuple[Filled, ...]]]()
    for _, _, query in heapq.merge(*streams, key=lambda one: one[:2]):
        identity = query.url, query.method, query.fields
        if identity not in seen:
            seen.add(identity)
            yield query


def takes_words(service: ServiceClass) -> bool:
    """Tells whether services of the class are asked by words alone, as those are that a page describes for
    programs."""
    field = Control(name="q", kind="search", words=("query", "search", "keywords"))
    for example in service.examples:
        required = [one for one in example.arguments if one.required]
        words = len(required) == 1 and required[0].type in ("string", "word")
        if words and _called(required[0].hints, field) < _UNCALLED:
            return True
    return False


def lacking(question: Question, service: ServiceClass) -> str:
    """Returns why a form has no query."""
    if not question.action:
        return "only a script knows where it is sent"
    for example in service.examples:
        for argument in example.arguments:
            if argument.required and not _fills(argument, question):
                return f"it has no field for {argument.name!r}"
    return "it has too few fields for all that must be asked"


Ranked = tuple[float, int, Query]


def _of_example(
    question: Question, example: Example, buttons: Sequence[Button], rank: float
) -> Iterator[Ranked]:
    """Yields the queries for one example with their summed ranks, the lowest first."""
    choices = [_ways(argument, question, number) for number, argument in enumerate(example.arguments)]
    if not all(choices):
        return
    pressed = [(number * _NEXT_BUTTON, button) for number, button in enumerate(buttons)]
    costs = [[cost for cost, _ in ways] for ways in choices]
    for number, (cost, places) in enumerate(_cheapest([*costs, [cost for cost, _ in pressed]])):
        chosen = [ways[place][1] for ways, place in zip(choices, places, strict=False)]
        fills = tuple(fill for fill in chosen if fill is not None)
        names = [fill.control.name for fill in fills]
        if len(set(names)) == len(names):
            button = pressed[places[-1]][1]
            yield rank + cost, number, Query(question=question, example=example, button=button, fills=fills)


def _cheapest(costs: list[list[float]]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Yields all ways to take one entry from each list, ordered by the sum of the costs. Each list
    ascends."""
    tie = count()
    first = (0,) * len(costs)
    left = [(sum(one[0] for one in costs), next(tie), first)]
    seen = {first}
    for _ in range(_MOST_COMBINED):
        if not left:
            return
        cost, _, places = heapq.heappop(left)
        yield cost, places
        for at, place in enumerate(places):
            further = (*places[:at], place + 1, *places[at + 1 :])
            if place + 1 < len(costs[at]) and further not in seen:
                seen.add(further)
                heapq.heappush(left, (cost - costs[at][place] + costs[at][place + 1], next(tie), further))


# --- one argument -------------------------------------------------------------------------------------

Way = tuple[float, Fill | None]


def _ways(argument: Argument, question: Question, number: int) -> list[Way]:
    """Returns where an argument could go, best first.

    An optional argument is chosen where a form offers choices for it, and written where the form requires the
    field; otherwise leaving it out comes first.
    """
    fills = _fills(argument, question, number)
    if argument.required:
        return list(fills)
    called = [(cost, fill) for cost, fill in fills if cost < _UNCALLED]
    eager = any(fill.control.is_choice or fill.control.required for _, fill in called)
    ways: list[Way] = [(cost + (0.0 if eager else _LEFT_OUT), fill) for cost, fill in called]
    return sorted([*ways, (_LEFT_OUT if eager and called else 0.0, None)], key=lambda one: one[0])


def _fills(argument: Argument, question: Question, number: int = 0) -> list[tuple[float, Fill]]:
    """Returns the fields that could take an argument, with their costs. Where nothing else tells, fields come
    in the order of the arguments."""
    found: list[tuple[float, Fill]] = []
    open_ones = [one for one in question.controls if one.name and (one.is_text or one.is_choice)]
    if argument.called and not _asks_for_one_thing(question):
        open_ones = [one for one in open_ones if _is_called(argument.hints, one)]
    for place, control in enumerate(open_ones):
        early = _OUT_OF_ORDER * abs(place - number)
        found += [(cost + early, fill) for cost, fill in _in_control(argument, control)]
    found.sort(key=lambda one: one[0])
    return found[:_MOST_FIELDS]


def _asks_for_one_thing(question: Question) -> bool:
    """Tells whether a form has one text field and says that it searches."""
    return sum(one.is_text for one in question.controls) == 1 and searches(question)


def _in_control(argument: Argument, control: Control) -> Iterator[tuple[float, Fill]]:
    """Yields the ways to put an argument into a control, with their costs."""
    cost = _called(argument.hints, control)
    if control.is_choice:
        called = cost < _UNCALLED
        # A value among the choices of a field is a stronger sign than an empty text field with a fitting
        # place.
        cost = cost if called else _OFFERED
        for number, value in enumerate(_options(argument, control, called=called)):
            yield cost + number * _NEXT_OPTION, Fill(argument, control, value)
    elif not argument.iterator and _takes(control, argument.value):
        long_in_line = control.kind != "textarea" and len(argument.value) > _LONG
        cost += _other_kind(argument.inputs, control.kind) + (_LONG_IN_A_LINE if long_in_line else 0.0)
        yield cost, Fill(argument, control, _fitted(argument.value, control))


def _called(hints: Sequence[str], control: Control) -> float:
    """Returns how badly the names of a control fit the hints: 0 is best. The first hint, and a whole name,
    fit best."""
    best = _UNCALLED
    for number, hint in enumerate(hints):
        for place, name in enumerate(control.words):
            cost = number * _LATER_HINT + place * 0.1 + _fit(hint, name)
            best = min(best, cost)
    return best


def _is_called(hints: Sequence[str], control: Control) -> bool:
    """Tells whether a hint fits a whole word of a name of the control."""
    return any(_fit(hint, name) == 0.0 for hint in hints for name in control.words)


@lru_cache(maxsize=4096)
def _fit(hint: str, name: str) -> float:
    spans = _spans(hint, name)
    if not spans:
        return _UNCALLED
    whole = any(_on_borders(name, start, end) for start, end in spans)
    return 0.0 if whole else _PART_OF_A_NAME


def _on_borders(name: str, start: int, end: int) -> bool:
    """Tells whether a match is a whole word of a name: `db` is one in `my_db` and `myDb`, but not in
    `sandbox`."""
    before, after = name[start - 1 : start], name[end : end + 1]
    opens = not before.isalpha() or (before.islower() and name[start].isupper())
    closes = not after.isalpha() or (after.isupper() and name[end - 1].islower())
    return opens and closes


def _spans(pattern: str, text: str) -> list[tuple[int, int]]:
    try:
        return compile_pattern(pattern).spans(text)
    except PatternRefused:
        return []


def _other_kind(inputs: str, kind: str) -> float:
    if not inputs:
        return 0.0
    alike = ("text", kind) if kind in ("search", "tel", "url") else (kind,)
    return 0.0 if any(_spans(f"^(?:{inputs})$", one) for one in alike) else _OTHER_KIND


def _takes(control: Control, value: str) -> bool:
    """Tells whether a value may be written into a control at all."""
    if control.longest is not None and len(value) > control.longest:
        return False
    match control.kind:
        case "email":
            return "@" in value
        case "number":
            return value.replace(".", "", 1).lstrip("+-").isdigit()
        case "url":
            return value.startswith(("http://", "https://"))
        case "date" | "month" | "week" | "time" | "datetime-local":
            return value[:2].isdigit()
        case _:
            return True


def _fitted(value: str, control: Control) -> str:
    """Returns the value as a control takes it. Browsers remove line ends from a value in a one-line field."""
    return value if control.kind == "textarea" else value.replace("\n", "")


def _options(argument: Argument, control: Control, *, called: bool) -> list[str]:
    """Returns the options of a control that fit an argument. An iterator begins with the option that the form
    would send by itself."""
    offered = control.options[: _MOST_OPTIONS if called else 50]
    fitting = [one for one in offered if one.value and _chosen(argument.value, one.value, one.text, called)]
    if argument.iterator and called:
        fitting.sort(key=lambda one: one.value != control.value)
        return [one.value for one in fitting[:_MOST_TRIED]]
    exact = [
        one for one in fitting if argument.value.casefold() in (one.value.casefold(), one.text.casefold())
    ]
    return [one.value for one in (exact or fitting)[:1]]


def _chosen(wanted: str, value: str, text: str, called: bool) -> bool:
    if wanted.casefold() in (value.casefold(), text.casefold()):
        return True
    return called and bool(_spans(wanted, value) or _spans(wanted, text))
