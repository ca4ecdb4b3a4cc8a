"""Removes what nobody needs any more: old versions (R1), old log entries, unwatched pages, removed sentinels.

The objects of a version go with it. A removed sentinel goes when its removal can no longer be undone.

The collector works beside any number of workers, and may be killed at any point. Versions go in two steps:
first they stop being versions; then, when no other version is stored relative to them, their rows are
deleted, and after the rows their objects. An object without a row that is older than a day was left over by a
worker or a collector that was killed. Such an object can be deleted safely: keys are never used twice, and
work under way ends within hours, so nobody can be about to write a row for it. Logs (looks, delivered
notices, entries of the journal) are deleted in small steps with a pause after each, so that others who write
to the database wait for one step at most.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from typing import Protocol, Self

from webvigil.app.pages.retention import Policy, plan
from webvigil.app.sentinels.removal import KEPT
from webvigil.app.settings import Settings
from webvigil.community.broadcasting import BROADCAST, BROADCASTS_STAND, BROADCASTS_TOLD
from webvigil.errors import WebVigilError
from webvigil.model.history import Ages, Forgotten, Use
from webvigil.model.moment import Millis, span
from webvigil.store.objects import open_objects
from webvigil.store.objects.keys import DIGEST, PICTURE, PICTURES
from webvigil.store.promises import Histories, Journal, Logs, Objects, Questions, Schedule, Sentinels

_log = logging.getLogger("webvigil.collector")

_LAST = "collected_at"
# Pages whose versions are judged, and objects that are swept, with one query.
_PAGES, _OBJECTS = 200, 1000
# Removed sentinels that are deleted in one transaction.
_SENTINELS = 20
# Rows that one step through a log reads. A step takes a few milliseconds in SQLite and in PostgreSQL.
_ROWS = 500
# Pause after a step, in seconds, in which others can write to the database.
_BREATH = 0.01
# An object without a row is deleted when it is older than this.
_LEFT_OVER = timedelta(days=1)
# Seconds between two checks whether a collection is due.
_GLANCE = 60.0
_ENDINGS = (PICTURE, PICTURES, DIGEST)
# Length of the keys that older repositories used. Several versions may share such an object.
_OLD_KEY = 64


class _Store(Protocol):
    """The parts of the knowledge base that the collector needs."""

    histories: Histories
    journal: Journal
    logs: Logs
    questions: Questions
    schedule: Schedule
    sentinels: Sentinels


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """How much one collection removed: versions and their objects, digests that no comparison needs now,
    objects left over by killed processes, old looks, notices and events (entries of the journal), unwatched
    pages, and sentinels that were removed a while ago."""

    pages: int = 0
    versions: int = 0
    objects: int = 0
    digests: int = 0
    left_over: int = 0
    looks: int = 0
    notices: int = 0
    events: int = 0
    abandoned: int = 0
    sentinels: int = 0

    def __add__(self, other: Self) -> Collected:
        return Collected(
            **{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        )


class Collector:
    """Removes what `policy` lets go. With `dry_run` it only counts."""

    def __init__(
        self,
        knowledge: _Store,
        objects: Objects,
        policy: Policy,
        *,
        dry_run: bool = False,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`now` is the clock by which the ages of objects are measured."""
        self._knowledge = knowledge
        self._objects = objects
        self._policy = policy
        self._dry_run = dry_run
        self._now = now
        self._stopping = False

    def collect(self) -> Collected:
        """Removes everything that may go, and returns how much that was. Logs go before pages, so that a page
        whose looks are gone can go in the same run; removed sentinels go before both."""
        logs = self._removed() + self._logs()
        versions = sum((self._page(page) for page in self._pages()), logs)
        return sum((self._swept(some) for some in self._batches()), versions)

    async def collect_for_ever(self, interval: Millis) -> None:
        """Collects every `interval` milliseconds until cancelled; 0 means never. All workers do this;
        whichever comes first when a collection is due runs it."""
        try:
            while interval:
                try:
                    await asyncio.to_thread(self._collect_when_due, interval)
                except WebVigilError as error:
                    _log.warning("Cannot remove old versions and logs now, trying again: %s", error)
                await asyncio.sleep(_GLANCE)
        finally:
            self._stopping = True

    def _collect_when_due(self, interval: Millis) -> None:
        now, journal = self._knowledge.schedule.now(), self._knowledge.journal
        if 0 <= now - int(journal.fact(_LAST) or 0) < interval:
            return
        journal.remember(_LAST, str(now))
        removed = told(self.collect())
        _log.info("%s", removed)

    def _removed(self) -> Collected:
        """Deletes the sentinels whose removal can no longer be undone. A dry run leaves them out: what would
        go with them cannot be told before."""
        sentinels = self._knowledge.sentinels
        before, went = self._knowledge.schedule.now() - span(KEPT), 0
        while not self._stopping and not self._dry_run:
            some = sentinels.forget_removed(before, limit=_SENTINELS)
            went += some
            if some < _SENTINELS:
                break
            time.sleep(_BREATH)
        return Collected(sentinels=went)

    # --- logs and abandoned pages ---------------------------------------------------------------------

    def _logs(self) -> Collected:
        now = self._knowledge.schedule.now()
        ages, logs = self._policy.ages(now), self._knowledge.logs
        if not ages.log:
            return Collected()
        standing = now - BROADCASTS_STAND
        events = partial(logs.forget_events, sparing={BROADCAST: standing, BROADCASTS_TOLD: standing})
        return Collected(
            looks=self._walked(logs.forget_looks, ages),
            notices=self._walked(logs.forget_notices, ages),
            events=self._walked(events, ages) + self._walked(self._knowledge.questions.forget, ages),
            abandoned=self._walked(logs.forget_pages, ages),
        )

    def _walked(self, step: Callable[..., Forgotten], ages: Ages) -> int:
        """Removes entries of one log step by step, with the objects that belong to them, and returns how
        many."""
        removed, after = 0, 0
        while not self._stopping:
            went = step(ages, after=after, limit=_ROWS, dry_run=self._dry_run)
            removed += went.removed
            if not self._dry_run:
                self._remove([key + ending for key in went.objects for ending in ("", *_ENDINGS)])
            if went.next is None:
                break
            after = went.next
            time.sleep(_BREATH)
        return removed

    # --- versions -------------------------------------------------------------------------------------

    def _pages(self) -> Iterator[int]:
        last = 0
        while some := self._knowledge.histories.pages(after=last, limit=_PAGES):
            for page in some:
                if self._stopping:
                    return
                yield page
            last = some[-1]

    def _page(self, page: int) -> Collected:
        """Removes versions of one page in two steps: first they stop being versions, then rows and objects
        go."""
        histories = self._knowledge.histories
        history = histories.of(page)
        planned = plan(history, self._policy, self._knowledge.schedule.now())
        if self._dry_run:
            return Collected(pages=1, versions=len(planned.drop), objects=len(planned.forget))
        dropped = histories.drop(page, planned.drop) if planned.drop else []
        gone = histories.forget(page, planned.forget) if planned.forget else []
        bare = [one.object for one in history.versions if one.number in dropped]
        self._remove([*gone, *(key + ending for key in {*bare, *gone} for ending in _ENDINGS)])
        return Collected(pages=1, versions=len(dropped), objects=len(gone))

    def _remove(self, keys: Iterable[str]) -> None:
        """Deletes objects, except those with keys of older repositories: other versions may use these, so the
        sweep decides about them."""
        self._objects.delete([key for key in keys if len(key.partition(".")[0]) != _OLD_KEY])

    # --- objects --------------------------------------------------------------------------------------

    def _batches(self) -> Iterator[list[tuple[str, datetime]]]:
        listed = iter(self._objects.aged())
        while not self._stopping and (some := list(islice(listed, _OBJECTS))):
            yield some

    def _swept(self, some: list[tuple[str, datetime]]) -> Collected:
        """Deletes, of some objects, those that no row names and that are old enough, and digests that are not
        needed."""
        owners = {key: key.partition(".")[0] for key, _ in some}
        uses = self._knowledge.histories.uses(list(dict.fromkeys(owners.values())))
        border = self._now() - _LEFT_OVER
        left = [key for key, since in some if owners[key] not in uses and since < border]
        idle = [key for key, owner in owners.items() if owner in uses and not _of_use(key, uses[owner])]
        if not self._dry_run:
            self._objects.delete([*left, *idle])
        return Collected(digests=len(idle), left_over=len(left))


def told(went: Collected, did: str = "Removed") -> str:
    """Returns one sentence on how much was removed, for the log and the command line."""
    return (
        f"{did} {went.versions} of the versions of {went.pages} pages ({went.objects} objects), "
        f"{went.digests} digests, {went.left_over} objects left over; "
        f"{went.looks} looks, {went.notices} notices, {went.events} entries of the journal, "
        f"{went.abandoned} pages without a sentinel, {went.sentinels} removed sentinels."
    )


def _of_use(key: str, use: Use) -> bool:
    if key.endswith(DIGEST):
        return use is Use.COMPARED
    return not key.endswith((PICTURE, PICTURES)) or use is not Use.RESTED_ON


def collector(knowledge: _Store, settings: Settings, *, dry_run: bool = False) -> Collector:
    policy = Policy(
        versions=settings.keep_versions,
        days=settings.keep_days,
        bytes=settings.keep_bytes,
        log_days=settings.log_days,
    )
    return Collector(knowledge, open_objects(settings.objects_url), policy, dry_run=dry_run)
