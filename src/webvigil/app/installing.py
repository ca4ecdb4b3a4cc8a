"""Texts of sentinels become installed sentinels."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from webvigil.app.settings import Settings
from webvigil.language import parse, print_sentinel
from webvigil.model.installed import InstalledSentinel, NewSentinel
from webvigil.model.page import Page
from webvigil.model.sentinel import Sentinel
from webvigil.rules.install import installation
from webvigil.store.promises import Knowledge


def install_text(knowledge: Knowledge, settings: Settings, text: str) -> list[InstalledSentinel]:
    return install(knowledge, settings, parse(text))


def install(
    knowledge: Knowledge, settings: Settings, sentinels: Iterable[Sentinel]
) -> list[InstalledSentinel]:
    """All of them or none; a later one may name an earlier one."""
    planned: dict[str, NewSentinel] = {}

    def pages_of(name: str) -> tuple[Page, ...]:
        if name in planned:
            return planned[name].pages
        known = knowledge.sentinels.get(settings.user, name)
        return tuple(knowledge.versions.page(page.id) for page in known.pages)

    new: list[NewSentinel] = []
    for sentinel in sentinels:
        new.append(
            installation(
                sentinel,
                user=settings.user,
                text=print_sentinel(sentinel),
                pages_of=pages_of,
                default_interval=timedelta(seconds=settings.default_interval),
                minimum_interval=timedelta(seconds=settings.minimum_interval),
            )
        )
        planned[sentinel.name] = new[-1]
    installed = knowledge.sentinels.add(*new)
    for one in installed:
        knowledge.journal.record("SentinelInstalled", one.name, {"user": settings.user})
    return installed
