"""A file of captures in, the past of watched pages out: versions, and the changes found between them.

A capture becomes a version if its address is that of a page which the user watches, it is older than the
first version that the user sees of the page, and it differs from the capture before. The versions are then
compared as the worker compares them, so that lists of changes, search and values over time know the past.
Nobody is told of such changes, and they count as seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from webvigil.app.moving.sources import Pointer, Progress, Source, Unreadable
from webvigil.app.operating.stores import repository
from webvigil.app.pages.documents import Digests, signature_of
from webvigil.app.pages.find import FindStore, page_of
from webvigil.app.pages.view import SeenPage, ViewStore, seen_page
from webvigil.app.sentinels.lookup import watching
from webvigil.app.settings import Settings
from webvigil.app.worker.evaluate import Evaluator
from webvigil.document import PageDigest
from webvigil.errors import DocumentRefused, SentinelRefused
from webvigil.model.page import normal_url
from webvigil.model.past import PastChange, PastVersion
from webvigil.model.version import Version
from webvigil.model.work import DuePage, Watch
from webvigil.store.objects import open_objects
from webvigil.store.promises import Pasts
from webvigil.store.repository import PageRepository

# Sentences about single captures that are kept for the report.
_MOST_TOLD = 1000
# Addresses that a sentence names.
_MOST_NAMED = 3


class PastStore(FindStore, ViewStore, Protocol):
    """The parts of the knowledge base that bringing a past needs."""

    pasts: Pasts


@dataclass(slots=True)
class BroughtPage:
    """What became of the captures of one page."""

    id: int
    url: str
    versions: int = 0
    changes: int = 0
    unchanged: int = 0
    later: int = 0
    not_pages: int = 0
    oldest: datetime | None = None
    newest: datetime | None = None


@dataclass(slots=True)
class Brought:
    """What an import did. `others` counts captures of addresses that the user does not watch. `troubles`
    names what could not be read, and `untold` counts further such troubles."""

    pages: list[BroughtPage] = field(default_factory=list)
    others: int = 0
    troubles: list[str] = field(default_factory=list)
    untold: int = 0

    def trouble(self, said: str) -> None:
        if len(self.troubles) < _MOST_TOLD:
            self.troubles.append(said)
        else:
            self.untold += 1


def bring_past(
    knowledge: PastStore,
    settings: Settings,
    source: Source,
    *,
    page: str | None = None,
    again: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Brought:
    """Makes the captures of a source the past of the pages that the user watches, or of one `page`. A page
    that has a past already is refused, unless its past is to be brought `again`."""
    done = Brought()
    watched = _watched(knowledge, settings, page)
    found: dict[int, list[Pointer]] = {}
    for one in source.pointers(progress):
        if isinstance(one, Unreadable):
            done.trouble(one.said)
        elif (id_ := watched.get(_address(one.url))) is None:
            done.others += 1
        else:
            found.setdefault(id_, []).append(one)
    if not again:
        _refuse_twice(knowledge, settings, found)
    for id_, pointers in found.items():
        seen = seen_page(knowledge, settings, settings.user, id_)
        bringing = _Bringing(knowledge, settings, source, seen, done)
        done.pages.append(bringing.brought(pointers, dry_run=dry_run))
    return done


def _refuse_twice(knowledge: PastStore, settings: Settings, pages: Iterable[int]) -> None:
    """Raises SentinelRefused if one of the pages has a past already, before anything is brought."""
    known = [one for one in pages if knowledge.pasts.of(one, settings.user)]
    if known:
        urls = ", ".join(knowledge.versions.page(one).url for one in known[:_MOST_NAMED])
        more = f" and {len(known) - _MOST_NAMED:,} more" if len(known) > _MOST_NAMED else ""
        verb = "has" if len(known) == 1 else "have"
        raise SentinelRefused(
            f"{urls}{more} {verb} a past already; it is replaced only if you ask for it (again)"
        )


def forget_past(knowledge: PastStore, settings: Settings, page: int) -> int:
    """Removes the past that the user brought to a page, and returns how many versions it had."""
    gone = knowledge.pasts.forget(page, settings.user)
    open_objects(settings.objects_url).delete(gone)
    return len(gone)


def _watched(knowledge: PastStore, settings: Settings, page: str | None) -> dict[str, int]:
    """Returns the ids of the pages whose past can be brought, by every address that stands for them. Answers
    of forms that are sent by POST are left out: an archive does not say which values they were for."""
    if page is None:
        ids = {one.id for sentinel in knowledge.sentinels.all(settings.user) for one in sentinel.pages}
    else:
        wanted = page_of(knowledge, settings.user, page)
        there = watching(knowledge.sentinels, settings.user, [wanted])
        ids = {one.id for sentinel in there for one in sentinel.pages} & {wanted}
    found: dict[str, int] = {}
    for id_ in sorted(ids):
        identity = knowledge.versions.page(id_)
        if identity.method != "GET" or identity.fields:
            continue
        newest = seen_page(knowledge, settings, settings.user, id_).some(limit=1)
        for url in (identity.url, *(one.url for one in newest)):
            found.setdefault(_address(url), id_)
    return found


def _address(url: str) -> str:
    """Returns the address under which captures are found: without the scheme, because archives rarely tell
    http and https apart."""
    try:
        return normal_url(url).partition("://")[2]
    except ValueError:
        return ""


class _Bringing:
    """Brings the past of one page."""

    def __init__(
        self, knowledge: PastStore, settings: Settings, source: Source, seen: SeenPage, done: Brought
    ) -> None:
        self._knowledge = knowledge
        self._settings = settings
        self._source = source
        self._seen = seen
        self._done = done
        self._pages: PageRepository = repository(settings, knowledge.versions)

    def brought(self, pointers: Sequence[Pointer], *, dry_run: bool) -> BroughtPage:
        """Brings the past of the page, in the place of the one that it may have. Without any version to
        bring, the old past stays."""
        told = BroughtPage(self._seen.id, self._knowledge.versions.page(self._seen.id).url)
        ordered = sorted(self._before_us(pointers, told), key=lambda one: one.at)
        versions = list(self._kept(ordered, told, dry_run=dry_run))
        told.versions = len(versions)
        if versions:
            told.oldest, told.newest = versions[0].fetched_at, versions[-1].fetched_at
        if not dry_run and versions:
            forget_past(self._knowledge, self._settings, self._seen.id)
            made = self._knowledge.pasts.bring(self._seen.id, self._settings.user, versions)
            changes = list(self._changes(made))
            self._knowledge.pasts.tell(self._seen.id, changes)
            told.changes = len(changes)
        return told

    def _before_us(self, pointers: Sequence[Pointer], told: BroughtPage) -> Iterator[Pointer]:
        first = self._first()
        for one in pointers:
            if first and one.at >= first.fetched_at:
                told.later += 1
            elif not 200 <= one.status < 300:
                told.not_pages += 1
            else:
                yield one

    def _first(self) -> Version | None:
        """Returns the first version of the page that we fetched ourselves and the user sees."""
        return next(iter(self._seen.some(after=0, oldest_first=True, limit=1)), None)

    def _kept(
        self, pointers: Sequence[Pointer], told: BroughtPage, *, dry_run: bool
    ) -> Iterator[PastVersion]:
        """Stores the answers that differ from the one before, each relative to it."""
        payload, signature, before = "", "", ""
        for one in pointers:
            if one.payload and one.payload == payload:
                told.unchanged += 1
                continue
            try:
                answer = self._source.answer(one)
            except DocumentRefused as error:
                self._done.trouble(f"{one.url} of {one.at:%Y-%m-%d %H:%M:%S}: {error}")
                continue
            payload, now = one.payload, signature_of(answer)
            if now == signature:
                told.unchanged += 1
                continue
            signature = now
            kept = None if dry_run else self._pages.keep(answer, after=before)
            before = kept.object if kept else ""
            yield PastVersion(
                fetched_at=one.at,
                url=one.url,
                status=one.status,
                signature=now,
                object=before,
                size=len(answer.body),
                base=kept.base if kept else "",
                stored=kept.stored if kept else 0,
            )

    def _changes(self, past: Sequence[Version]) -> Iterator[PastChange]:
        """Yields what the user's sentinels would have found. The versions are counted from 1 on, as for the
        worker, and end with the first version that we fetched ourselves."""
        first = self._first()
        versions = [*past, first] if first else list(past)
        digests = Digests(self._pages)

        def digest(place: int) -> PageDigest:
            return digests.of(versions[place - 1].object)

        watches = [
            replace(one, reference=1, measured_from=0, next_at=0)
            for one in self._knowledge.sentinels.watching(self._seen.id)
            if one.user == self._settings.user
        ]
        evaluator = Evaluator()
        for newest in range(2, len(versions) + 1):
            compared = evaluator.compare(self._due(watches), watches, newest, digest)
            for one in compared:
                for found in one.found:
                    yield PastChange(
                        sentinel=one.watch.sentinel,
                        old_version=versions[found.old - 1].number,
                        new_version=versions[found.new - 1].number,
                        found_at=versions[found.new - 1].fetched_at,
                        findings=found.findings,
                    )
            watches = [
                replace(one.watch, reference=one.reference, measured_from=one.measured_from)
                for one in compared
            ]

    def _due(self, watches: Sequence[Watch]) -> DuePage:
        page = self._knowledge.versions.page(self._seen.id)
        return DuePage.unscheduled(page, tuple(watches), self._seen.id)
