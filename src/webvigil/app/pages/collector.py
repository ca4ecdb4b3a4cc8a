"""The collector: removes versions that nobody needs any more, objects that no version names (R1), and what
was written down long ago: looks, delivered notices, entries of the journal, pages that no sentinel watches.

It works beside any number of workers, and may be killed at any point. Versions go in two steps: first they
are versions no more; then, when none is stored relative to them, the rows go, and after the rows their
objects. Objects that no row names and that are older than a day are left over from a worker or a collector
that was killed. Keys are never used twice, and what is under way ends within hours or not at all, so that
nobody can be about to name them.

Logs are walked in small steps with a breath after each, so that whoever writes to the store waits for one
step at most.
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
from typing import Self

from webvigil.app.pages.retention import Policy, plan
from webvigil.app.settings import Settings
from webvigil.community.broadcasting import BROADCAST, BROADCASTS_STAND, BROADCASTS_TOLD
from webvigil.errors import WebVigilError
from webvigil.model.history import Ages, Forgotten, Use
from webvigil.model.moment import Millis
from webvigil.store.objects import open_objects
from webvigil.store.objects.keys import DIGEST, PICTURE, PICTURES
from webvigil.store.promises import Knowledge, Objects

_log = logging.getLogger("webvigil.collector")

_LAST = "collected_at"
_PAGES, _OBJECTS = 200, 1000
# Rows that one step through a log looks at: a few milliseconds in SQLite and PostgreSQL alike.
_ROWS = 500
# The rest after a step, in seconds.
_BREATH = 0.01
_LEFT_OVER = timedelta(days=1)
# How often to see whether it is time, in seconds.
_GLANCE = 60.0
_ENDINGS = (PICTURE, PICTURES, DIGEST)
# Keys of older repositories, which several versions may share.
_OLD_KEY = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What went: versions and their objects, digests that no comparison needs now, what the killed left; old
    looks, notices and events (entries of the journal); pages that were abandoned."""

    pages: int = 0
    versions: int = 0
    objects: int = 0
    digests: int = 0
    left_over: int = 0
    looks: int = 0
    notices: int = 0
    events: int = 0
    abandoned: int = 0

    def __add__(self, other: Self) -> Collected:
        return Collected(
            **{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        )


class Collector:
    def __init__(
        self,
        knowledge: Knowledge,
        objects: Objects,
        policy: Policy,
        *,
        dry_run: bool = False,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`now` is the clock that the ages of objects are counted by."""
        self._knowledge = knowledge
        self._objects = objects
        self._policy = policy
        self._dry_run = dry_run
        self._now = now
        self._stopping = False

    def collect(self) -> Collected:
        """Logs go before pages, so that a page whose looks have gone can go in the same turn."""
        logs = self._logs()
        versions = sum((self._page(page) for page in self._pages()), logs)
        return sum((self._swept(some) for some in self._batches()), versions)

    async def collect_for_ever(self, interval: Millis) -> None:
        """Once in so many milliseconds, whichever of the workers comes first."""
        try:
            while interval:
                try:
                    await asyncio.to_thread(self._collect_when_due, interval)
                except WebVigilError as error:
                    _log.warning("nothing is collected now: %s", error)
                await asyncio.sleep(_GLANCE)
        finally:
            self._stopping = True

    def _collect_when_due(self, interval: Millis) -> None:
        now, journal = self._knowledge.schedule.now(), self._knowledge.journal
        if 0 <= now - int(journal.fact(_LAST) or 0) < interval:
            return
        journal.remember(_LAST, str(now))
        _log.info("%s", told(self.collect()))

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
            events=self._walked(events, ages),
            abandoned=self._walked(logs.forget_pages, ages),
        )

    def _walked(self, step: Callable[..., Forgotten], ages: Ages) -> int:
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
        """Old objects may be named by others as well, and are left to the sweep."""
        self._objects.delete([key for key in keys if len(key.partition(".")[0]) != _OLD_KEY])

    # --- objects --------------------------------------------------------------------------------------

    def _batches(self) -> Iterator[list[tuple[str, datetime]]]:
        listed = iter(self._objects.aged())
        while not self._stopping and (some := list(islice(listed, _OBJECTS))):
            yield some

    def _swept(self, some: list[tuple[str, datetime]]) -> Collected:
        owners = {key: key.partition(".")[0] for key, _ in some}
        uses = self._knowledge.histories.uses(list(dict.fromkeys(owners.values())))
        border = self._now() - _LEFT_OVER
        left = [key for key, since in some if owners[key] not in uses and since < border]
        idle = [key for key, owner in owners.items() if owner in uses and not _of_use(key, uses[owner])]
        if not self._dry_run:
            self._objects.delete([*left, *idle])
        return Collected(digests=len(idle), left_over=len(left))


def told(went: Collected, did: str = "Removed") -> str:
    """For the log and the command line."""
    return (
        f"{did} {went.versions} of the versions of {went.pages} pages ({went.objects} objects), "
        f"{went.digests} digests, {went.left_over} objects left over; "
        f"{went.looks} looks, {went.notices} notices, {went.events} entries of the journal, "
        f"{went.abandoned} pages without a sentinel."
    )


def _of_use(key: str, use: Use) -> bool:
    if key.endswith(DIGEST):
        return use is Use.COMPARED
    return not key.endswith((PICTURE, PICTURES)) or use is not Use.RESTED_ON


def collector(knowledge: Knowledge, settings: Settings, *, dry_run: bool = False) -> Collector:
    policy = Policy(
        versions=settings.keep_versions,
        days=settings.keep_days,
        bytes=settings.keep_bytes,
        log_days=settings.log_days,
    )
    return Collector(knowledge, open_objects(settings.objects_url), policy, dry_run=dry_run)
