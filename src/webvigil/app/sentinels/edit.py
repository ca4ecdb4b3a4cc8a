"""A new text for an installed sentinel in, the changed sentinel out; what the sentinel found before stays.

The new text is verified like a new sentinel, except that it may have the same name. Sentinels that are set on
the edited one (`Using sentinel NAME`) watch the same pages, so their pages change with it (L3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from webvigil.app.sentinels.fields import fields_of, with_fields
from webvigil.app.sentinels.install import InstallStore
from webvigil.app.sentinels.lookup import every
from webvigil.app.sentinels.registry import Registry, verifier
from webvigil.app.settings import Settings
from webvigil.app.telling.contacts import ask_the_unverified
from webvigil.errors import SentinelRefused
from webvigil.language import parse, print_sentinel
from webvigil.model.installed import InstalledSentinel, NewSentinel
from webvigil.model.moment import as_datetime, zone_named
from webvigil.model.sentinel import NEVER_ENDS, AtTime, Sentinel
from webvigil.model.wanted import WantedSentinels
from webvigil.rules.inherit import targets
from webvigil.rules.life import A_YEAR, spans_of
from webvigil.rules.order import in_order
from webvigil.store.promises import Sentinels

_ON_A_SENTINEL = re.compile(r" Using .*\bsentinel\b", re.IGNORECASE)


def edit(knowledge: InstallStore, settings: Settings, name: str, text: str) -> InstalledSentinel:
    """Gives a sentinel another text and returns it. A life span with the same words continues; another one
    begins now.

    Raises SentinelRefused with all reasons, or MistakeInText for a text that cannot be read.
    """
    knowledge.sentinels.get(settings.user, name)
    sentinel = _the_one(name, text)
    now = as_datetime(knowledge.schedule.now())
    registry = verifier(knowledge, settings, now, edited=name)
    refused = registry.take_all([sentinel])
    if refused:
        raise SentinelRefused("; ".join(refused[name]))
    new = replace(registry.planned[name], notices=())
    ask_the_unverified(knowledge, settings.user, [registry.sentinels[name]])
    followers = [followed(registry, one) for one in set_on(knowledge.sentinels, settings.user, name)]
    return knowledge.sentinels.replace(new, *followers)[0]


def edit_fields(knowledge: InstallStore, settings: Settings, name: str, **values: str) -> InstalledSentinel:
    """Writes these fields of the form, such as `fetch` or `topic`, into the text of a sentinel."""
    present = parse(knowledge.sentinels.get(settings.user, name).written)[0]
    texts: dict[str, Any] = dict(values)
    changed = with_fields(present, replace(fields_of(present), **texts))
    return edit(knowledge, settings, name, print_sentinel(changed))


def look_with_browser(knowledge: InstallStore, settings: Settings, name: str) -> InstalledSentinel:
    """Lets a sentinel see its pages as a browser renders them: the remedy for pages that refuse programs."""
    present = parse(knowledge.sentinels.get(settings.user, name).written)[0]
    return edit(knowledge, settings, name, print_sentinel(replace(present, render="browser")))


def never_end(knowledge: InstallStore, settings: Settings, name: str) -> InstalledSentinel:
    """Takes the end away from a sentinel. One that has ended begins again."""
    return _end_at(knowledge, settings, name, NEVER_ENDS)


def end_in_a_year(knowledge: InstallStore, settings: Settings, name: str) -> InstalledSentinel:
    """Lets a sentinel end a year from today. One that has ended begins again."""
    zone = zone_named(knowledge.users.get(settings.user).zone)
    today = as_datetime(knowledge.schedule.now()).astimezone(zone).date()
    return _end_at(knowledge, settings, name, datetime.combine(today + A_YEAR, time()))


def _end_at(knowledge: InstallStore, settings: Settings, name: str, end: datetime) -> InstalledSentinel:
    """Writes the end of the last life span into the text of a sentinel."""
    installed = knowledge.sentinels.get(settings.user, name)
    ending = ending_at(installed, parse(installed.written)[0], end)
    return edit(knowledge, settings, name, print_sentinel(ending))


def ending_at(installed: InstalledSentinel, present: Sentinel, end: datetime) -> Sentinel:
    """Returns a sentinel whose last life span ends then. A start that has passed is left out: no life can
    begin in the past."""
    *before, last = spans_of(present)
    has_begun = (installed.life.within or installed.life.over) and installed.life.span == len(before)
    if has_begun:
        before = []
        last = replace(last, start=None) if isinstance(last.start, AtTime) else last
    return replace(present, life=(*before, replace(last, end=AtTime(end))))


def _the_one(name: str, text: str) -> Sentinel:
    found = parse(text)
    if len(found) != 1:
        raise SentinelRefused(f"the text of one sentinel is wanted, and there are {len(found)}")
    if found[0].name != name:
        raise SentinelRefused(
            f"a sentinel keeps its name: write Create Sentinel {name}, not {found[0].name}; "
            "another name is another sentinel"
        )
    return found[0]


def set_on(sentinels: Sentinels, user: str, name: str) -> Iterator[Sentinel]:
    """Yields the sentinels that are set on this one, directly or through others, in an order in which each
    stands after the sentinel it is set on. All of them watch the addresses that this one watches."""
    first = sentinels.get(user, name).pages[:1]
    beside = (one for page in first for one in every(sentinels, WantedSentinels(user=user, address=page.url)))
    texts = [one.written for one in beside]
    found = {name}
    for one in in_order(parse(text)[0] for text in texts if _ON_A_SENTINEL.search(text)):
        if found & set(targets(one.target)):
            found.add(one.name)
            yield one


def followed(registry: Registry, sentinel: Sentinel) -> NewSentinel:
    """Returns a sentinel that is set on the edited one, with the pages that it watches now."""
    registry.edited = sentinel.name
    refused = registry.take(sentinel)
    if refused:
        raise SentinelRefused(f"{sentinel.name}, which goes with it: {'; '.join(refused)}")
    return replace(registry.planned[sentinel.name], notices=())
