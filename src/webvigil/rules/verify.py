"""Verification (V1): a Sentinel in, its Objections out: reasons against installing it.

Facts about the outside come in as `Surroundings`; nothing is looked up in this module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache, partial
from urllib.parse import urlsplit

from webvigil.errors import PatternRefused
from webvigil.model.change_types import KINDS
from webvigil.model.channels import CHANNELS
from webvigil.model.life import LifeRecord
from webvigil.model.moment import on_clock
from webvigil.model.objection import Objection
from webvigil.model.page import normal_url
from webvigil.model.sentinel import (
    STATUS,
    AtEvent,
    AtTime,
    ChangeType,
    Condition,
    Contact,
    FetchCron,
    FetchOnChange,
    FormPage,
    LifeSpan,
    Part,
    RequestPage,
    Sentinel,
    SeveralTargets,
    Target,
    WebPage,
    change_types,
    conditions_of,
    render_of,
)
from webvigil.rules.inherit import names
from webvigil.rules.life import time_of
from webvigil.rules.schedule import shortest_wait, trouble_with_cron
from webvigil.rules.verify_approach import about_approach


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The facts that verification needs. `life` returns the life of another sentinel of the user (None: no
    such sentinel); `forbidden` says why a host may not be visited ("" if it may). `secrets` returns the names
    of the secrets in the user's log-in for an address (None: no log-in); it is None
    itself if nobody knows. `scripts` says whether steps may run scripts; `proxies` are the names of the
    operator's proxies."""

    now: datetime
    zone: tzinfo
    minimum_interval: timedelta
    channels: Collection[str]
    life: Callable[[str], LifeRecord | None]
    forbidden: Callable[[str], str]
    secrets: Callable[[str], Collection[str] | None] | None = None
    scripts: bool = False
    proxies: Collection[str] = ()
    longest_timeout: timedelta = timedelta(minutes=2)


def objections(sentinel: Sentinel, around: Surroundings) -> list[Objection]:
    """Returns all reasons against installing the sentinel. The caller has checked before that its name is
    free and that the sentinels it names are in order."""
    return [
        *_about_names(sentinel, around),
        *_about_addresses(sentinel.target, around),
        *_about_intervals(sentinel, around),
        *_about_life(sentinel, around),
        *_about_patterns(sentinel),
        *_about_contacts(sentinel, around),
        *about_approach(sentinel, around),
    ]


def _about_names(sentinel: Sentinel, around: Surroundings) -> Iterator[Objection]:
    for name in names(sentinel):
        if name != sentinel.name and around.life(name) is None:
            yield Objection(f"there is no sentinel {name!r}", name)


def _about_addresses(target: Target, around: Surroundings) -> Iterator[Objection]:
    match target:
        case WebPage(url) | FormPage(url=url) | RequestPage(url=url):
            yield from _about_address(url, around)
        case SeveralTargets(_, targets):
            for one in targets:
                yield from _about_addresses(one, around)


def _about_address(url: str, around: Surroundings) -> Iterator[Objection]:
    try:
        host = urlsplit(normal_url(url)).hostname or ""
    except ValueError as error:
        yield Objection(str(error), url)
        return
    if reason := around.forbidden(host):
        yield Objection(f"{url} may not be watched: {reason}", url)


def _about_intervals(sentinel: Sentinel, around: Surroundings) -> Iterator[Objection]:
    fetch = sentinel.fetch
    if isinstance(fetch, FetchCron) and (trouble := trouble_with_cron(fetch.expression)):
        yield Objection(f"Fetch cron {fetch.expression!r}: {trouble}", "cron", fetch.expression)
    elif fetch is not None and not isinstance(fetch, FetchOnChange):
        shortest = timedelta(milliseconds=shortest_wait(fetch))
        if shortest < around.minimum_interval:
            yield Objection(
                f"Fetch every {_seconds(shortest)} is too often; "
                f"the shortest interval here is {_seconds(around.minimum_interval)}",
                "Fetch",
            )


def _about_life(sentinel: Sentinel, around: Surroundings) -> Iterator[Objection]:
    ends = [_known_time(span.end, around) for span in sentinel.life]
    if ends and all(end is not None and end <= around.now for end in ends):
        ended = on_clock(max(filter(None, ends)), around.zone)
        yield Objection(f"its life span lies in the past: it ended {ended}", "To")
        return
    for span in sentinel.life:
        yield from _about_span(span, around)


def _about_span(span: LifeSpan, around: Surroundings) -> Iterator[Objection]:
    start, end = _known_time(span.start, around), _known_time(span.end, around)
    if start and end and end <= start:
        ends, starts = (on_clock(one, around.zone, named=False) for one in (end, start))
        yield Objection(f"a life span ends ({ends}) before it starts ({starts})", "From", "To")
    for point in (span.start, span.end):
        if isinstance(point, AtEvent):
            yield from _about_event(point, around, starts=point is span.start)


def _about_event(point: AtEvent, around: Surroundings, *, starts: bool) -> Iterator[Objection]:
    other = around.life(point.sentinel)
    if other is None:
        return
    if other.failure or (other.over and _passed(point, other, around)):
        said = f"{point.event}({point.sentinel}) will not come: the sentinel {point.sentinel!r} has ended"
        yield Objection(said, point.event, point.sentinel)
    elif starts and point.event == "start" and other.within and _passed(point, other, around):
        yield Objection(
            f"start({point.sentinel}) has passed: {point.sentinel!r} is active already; "
            f"write From during({point.sentinel}) to start now",
            "start",
            point.sentinel,
        )


