"""A sentinel in, sentences out that tell what it does: what about, when it looks, whom it tells, until when.

The text of the sentinel stands beside the sentences, so that its language is learnt by reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple

from webvigil.document.naming import JOINT
from webvigil.language.printer import print_sentinel
from webvigil.language.times import clock_text
from webvigil.model.change_types import KINDS, VARIANTS
from webvigil.model.installed import InstalledSentinel
from webvigil.model.life import is_endless
from webvigil.model.moment import every, span
from webvigil.model.request import Request
from webvigil.model.sentinel import (
    ALWAYS,
    WEEKDAYS,
    And,
    ChangeExpression,
    ChangeType,
    Contact,
    FetchAt,
    FetchCron,
    FetchEvery,
    Hours,
    Not,
    NotifyAt,
    NotifyEachChanges,
    NotifyEvery,
    NotifyWhen,
    Or,
    Part,
    Sentinel,
    State,
    approach_of,
    requests_in,
)

_LONGEST = 60  # characters of a word or selector that a sentence quotes
# Values that are named; further ones are counted.
_NAMED = 3
_BY = {"css": "the part", "xpath": "the part", "json": "the data at"}
_BY |= {
    "regex": "what matches",
    "words": "the words",
}
_MEANS = {"email": "mail", "webhook": "web hook", "webpush": "push message", "feed": "feed", "log": "log"}


class Sentence(NamedTuple):
    """One sentence about a sentinel. `about` is its subject: what, when, tell or until. `strong` is the part
    of the sentence that says most."""

    about: str
    before: str
    strong: str
    after: str = ""


def plain_words(
    sentinel: Sentinel,
    installed: InstalledSentinel,
    zone: tzinfo,
    *,
    labels: Sequence[str] = (),
    habit: str = "",
) -> list[Sentence]:
    """Returns the sentences. `labels` name what the values belong to on their page; `habit` says how the page
    changes."""
    return [
        *_what(sentinel, labels),
        *_how(sentinel),
        _when(sentinel, habit),
        _whom(sentinel.contacts, sentinel.notify),
        _until(installed, zone),
    ]


def _what(sentinel: Sentinel, labels: Sequence[str]) -> Iterator[Sentence]:
    told = expression(sentinel.monitor, labels) if sentinel.monitor else "words, links and pictures"
    parts = [f", in {_parts(sentinel.within)}"] if sentinel.within else []
    parts += [f", without {_parts(sentinel.ignore)}"] if sentinel.ignore else []
    parts += [", only what was never there before"] if sentinel.only == "new" else []
    whenever = "" if sentinel.when else ", whenever it differs"
    yield Sentence("what", "Tells about ", told, f"{''.join(parts)}{whenever}.")
    if sentinel.when:
        lines = print_sentinel(sentinel).splitlines()
        clause = next((line.removeprefix("When ") for line in lines if line.startswith("When ")), "")
        yield Sentence("what", "Only when ", clause, ".")


def _how(sentinel: Sentinel) -> Iterator[Sentence]:
    """Says how the page is reached, if that is anything to speak of."""
    count = len(sentinel.steps)
    if count:
        typed = ", and types a secret of yours" if approach_of(sentinel).secrets else ""
        steps = "1 step" if count == 1 else f"{count} steps"
        yield Sentence("what", "Goes there in a browser in ", steps, f"{typed}.")
    asked = [one.request for one in requests_in(sentinel.target)]
    if asked:
        sent = ", with a secret of yours" if any(one.secrets for one in asked) else ""
        yield Sentence("what", "Asks for it by ", " and ".join(dict.fromkeys(map(_asked, asked))), f"{sent}.")
    if sentinel.through:
        yield Sentence("what", "Goes through the proxy ", sentinel.through, ".")


def _asked(request: Request) -> str:
    """Returns how a page is asked for: `POST with a JSON body and 2 headers`."""
    bodies = {"json": "a JSON body", "form": "the fields of a form", "body": "a text"}
    count = len(request.headers)
    headers = ["1 header" if count == 1 else f"{count} headers"] if count else []
    said = [*([bodies[request.kind]] if request.kind else []), *headers]
    return request.method + (f" with {' and '.join(said)}" if said else "")


def expression(one: ChangeExpression, labels: Sequence[str] = ()) -> str:
    """Returns what is watched, such as `links and the phrase “low risk”`."""
    match one:
        case And(operands):
            return " together with ".join(expression(part, labels) for part in operands)
        case Or(operands):
            return " or ".join(expression(part, labels) for part in operands)
        case Not(operand):
            return f"no change of {expression(operand, labels)}"
        case ChangeType():
            return _change_type(one, labels)


def _change_type(one: ChangeType, labels: Sequence[str]) -> str:
    named = _quoted(one.arguments)
    match one.kind:
        case "value":
            return _called(labels) if labels else f"the value at {named}"
        case "all words":
            return f"all words except {named}" if one.option == "except" and named else "the words"
        case "keywords":
            return f"the keywords {named}"
        case "phrase":
            return f"the phrase {named}"
        case "table" | "list":
            return f"{one.kind} {named}" if not one.option else f"the {one.kind} {named}"
        case "regular expression":
            return f"what matches {named}"
        case "product":
            whose = "each variant of the product" if one.option == VARIANTS else "the product"
            return f"price, availability and name of {whose}"
    if one.kind in _PLAINLY:
        return _PLAINLY[one.kind]
    about = KINDS[one.kind].about if one.kind in KINDS else one.kind
    return f"{about} ({named})" if named else about


_PLAINLY = {
    "any change": "words, links and pictures",
    "all links": "links",
    "all images": "pictures",
    "visual": "how the page looks",
    "status": "whether the page is up, its status, address and certificate",
}


def _called(labels: Sequence[str]) -> str:
    """Returns the labels of values as a sentence says them: `Polaris sofa · Price` is the Price of Polaris
    sofa; of several values the first are named."""
    label, *others = labels
    if others:
        named = [label, *others][:_NAMED]
        more = len(labels) - len(named)
        ending = f" and {more} more" if more else ""
        return f"{len(labels)} values: {', '.join(named)}{ending}"
    thing, _, value = label.rpartition(JOINT)
    return f"the {value} of {thing}" if thing else f"the value “{label}”"


def _parts(parts: Sequence[Part]) -> str:
    return " and ".join(_part(one) for one in parts)


def _part(one: Part) -> str:
    if one.by == "main":
        return "the main part of the page"
    arguments = (one.argument,) if isinstance(one.argument, str) else one.argument
    return f"{_BY[one.by]} {_quoted(arguments)}"


def _quoted(texts: Sequence[str]) -> str:
    short = [text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in texts[:5]]
    return ", ".join([f"“{text}”" for text in short]) + (" and others" if len(texts) > 5 else "")


def _when(sentinel: Sentinel, habit: str) -> Sentence:
    match sentinel.fetch:
        case FetchEvery(interval, hours):
            return Sentence("when", "Looks ", every(span(interval)), f"{_hours(hours)}.")
        case FetchAt(times, days):
            return Sentence("when", "Looks at ", _listed(map(clock_text, times)), f"{_days(days)}.")
        case FetchCron(expression):
            return Sentence("when", "Looks at the times of the cron expression ", expression, ".")
    hours = sentinel.fetch.hours if sentinel.fetch else ALWAYS
    said = f"{_hours(hours)}; it {habit}." if habit else f"{_hours(hours)}."
    return Sentence("when", "Looks ", "when the page tends to change", said)


def _hours(hours: Hours) -> str:
    spans = [f"between {clock_text(start)} and {clock_text(end, 1440)}" for start, end in hours.between]
    said = _days(hours.days) + (f" {_listed(spans)}" if spans else "")
    return f",{said}" if said else ""


def _days(days: tuple[int, ...]) -> str:
    if not days:
        return ""
    short = {(0, 1, 2, 3, 4): "weekdays", (5, 6): "weekends"}
    return f" on {short.get(days) or _listed(WEEKDAYS[day].capitalize() for day in days)}"


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _whom(contacts: Sequence[Contact], notify: NotifyWhen | None) -> Sentence:
    ways = [
        f"by {_MEANS.get(one.channel, one.channel)}" + (f" to {one.address}" if one.address else "")
        for one in contacts
        if one.channel != "bulletin"
    ]
    told = " and ".join(["in the inbox", *ways])
    return Sentence("tell", "Tells you ", told, f"{_rhythm(notify)}.")


def _rhythm(notify: NotifyWhen | None) -> str:
    match notify:
        case NotifyEvery(interval):
            return f", {every(span(interval))}"
        case NotifyEachChanges(count):
            return f", after {count} changes"
        case NotifyAt.INTERACTIVE:
            return ", when you ask"
        case _:
            return ""


def until(installed: InstalledSentinel, zone: tzinfo) -> str:
    """Returns when a sentinel ends, or begins if it waits, as a sentence: `Until 4 April 2027.`"""
    said = _until(installed, zone)
    return f"{said.before}{said.strong}{said.after}"


def _until(installed: InstalledSentinel, zone: tzinfo) -> Sentence:
    life = installed.life
    if installed.state is State.EXPIRED:
        return Sentence("until", "Ended on ", _day(life.ended_at, zone), ".")
    if life.next_at is None:
        return Sentence("until", "", "Ends" if life.within else "Starts", " with another sentinel.")
    if is_endless(life):
        return Sentence("until", "", "Never ends", ".")
    word = "Until " if life.within else "Starts on "
    return Sentence("until", word, _day(life.next_at, zone), ".")


def _day(moment: datetime | None, zone: tzinfo) -> str:
    if moment is None:
        return "an unknown day"
    local = moment.astimezone(zone)
    return f"{local.day} {local:%B %Y}"
