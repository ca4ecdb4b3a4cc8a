"""Texts of sentinels become installed sentinels."""

from __future__ import annotations

from datetime import timedelta

from webvigil.app.settings import Settings
from webvigil.language import parse, print_sentinel
from webvigil.model.installed import InstalledSentinel
from webvigil.model.page import Page
from webvigil.model.sentinel import Sentinel
from webvigil.rules.install import installation
from webvigil.store.promises import Knowledge


def install_text(knowledge: Knowledge, settings: Settings, text: str) -> list[InstalledSentinel]:
    """All sentinels of the text, in order; later ones may name earlier ones."""
    return [install(knowledge, settings, sentinel) for sentinel in parse(text)]


def install(knowledge: Knowledge, settings: Settings, sentinel: Sentinel) -> InstalledSentinel:
    user = settings.user

    def pages_of(name: str) -> tuple[Page, ...]:
        return tuple(knowledge.versions.page(page.id) for page in knowledge.sentinels.get(user, name).pages)

    new = installation(
        sentinel,
        user=user,
        text=print_sentinel(sentinel),
        pages_of=pages_of,
        default_interval=timedelta(seconds=settings.default_interval),
        minimum_interval=timedelta(seconds=settings.minimum_interval),
    )
    installed = knowledge.sentinels.add(new)
    knowledge.journal.record("SentinelInstalled", sentinel.name, {"user": user})
    return installed