def _passed(point: AtEvent, other: LifeRecord, around: Surroundings) -> bool:
    """Says whether the event lies in the past. An event of this very moment does not, because the sentinel
    may have been tied to it."""
    happened = other.ended_at if point.event == "end" else other.started_at
    return happened is None or happened + point.plus < around.now


def _known_time(point: object, around: Surroundings) -> datetime | None:
    return time_of(point, around.now, around.zone) if isinstance(point, AtTime) else None


def _about_patterns(sentinel: Sentinel) -> Iterator[Objection]:
    """Yields objections against the parts, conditions and change types of a sentinel.

    What reads pages is imported only if there is a text of the user to try. A command that checks a sentinel
    without such a text starts in a third of the time.
    """
    for clause, parts in (("Within", sentinel.within), ("Ignore", sentinel.ignore)):
        for part in parts:
            words = (part.argument,) if isinstance(part.argument, str) else part.argument
            yield from _refusal(partial(_check_part, part), clause, part.by, *words[:1])
    for condition in conditions_of(sentinel.when):
        if condition.subject == "status" and sentinel.monitor != STATUS:
            yield Objection("When status needs Monitor status", "When", "status")
        if condition.operator == "matches":
            tried = partial(_check_part, Part("regex", condition.text))
            yield from _refusal(tried, "When", condition.text)
        yield from _about_part_of(condition)
    if sentinel.monitor is not None:
        yield from _about_status(sentinel)
        for change in change_types(sentinel.monitor):
            yield from _about_change_type(change)
            if change.kind == "visual" and render_of(sentinel) != "browser":
                said = "visual: only a page that is rendered has a picture; add Render browser"
                yield Objection(said, "visual")


def _about_part_of(condition: Condition) -> Iterator[Objection]:
    """Yields an objection against the part that a condition is about, if its selector cannot be read."""
    part = condition.part
    if part is None:
        return
    if condition.subject != "value":
        yield from _refusal(partial(_check_part, part), "When", part.by, str(part.argument))
        return
    from webvigil.detect.find import check

    watched = ChangeType("value", (str(part.argument),), part.by)
    yield from _refusal(partial(check, watched), "When", part.by, str(part.argument))


def _about_status(sentinel: Sentinel) -> Iterator[Objection]:
    """Yields what a sentinel that watches the state of a page cannot have. The state is watched in a document
    of its own, which has no parts and no links."""
    if STATUS in change_types(sentinel.monitor):
        others = {
            "Steps": bool(sentinel.steps),
            "Render": sentinel.render == "browser",
            "Depth": bool(sentinel.depth),
            "Within": bool(sentinel.within),
            "Ignore": bool(sentinel.ignore),
        }
        if sentinel.monitor != STATUS:
            said = "status is watched by itself; make another sentinel for what the page shows"
            yield Objection(said, "Monitor", "status")
        for clause in (name for name, given in others.items() if given):
            yield Objection(f"Monitor status is not about what the page shows; leave out {clause}", clause)


# Sentinels often share a change type, so each change type is checked once.
@lru_cache(4096)
def _about_change_type(change: ChangeType) -> tuple[Objection, ...]:
    if change.kind not in KINDS:
        return (Objection(f"the change type {change.kind!r} cannot be detected here", change.kind),)
    if not change.arguments:
        return ()
    from webvigil.detect.find import check

    return tuple(_refusal(partial(check, change), change.kind, *change.arguments[:1]))


def _check_part(part: Part) -> None:
    if part.by == "main":
        return
    from webvigil.document.masks import check

    check(part)


def _refusal(tried: Callable[[], object], where: str, *about: str) -> Iterator[Objection]:
    try:
        tried()
    except PatternRefused as error:
        yield Objection(f"{where}: {error}", where, *about)


def _about_contacts(sentinel: Sentinel, around: Surroundings) -> Iterator[Objection]:
    for contact in sentinel.contacts:
        if contact.channel not in around.channels:
            known = ", ".join(sorted(around.channels))
            kind = CHANNELS.get(contact.channel)
            hint = f", for {kind.lacking} (the setting {kind.needs})" if kind and kind.needs else ""
            said = f"nobody can be reached by {contact.channel!r} here{hint}; use one of: {known}"
            yield Objection(said, contact.channel)
        else:
            yield from _about_contact(contact, around)


def _about_contact(contact: Contact, around: Surroundings) -> Iterator[Objection]:
    kind = CHANNELS[contact.channel]
    if kind.checked == "mail" and not _is_address(contact.address):
        yield Objection(f"{contact.address!r} is not {kind.address}", contact.address)
    if kind.checked == "web":
        yield from _about_address(contact.address, around)
    if contact.address and not kind.address:
        said = f"{contact.channel} takes no address, and {contact.address!r} was given"
        yield Objection(said, contact.channel, contact.address)
    if kind.checked == "given" and kind.address and not contact.address:
        yield Objection(kind.ask or f"{contact.channel} needs {kind.address}", contact.channel)


def _is_address(text: str) -> bool:
    name, _, domain = text.rpartition("@")
    return bool(name) and "." in domain.strip(".") and not any(letter.isspace() for letter in text)


def _seconds(interval: timedelta) -> str:
    seconds = interval.total_seconds()
    return f"{seconds:g} second" + "s" * (seconds != 1)
