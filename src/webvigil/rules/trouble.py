"""When users are told that a page fails or shows a sentinel nothing, and when that ends (V4).

Users are told of a failing page after `FAILURES` looks in a row or `PATIENCE` after the first failure,
whichever is sooner, and no later than `GRACE` plus the sentinel's interval after it. Nobody looks at a page
between two tries, so users are also told if the next try would come after that moment. Each trouble is told
once, and so is its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webvigil.model.moment import HOUR, Millis
from webvigil.model.trouble import UNSEEN, Trouble, Why

if TYPE_CHECKING:
    from webvigil.model.work import DuePage, Watch

# V4 asks that users hear of a page that keeps failing and gives no numbers. These bound how long a user may
# take a dead page for an unchanged one; tests/app/worker/test_troubles.py covers them.
FAILURES = 3
PATIENCE: Millis = 6 * HOUR
GRACE: Millis = HOUR

NOT_JUDGED = (Why.UNSEEN, Why.FAILING)
"""After these states a sentinel's part is looked for again even on a page that has not changed."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The trouble of a watch begins, turns into another one or ends. `silent`: a change tells its user at the
    same time."""

    watch: Watch
    now: Trouble
    silent: bool = False

    @property
    def begins(self) -> bool:
        return bool(self.now) and self.now.why is not self.watch.trouble.why

    @property
    def ends(self) -> bool:
        """Says whether a trouble ended. A failing page that answers again has ended its trouble, even if
        something else is wrong with it now."""
        before = self.watch.trouble
        # The chain reads: it was FAILING before, and it is not FAILING now.
        return bool(before) and (not self.now or before.why is Why.FAILING is not self.now.why)


def latest_telling(watch: Watch, since: Millis) -> Millis:
    """Returns the moment by which a user must know of a page that has been failing since then."""
    return since + min(PATIENCE, watch.interval + GRACE)


def after_failure(
    due: DuePage, *, failures: int, since: Millis, next_try: Millis, reason: str
) -> tuple[Turn, ...]:
    """Returns the watches whose user must be told now that the page fails. Linked pages are left out, because
    dead links are common."""
    return tuple(
        Turn(watch, Trouble(Why.FAILING, reason))
        for watch in due.watches
        if not watch.level
        and watch.trouble.why is not Why.FAILING
        and (failures >= FAILURES or next_try > latest_telling(watch, since))
    )


def after_look(due: DuePage, judged: Mapping[int, Trouble], changed: frozenset[int]) -> tuple[Turn, ...]:
    """Returns the watches whose trouble changed by a look at the page. `judged` is the trouble that the look
    showed, by sentinel; `changed` are the sentinels that found a change."""
    return tuple(
        Turn(watch, now, watch.sentinel in changed)
        for watch in due.watches
        if not watch.level and (now := _now(watch, judged)) != watch.trouble
    )


def _now(watch: Watch, judged: Mapping[int, Trouble]) -> Trouble:
    """Returns the trouble after the look. For a page that answers again, a sentinel whose time has not come
    yet counts as not having looked."""
    back = UNSEEN if watch.trouble.why is Why.FAILING else watch.trouble
    return judged.get(watch.sentinel, back)
