"""Verification (V1): a Sentinel in, reasons against installing it out, one sentence for each.

Facts about the outside come in as `Surroundings`; nothing is looked up in this module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from urllib.parse import urlsplit

from webvigil.detect.find import change_types, check
from webvigil.detect.registry import DETECTORS
from webvigil.document.masks import check as check_part
from webvigil.errors import PatternRefused
from webvigil.model.life import LifeRecord
from webvigil.model.moment import on_clock
from webvigil.model.page import normal_url
from webvigil.model.sentinel import (
    AtEvent,
    AtTime,
    ChangeType,
    Contact,
    FetchEvery,
    FormPage,
    LifeSpan,
    Part,
    Sentinel,
    SeveralTargets,
    Target,
    WebPage,
    conditions_of,
)
from webvigil.rules.inherit import names
from webvigil.rules.life import time_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The facts that verification needs. `life` returns the life of another sentinel of the user (None: no
    such sentinel); `forbidden` says why a host may not be visited ("" if it may)."""

    now: datetime
    zone: tzinfo
    minimum_interval: timedelta
    channels: Collection[str]
    life: Callable[[str], LifeRecord | None]
    forbidden: Callable[[str], str]


def objections(sentinel: Sentinel, around: Surroundings) -> list[str]:
    """Returns all reasons against installing the sentinel. The caller has checked before that its name is
    free and that the sentinels it names are in order."""
    return [
        *_about_names(sentinel, around),
        *_about_addresses(sentinel.target, around),
        *_about_intervals(sentinel, around),
        *_about_life(sentinel, around),
        *_about_patterns(sentinel),
        *_about_contacts(sentinel, around),
    ]


def _about_names(sentinel: Sentinel, around: Surroundings) -> Iterator[str]:
    for name in names(sentinel):
        if name != sentinel.name and around.life(name) is None:
            yield f"there is no sentinel {name!r}"


def _about_addresses(target: Target, around: Surroundings) -> Iterator[str]:
    match target:
        case WebPage(url) | FormPage(url=url):
            yield from _about_address(url, around)
        case SeveralTargets(_, targets):
            for one in targets:
                yield from _about_addresses(one, around)


def _about_address(url: str, around: Surroundings) -> Iterator[str]:
    try:
        host = urlsplit(normal_url(url)).hostname or ""
    except ValueError as error:
        yield str(error)
        return
    if reason := around.forbidden(host):
        yield f"{url} may not be watched: {reason}"


def _about_intervals(sentinel: Sentinel, around: Surroundings) -> Iterator[str]:
    if isinstance(sentinel.fetch, FetchEvery) and sentinel.fetch.interval < around.minimum_interval:
        yield (
            f"Fetch every {_seconds(sentinel.fetch.interval)} is too often; "
            f"the shortest interval here is {_seconds(around.minimum_interval)}"
        )


def _about_life(sentinel: Sentinel, around: Surroundings) -> Iterator[str]:
    ends = [_known_time(span.end, around) for span in sentinel.life]
    if ends and all(end is not None and end <= around.now for end in ends):
        yield f"its life span lies in the past: it ended {on_clock(max(filter(None, ends)), around.zone)}"
        return
    for span in sentinel.life:
        yield from _about_span(span, around)


def _about_span(span: LifeSpan, around: Surroundings) -> Iterator[str]:
    start, end = _known_time(span.start, around), _known_time(span.end, around)
    if start and end and end <= start:
        ends, starts = (on_clock(one, around.zone, named=False) for one in (end, start))
        yield f"a life span ends ({ends}) before it starts ({starts})"
    for point in (span.start, span.end):
        if isinstance(point, AtEvent):
            yield from _about_event(point, around, starts=point is span.start)


def _about_event(point: AtEvent, around: Surroundings, *, starts: bool) -> Iterator[str]:
    other = around.life(point.sentinel)
    if other is None:
        return
    if other.failure or (other.over and _passed(point, other, around)):
        yield f"{point.event}({point.sentinel}) will not come: the sentinel {point.sentinel!r} is over"
    elif starts and point.event == "start" and other.within and _passed(point, other, around):
        yield (
            f"start({point.sentinel}) has passed: {point.sentinel!r} is active already; "
            f"write From during({point.sentinel}) to start now"
        )


def _passed(point: AtEvent, other: LifeRecord, around: Surroundings) -> bool:
    """Says whether the event lies in the past. An event of this very moment does not, because the sentinel
    may have been tied to it."""
    happened = other.ended_at if point.event == "end" else other.started_at
    return happened is None or happened + point.plus < around.now


def _known_time(point: object, around: Surroundings) -> datetime | None:
    return time_of(point, around.now, around.zone) if isinstance(point, AtTime) else None


def _about_patterns(sentinel: Sentinel) -> Iterator[str]:
    for clause, parts in (("Within", sentinel.within), ("Ignore", sentinel.ignore)):
        for part in parts:
            yield from _refusal(lambda part=part: check_part(part), clause)  # type: ignore[misc]
    for condition in conditions_of(sentinel.when):
        if condition.operator == "matches":
            looked_for = Part("regex", condition.text)
            yield from _refusal(lambda part=looked_for: check_part(part), "When")  # type: ignore[misc]
    if sentinel.monitor is not None:
        for change in change_types(sentinel.monitor):
            yield from _about_change_type(change)
            if change.kind == "visual" and sentinel.render != "browser":
                yield "visual: only a page that is rendered has a picture; add Render browser"


# Sentinels often share a change type, so each change type is checked once.
@lru_cache(4096)
def _about_change_type(change: ChangeType) -> tuple[str, ...]:
    if change.kind not in DETECTORS:
        return (f"the change type {change.kind!r} cannot be detected here",)
    return tuple(_refusal(lambda: check(change), change.kind))


def _refusal(tried: Callable[[], object], where: str) -> Iterator[str]:
    try:
        tried()
    except PatternRefused as error:
        yield f"{where}: {error}"


_NO_MAIL = ", for the operator has named no mail server (the setting smtp_host)"


def _about_contacts(sentinel: Sentinel, around: Surroundings) -> Iterator[str]:
    for contact in sentinel.contacts:
        if contact.channel not in around.channels:
            known = ", ".join(sorted(around.channels))
            hint = _NO_MAIL if contact.channel == "email" else ""
            yield f"nobody can be reached by {contact.channel!r} here{hint}; use one of: {known}"
        else:
            yield from _about_contact(contact, around)


def _about_contact(contact: Contact, around: Surroundings) -> Iterator[str]:
    if contact.channel == "email" and not _is_address(contact.address):
        yield f"{contact.address!r} is not an e-mail address"
    if contact.channel == "webhook":
        yield from _about_address(contact.address, around)
    if contact.channel in ("log", "bulletin", "feed") and contact.address:
        yield f"{contact.channel} takes no address, and {contact.address!r} was given"
    if contact.channel == "apprise" and not contact.address:
        yield "say which service is meant: apprise \"NAME\" (add it with 'webvigil contact add apprise NAME')"


def _is_address(text: str) -> bool:
    name, _, domain = text.rpartition("@")
    return bool(name) and "." in domain.strip(".") and not any(letter.isspace() for letter in text)


def _seconds(interval: timedelta) -> str:
    return f"{interval.total_seconds():g} seconds"
