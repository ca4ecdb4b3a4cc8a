"""A sentinel: one user's named request, as values. Every clause of the language has a value here.

The text and its grammar belong to `language`. A clause that the user left out is None or (), so that a
sentinel on a sentinel can tell "left out" from "default" (L3); each reader of a clause applies the default.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from webvigil.model.approach import PLAIN, Approach, Step
from webvigil.model.logic import Joined, leaves
from webvigil.model.message import Message
from webvigil.model.page import Sending
from webvigil.model.request import Request

# --- Target (L3) ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WebPage:
    url: str


@dataclass(frozen=True, slots=True)
class FormPage:
    """A page behind a form: the request that brings it."""

    url: str
    method: Sending = "GET"
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RequestPage:
    """A page behind a request with a method, headers, a query or a body of its own."""

    url: str
    request: Request


@dataclass(frozen=True, slots=True)
class SentinelPages:
    """The pages of another sentinel of the same user."""

    sentinel: str


@dataclass(frozen=True, slots=True)
class SeveralTargets:
    operator: Literal["AND", "OR"]
    targets: tuple[Target, ...]


Target = WebPage | FormPage | RequestPage | SentinelPages | SeveralTargets


def requests_in(target: Target) -> Iterator[RequestPage]:
    """Yields the pages of a target that are asked for by a request of their own."""
    if isinstance(target, RequestPage):
        yield target
    elif isinstance(target, SeveralTargets):
        for one in target.targets:
            yield from requests_in(one)


# --- What counts as a change (L2, section 9) -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChangeType:
    """One change type with its parameters.

    `arguments` is what stands in braces or quotes, `option` the words that qualify it:

        all links                               ChangeType("all links")
        all words except {a, b}                 ChangeType("all words", ("a", "b"), "except")
        keywords: {a, b}                        ChangeType("keywords", ("a", "b"))
        keywords all {a, b} appear              ChangeType("keywords", ("a", "b"), "all appear")
        phrase: {low risk growth}               ChangeType("phrase", ("low risk growth",))
        regular expression: {\\d+} in source    ChangeType("regular expression", ("\\d+",), "in source")
        table: {2}                              ChangeType("table", ("2",))
        table: {caption "Prices"}               ChangeType("table", ("Prices",), "caption")
        all images content                      ChangeType("all images", (), "content")
        value css "span.price"                  ChangeType("value", ("span.price",), "css")
    """

    kind: str
    arguments: tuple[str, ...] = ()
    option: str = ""


STATUS = ChangeType("status")
"""The state of a page, not what it shows."""


@dataclass(frozen=True, slots=True)
class Not:
    operand: ChangeExpression

    @property
    def joined(self) -> Joined:
        return "NOT", (self.operand,)


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[ChangeExpression, ...]

    @property
    def joined(self) -> Joined:
        return "AND", self.operands


@dataclass(frozen=True, slots=True)
class Or:
    operands: tuple[ChangeExpression, ...]

    @property
    def joined(self) -> Joined:
        return "OR", self.operands


ChangeExpression = ChangeType | Not | And | Or

# --- When to look (Fetch) ------------------------------------------------------------------------


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MINUTES_OF_A_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Hours:
    """When a page may be looked at, in the time zone of the user.

    `days` are numbers from 0 (Monday) to 6, in order; () means every day. `between` are spans of the day in
    minutes since midnight, without their end; () means the whole day. A span that ends before it begins runs
    over midnight and belongs to the day on which it begins.
    """

    days: tuple[int, ...] = ()
    between: tuple[tuple[int, int], ...] = ()


ALWAYS = Hours()


@dataclass(frozen=True, slots=True)
class FetchEvery:
    interval: timedelta
    hours: Hours = ALWAYS


@dataclass(frozen=True, slots=True)
class FetchOnChange:
    """Best effort: the page is looked at when it tends to change."""

    hours: Hours = ALWAYS


@dataclass(frozen=True, slots=True)
class FetchAt:
    """At these times of the day (minutes since midnight, in order), on these days (as in `Hours`)."""

    times: tuple[int, ...]
    days: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FetchCron:
    """At the times of a cron expression: minute, hour, day of the month, month, day of the week."""

    expression: str


FetchWhen = FetchEvery | FetchOnChange | FetchAt | FetchCron

# --- For how long (From/To, L4) ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AtTime:
    """A time point; `time` None means `Now`. A time without a zone is in the user's zone."""

    time: datetime | None = None
    plus: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class AtEvent:
    """An event in the life of another sentinel: `start(s)`, `end(s)` or, in From only, `during(s)`."""

    event: Literal["start", "end", "during"]
    sentinel: str
    plus: timedelta = timedelta(0)


TimePoint = AtTime | AtEvent


