"""A new text for an installed sentinel in, the changed sentinel out; what the sentinel found before stays.

The new text is verified like a new sentinel, except that it may have the same name. Sentinels that are set on
the edited one (`Using sentinel NAME`) watch the same pages, so their pages change with it (L3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from webvigil.app.sentinels.fields import fields_of, with_fields
from webvigil.app.sentinels.install import InstallStore
from webvigil.app.sentinels.registry import Registry, verifier
from webvigil.app.settings import Settings
from webvigil.app.telling.contacts import ask_the_unverified
from webvigil.errors import SentinelRefused
from webvigil.language import parse, print_sentinel
from webvigil.model.installed import InstalledSentinel, NewSentinel
from webvigil.model.moment import as_datetime
from webvigil.model.sentinel import Sentinel
from webvigil.rules.inherit import targets
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
    stands after the sentinel it is set on."""
    texts = [one.written for one in sentinels.all(user)]
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
