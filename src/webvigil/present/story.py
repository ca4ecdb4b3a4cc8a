"""The looks at a page in, lines that read like a story out (F10).

    2026-12-01  08:00:03  first look: a new version (47 KB, 0.3 s): fetched for the first time
                          → nothing known of its changes yet; next look in 1 minute
                08:05:03  not modified (0.1 s): the server says so by ETag
                          … and 11 more times, until 09:00:04
                09:05:03  failed: the server answered 503; tried again in 20 seconds

Consecutive looks with the same outcome share one line. After each new version, and after the last look, the
story tells when the next look was planned, and why then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby, pairwise
from typing import Any

from webvigil.present.escape import one_line

_OUTCOMES = {"new version": "a new version", "same": "the same as before"}
_QUIET = ("not modified", "same", "postponed")
_MARGIN = " " * 10
_UNITS = ((1_000_000, "MB"), (1_000, "KB"), (1, "bytes"))

Look = dict[str, Any]


def story(looks: Sequence[Look]) -> Iterator[str]:
    """Yields the lines of the story. The looks come oldest first."""
    day = ""
    newest = looks[-1] if looks else None
    for _, group in groupby(looks, key=_same_story):
        first, *more = group
        today = f"{first['at']:%Y-%m-%d}"
        yield f"{today if today != day else _MARGIN}  {first['at']:%H:%M:%S}  {one_line(_told(first))}"
        day = today
        if more:
            last = more[-1]["at"]
            again = "once more" if len(more) == 1 else f"{len(more)} more times"
            when = f"{last:%H:%M:%S}" if f"{last:%Y-%m-%d}" == today else f"{last:%Y-%m-%d %H:%M:%S}"
            yield f"{_MARGIN}            … and {again}, until {when}"
        if first.get("left_out"):
            yield f"{_MARGIN}            left out: {one_line(first['left_out'])}"
        last_told = more[-1] if more else first
        if last_told is newest or (first["decision"] == "new version" and _was_learnt(last_told)):
            yield from _planned(last_told)


def habit_of(looks: Sequence[Look]) -> str:
    """Returns what the newest look says about how the page changes, "" if it says nothing. The looks come
    newest first."""
    plan = str(looks[0].get("plan", "")) if looks else ""
    return one_line(plan.partition("; next look")[0])


def pace_changes(looks: Sequence[Look]) -> list[tuple[datetime, str]]:
    """Returns the times at which something else was learnt about how the page changes, with the sentence that
    says it, newest first. The looks come newest first; what the oldest of them says is no news."""
    told = [(look["at"], habit) for look in reversed(looks) if (habit := habit_of([look]))]
    news = [(at, habit) for (_, before), (at, habit) in pairwise(told) if habit != before]
    return news[::-1]


def _planned(look: Look) -> Iterator[str]:
    if look.get("plan"):
        yield f"{_MARGIN}            → {one_line(look['plan'])}"


def _was_learnt(look: Look) -> bool:
    """Tells whether the next look was planned from the page's habits. The plan of a fixed interval is not
    worth a line."""
    return not str(look.get("plan", "")).startswith("looked at")


def _same_story(look: Look) -> tuple[object, ...]:
    """Returns a key that is equal for looks told in one line. A new version and a failure always have a line
    of their own."""
    if look["decision"] in _QUIET and not look["error"]:
        return (look["decision"], look["why"], look["reason"])
    if look["decision"] == "no page":
        return (look["decision"], look["why"], look["error"])
    return (look["at"], look["decision"], look["error"])


def _told(look: Look) -> str:
    why = "" if look["why"] == "due" else f"{look['why']}: "
    outcome = _OUTCOMES.get(look["decision"], look["decision"])
    if look["decision"] == "failed":
        return f"{why}failed: {look['error']}" + (f"; {look['reason']}" if look["reason"] else "")
    if look["decision"] == "no page":
        return f"{why}no page: {look['error']}"
    facts = ", ".join(filter(None, (_size(look["bytes"]), _time(look["duration"]))))
    told = (
        f"{why}{outcome}"
        + (f" ({facts})" if facts else "")
        + (f": {look['reason']}" if look["reason"] else "")
    )
    return told + (f"; trouble: {look['error']}" if look["error"] else "")


def _size(size: int) -> str:
    if size == 1:
        return "1 byte"
    for unit, name in _UNITS:
        if size >= unit:
            return f"{round(size / unit)} {name}"
    return ""


def _time(duration: int) -> str:
    return f"{duration / 1000:.1f} s" if duration >= 50 else ""
