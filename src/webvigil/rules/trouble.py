"""When users are told that a page keeps failing or that a sentinel sees nothing there, and when it ends (V4).

A failing page is told after `FAILURES` looks in a row, or `PATIENCE` after the first of them, whichever is
sooner, and no later than the interval of the sentinel and `GRACE` after it. Nobody looks between two tries,
so a page is also told when its next try comes after that. Each trouble is told once, and so is its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from webvigil.model.moment import Millis
from webvigil.model.trouble import UNSEEN, Trouble, Why
from webvigil.model.work import DuePage, Watch

FAILURES = 3
PATIENCE: Millis = 6 * 3_600_000
GRACE: Millis = 3_600_000

NOT_JUDGED = (Why.UNSEEN, Why.FAILING)
"""What a sentinel watches on a page is looked for again after these, also where the page has not changed."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The trouble of a watch begins, becomes another or ends. `silent`: its user hears of it by a change."""

    watch: Watch
    now: Trouble
    silent: bool = False

    @property
    def begins(self) -> bool:
        return bool(self.now) and self.now.why is not self.watch.trouble.why

    @property
    def ends(self) -> bool:
        """A page that is back is told, whatever else is wrong with it."""
        before = self.watch.trouble
        return bool(before) and (not self.now or before.why is Why.FAILING is not self.now.why)


def latest_telling(watch: Watch, since: Millis) -> Millis:
    """The moment by which a user is to know of a page that has been failing since then."""
    return since + min(PATIENCE, watch.interval + GRACE)


def after_failure(
    due: DuePage, *, failures: int, since: Millis, next_try: Millis, reason: str
) -> tuple[Turn, ...]:
    """Of pages that were named only: links that lead nowhere are common."""
    return tuple(
        Turn(watch, Trouble(Why.FAILING, reason))
        for watch in due.watches
        if not watch.level
        and watch.trouble.why is not Why.FAILING
        and (failures >= FAILURES or next_try > latest_telling(watch, since))
    )


def after_look(due: DuePage, judged: Mapping[int, Trouble], changed: frozenset[int]) -> tuple[Turn, ...]:
    """`judged`: by sentinel, what the look showed of its trouble; `changed`: those that found a change."""
    return tuple(
        Turn(watch, now, watch.sentinel in changed)
        for watch in due.watches
        if not watch.level and (now := _now(watch, judged)) != watch.trouble
    )


def _now(watch: Watch, judged: Mapping[int, Trouble]) -> Trouble:
    """A page that is back says nothing yet of a sentinel whose time has not come."""
    back = UNSEEN if watch.trouble.why is Why.FAILING else watch.trouble
    return judged.get(watch.sentinel, back)