@dataclass(frozen=True, slots=True)
class LifeSpan:
    """One From/To pair. `start` None means from now; `end` None means for a year."""

    start: TimePoint | None = None
    end: TimePoint | None = None


NEVER_ENDS = datetime(9999, 12, 31)  # noqa: DTZ001  (a date in the zone of the user)
"""The end of a sentinel that never ends: the last day that a text can name."""


def is_never(end: datetime) -> bool:
    """Tells whether an end is the last day that can be named, in whatever zone that day is."""
    return end.year >= NEVER_ENDS.year


# --- Whom to tell (Notify By … Every …, L6) ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contact:
    """One way to reach the user: `email jill@example.org`, `webhook https://…`, `log`."""

    channel: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class NotifyEvery:
    interval: timedelta


@dataclass(frozen=True, slots=True)
class NotifyEachChanges:
    count: int


class NotifyAt(StrEnum):
    IMMEDIATE = "immediate"
    BEST_EFFORT = "best effort"
    INTERACTIVE = "interactive"


NotifyWhen = NotifyEvery | NotifyEachChanges | NotifyAt

# --- Compared with which version (L7) ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compare:
    """Which versions are compared: `pairwise`, `every n` or `moving n`."""

    how: Literal["pairwise", "every", "moving"] = "pairwise"
    n: int = 1


