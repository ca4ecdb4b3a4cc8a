"""What an installed sentinel watches on its pages now, from the newest versions that are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webvigil.app.documents import document_of
from webvigil.app.opening import repository
from webvigil.app.settings import Settings
from webvigil.graph.preview import watched
from webvigil.language import parse
from webvigil.model.change import Finding
from webvigil.model.installed import InstalledSentinel
from webvigil.store.promises import Knowledge


@dataclass(frozen=True, slots=True)
class WatchedNow:
    url: str
    version: int
    findings: tuple[Finding, ...]


def watched_now(
    knowledge: Knowledge, settings: Settings, installed: InstalledSentinel
) -> Iterator[WatchedNow]:
    sentinel = parse(installed.text)[0]
    pages = repository(settings)
    for page in installed.pages:
        if page.latest:
            answer = pages.answer(knowledge.versions.get(page.id, page.latest).object)
            yield WatchedNow(page.url, page.latest, watched(document_of(answer), sentinel))
