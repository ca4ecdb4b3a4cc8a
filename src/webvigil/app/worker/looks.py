"""When versions of a page were seen in, how much time passed between them out."""

from __future__ import annotations

from itertools import takewhile
from typing import Protocol

from webvigil.detect.quiet.advance import DAY
from webvigil.errors import NotFound
from webvigil.model.moment import Millis, as_millis
from webvigil.model.work import NOT_SEEN, DuePage
from webvigil.store.promises import Journal, Versions
from webvigil.trigger.clock import Apart

# Looks that are counted; after so many a place would be forgotten ten times over.
_MOST_UNSEEN = 200


class _Store(Protocol):
    """The parts of the knowledge base that know when a page was looked at."""

    journal: Journal
    versions: Versions


class Looks:
    """The looks at a page up to the one at `now`, which sees version `newest`. The store is asked when a time
    on the page is to be judged, and not before."""

    def __init__(self, knowledge: _Store, due: DuePage, newest: int, now: Millis) -> None:
        self._knowledge = knowledge
        self._due = due
        self._newest = newest
        self._now = now

    def apart(self, old: int, new: int) -> Apart | None:
        """Returns how much time passed between the last look that saw `old` and the look that saw `new`; None
        if that is not known, as for versions before the newest."""
        if new != self._newest:
            return None
        try:
            first, last = self._seen(old)
        except NotFound:
            return None
        now = self._now / 1000
        return Apart(now - last / 1000, now - first / 1000, now % DAY)

    def unseen(self) -> int:
        """Returns how many looks right before this one did not see the page: they failed, or saw something
        else in its place."""
        if not self._due.doubt and not self._due.failures:
            return 0
        log = self._knowledge.journal.fetch_log(self._due.id, limit=_MOST_UNSEEN)
        return sum(1 for _ in takewhile(lambda look: look["decision"] in NOT_SEEN, log))

    def _seen(self, number: int) -> tuple[Millis, Millis]:
        """When a version may have been seen last: between these two times."""
        latest = self._due.latest
        if latest and number == latest.number:
            looks = self._knowledge.journal.last_looks([self._due.id]).get(self._due.id)
            if looks and looks.seen:
                return looks.seen, looks.seen
        versions = self._knowledge.versions
        first = as_millis(versions.get(self._due.id, number).fetched_at)
        if latest and number < latest.number:
            return first, as_millis(versions.get(self._due.id, number + 1).fetched_at)
        return first, self._now