# --- Clauses that WebVigil adds to the language (L8) ----------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page, named by a CSS selector, an XPath, a JSON path, a regular expression or words, or
    its main part."""

    by: Literal["css", "xpath", "json", "regex", "words", "main"]
    argument: str | tuple[str, ...]


def part_key(within: tuple[Part, ...], ignore: tuple[Part, ...]) -> str:
    """Returns a text that is equal for equal parts; "" for the whole page."""
    if not within and not ignore:
        return ""
    plain = [[[part.by, part.argument] for part in parts] for parts in (within, ignore)]
    import hashlib

    return hashlib.blake2b(json.dumps(plain).encode(), digest_size=16).hexdigest()


MAIN = Part("main", "")
"""The part that matters: without navigation, header, footer, banners and the like."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison of a `When` clause.

        changed > 50%       Condition("changed", ">", 50.0, "%"); also inserted deleted updated moved score
        value < 10          Condition("value", "<", 10.0)
        value drops 10%     Condition("value", "drops", 10.0, "%"); also rises moves
        appears "sold out"  Condition("appears", text="sold out"); also disappears
        appears /sold.out/  Condition("appears", "matches", text="sold.out"); also disappears
        contains "sold out" Condition("contains", text="sold out")
        matches /sold.out/  Condition("contains", "matches", text="sold.out")
        value between 5 and 9   Condition("value", "between", 5.0, upper=9.0); also status
        status >= 500       Condition("status", ">=", 500.0)
        price < 100         Condition("price", "<", 100.0); also drops rises moves between, as of a value
        in stock            Condition("in stock"); also out of stock
        means "it is sold out"  Condition("means", text="it is sold out")

    The comparisons are < <= > >= = !=. `part` is what a condition on a text or a value is about, if that is
    not what the sentinel watches: `contains "sold out" in css "#stock"`.
    """

    subject: str
    operator: str = ""
    number: float | None = None
    unit: str = ""
    text: str = ""
    upper: float | None = None
    part: Part | None = None

    @property
    def is_state(self) -> bool:
        """True if it tells how something stands, not what happened to it, so that it can begin to hold."""
        return self.subject in STATES and self.operator not in MOVES


OF_PRODUCTS = frozenset({"price", "in stock", "out of stock"})
STATES = frozenset({"contains", "value", "status"}) | OF_PRODUCTS
MOVES = frozenset({"drops", "rises", "moves"})


@dataclass(frozen=True, slots=True)
class NotCondition:
    operand: WhenCondition

    @property
    def joined(self) -> Joined:
        return "NOT", (self.operand,)


@dataclass(frozen=True, slots=True)
class AllConditions:
    operands: tuple[WhenCondition, ...]

    @property
    def joined(self) -> Joined:
        return "AND", self.operands


@dataclass(frozen=True, slots=True)
class AnyCondition:
    operands: tuple[WhenCondition, ...]

    @property
    def joined(self) -> Joined:
        return "OR", self.operands


@dataclass(frozen=True, slots=True)
class Becomes:
    """`becomes contains "sold out"`: the condition holds now and did not hold before."""

    operand: WhenCondition

    @property
    def joined(self) -> Joined:
        return "BECOMES", (self.operand,)


WhenCondition = Condition | NotCondition | AllConditions | AnyCondition | Becomes


def change_types(expression: ChangeExpression | None) -> Iterator[ChangeType]:
    """Yields the change types of an expression, in the order they are written."""
    return leaves(expression) if expression is not None else iter(())


def conditions_of(condition: WhenCondition | None) -> Iterator[Condition]:
    """Yields the single conditions of a `When` clause, in the order in which they are written."""
    return leaves(condition) if condition is not None else iter(())


# The parts that conditions can be about: a text stands in a part of the page, a value is found in it.
PARTS_OF_TEXT: tuple[str, ...] = ("css", "xpath", "json", "main")
PARTS_OF_VALUE: tuple[str, ...] = ("css", "xpath", "json", "regex")


def no_part(condition: Condition) -> str:
    """Says why a condition cannot be about its part; "" if it can, or names none."""
    if condition.part is None:
        return ""
    if condition.subject == "value":
        by = PARTS_OF_VALUE
    elif condition.subject in ("contains", "appears", "disappears"):
        by = PARTS_OF_TEXT
    else:
        return f"{condition.subject} is about the page, not about a part of it"
    if condition.part.by in by:
        return ""
    said = "matches" if condition.operator == "matches" else condition.subject
    return f"{said} … in takes {', '.join(by[:-1])} or {by[-1]}, not {condition.part.by}"


LONGEST_QUESTION = 500


def no_question(text: str) -> str:
    """Says why a text cannot stand behind `means`; "" if it can."""
    if not text or text != " ".join(text.split()):
        return "means takes a sentence in one line"
    if len(text) > LONGEST_QUESTION:
        return f"the sentence behind means has more than {LONGEST_QUESTION} letters"
    return ""


def is_about_meaning(one: WhenCondition) -> bool:
    return isinstance(one, Condition) and one.subject == "means"


def questions_of(condition: WhenCondition | None) -> tuple[str, ...]:
    """Returns the sentences behind `means`, in the order in which they are written, each once."""
    asked = (one.text for one in conditions_of(condition) if is_about_meaning(one))
    return tuple(dict.fromkeys(asked))


def no_state(condition: WhenCondition) -> str:
    """Says why a condition cannot stand behind `becomes`; "" if it can."""
    said = "becomes takes what is there, such as contains or value <; {} tells what happens by itself"
    other = next((one for one in conditions_of(condition) if not one.is_state), None)
    if other:
        return said.format(other.operator if other.operator in MOVES else other.subject)
    return "becomes stands once before a condition" if _has_becomes(condition) else ""


def _has_becomes(condition: WhenCondition) -> bool:
    joined: Joined | None = getattr(condition, "joined", None)
    return joined is not None and (joined[0] == "BECOMES" or any(map(_has_becomes, joined[1])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentinel:
    """What one user wrote. Everything but the name and the target may be left out.

    Expressions, targets and conditions are nested at most 100 levels deep, and AND and OR have at least two
    operands: `language` prints no others. `loud` are the parts that are excepted from
    `quiet`.
    """

    name: str
    target: Target
    title: str | None = None
    monitor: ChangeExpression | None = None
    fetch: FetchWhen | None = None
    life: tuple[LifeSpan, ...] = ()
    contacts: tuple[Contact, ...] = ()
    notify: NotifyWhen | None = None
    compare: Compare | None = None
    within: tuple[Part, ...] = ()
    ignore: tuple[Part, ...] = ()
    quiet: Literal["on", "off"] | None = None
    loud: tuple[Part, ...] = ()
    only: Literal["new"] | None = None
    when: WhenCondition | None = None
    depth: int | None = None
    steps: tuple[Step, ...] = ()
    render: Literal["http", "browser"] | None = None
    wait: Step | None = None
    through: str | None = None
    agent: str | None = None
    timeout: timedelta | None = None
    topics: tuple[str, ...] = ()
    message: Message | None = None
    summary: Literal["on", "off"] | None = None
    priority: int | None = None
    present: Literal["dual", "single", "only", "auto"] | None = None


def approach_of(sentinel: Sentinel) -> Approach:
    """Returns how the pages of the sentinel are approached."""
    seconds = int(sentinel.timeout.total_seconds()) if sentinel.timeout else 0
    found = Approach(
        steps=sentinel.steps,
        wait=sentinel.wait,
        through=sentinel.through or "",
        agent=sentinel.agent or "",
        timeout=seconds,
    )
    return PLAIN if found == PLAIN else found


def render_of(sentinel: Sentinel) -> Literal["http", "browser", "status"]:
    """Returns how the pages of the sentinel are fetched. Steps can be taken in a browser only."""
    if sentinel.monitor == STATUS:
        return "status"
    return sentinel.render or ("browser" if sentinel.steps else "http")


class State(StrEnum):
    """Where a sentinel stands in its life (V2)."""

    WAITING = "waiting"
    ACTIVE = "active"
    DISABLED = "disabled"
    EXPIRED = "expired"
    FAILED = "failed"
