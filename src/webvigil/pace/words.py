"""What is known of a page's pace in, a phrase for people out.

changes every 6 hours like clockwork
changes about every 40 minutes, mostly on workdays between 9 and 17 h UTC
no change seen in 3 days
"""

from __future__ import annotations

import numpy as np

from webvigil.model.moment import Millis, every, in_words
from webvigil.pace.learned.experts import knows_habits
from webvigil.pace.learned.state import LearnedState

# The weight of the experts from which a page is called regular, and that from which its hours are told.
_REGULAR = 0.5
_SEASONAL = 0.2
_QUIET = 3.0
"""A silence of so many usual gaps is worth telling."""
# The busy hours are the shortest window of at most _LONGEST_WINDOW hours with this share of all changes.
_MOST = 0.8
_HALF_A_DAY = 43_200_000
_LONGEST_WINDOW = 9
# The days of a week count from the epoch, which began on a Thursday: days 2 and 3 are the weekend.
_WEEKEND = (2, 3)
# With less than this share of its changes on the weekend (an even week has 0.29), a page keeps workdays.
_WEEKEND_SHARE = 0.12


def habit(state: LearnedState, now: Millis) -> str:
    """Says in words how a page changes, as far as is known."""
    known = state.known
    silence = now - known.detected
    if not known.changes:
        return (
            f"no change seen in {in_words(silence)}"
            if silence >= 1_000
            else "nothing known of its changes yet"
        )
    gap = known.rate.belief.span / known.rate.belief.shape
    regular = known.weights[1] + known.weights[2] > _REGULAR and state.guard.trusts
    told = f"changes {every(known.clock.period)} like clockwork" if regular else f"changes about {every(gap)}"
    hours = _hours(state, daily=regular and gap >= _HALF_A_DAY)
    quiet = silence > _QUIET * gap and not hours
    return (
        told
        + (f", mostly {hours}" if hours else "")
        + (f", but not for {in_words(silence)}" if quiet else "")
    )


def _hours(state: LearnedState, *, daily: bool) -> str:
    """Says when the page is busy: on workdays, and the shortest part of a day in which most changes fall.

    Returns "" if too little is known or the page has no such hours.
    """
    known = state.known
    if not knows_habits(known) or not (daily or known.weights[3] >= _SEASONAL):
        return ""
    week = np.array(known.habits.calendar.week.counts).reshape(7, 24)
    if not week.any():  # all changes so far were in the hour that is still counted
        return ""
    days = "on workdays" if week[list(_WEEKEND)].sum() < _WEEKEND_SHARE * week.sum() else ""
    window = _window(week.sum(axis=0) / week.sum())
    clock = f"between {window[0]} and {window[1]} h UTC" if window else ""
    return " ".join(filter(None, (days, clock)))


def _window(shares: np.ndarray) -> tuple[int, int] | None:
    """Returns the first and last hour of the shortest window with most changes; None if it is too long."""
    twice = np.concatenate([[0.0], np.cumsum(np.tile(shares, 2))])
    for length in range(1, _LONGEST_WINDOW + 1):
        sums = twice[length : length + 24] - twice[:24]
        if sums.max() >= _MOST:
            start = int(sums.argmax())
            return start, (start + length - 1) % 24 + 1
    return None
