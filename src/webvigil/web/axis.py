"""Two moments in, the labels of an axis of time between them out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

LABELS = 5
"""No axis has more labels than this."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a place: in per cent on an axis of time, in pixels on an upright one. On a phone the `thin`
    ones are left out."""

    at: float
    text: str
    anchor: str = "middle"
    thin: bool = False


def axis(start: datetime, end: datetime, zone: tzinfo, last: str = "") -> Iterator[Label]:
    """Yields evenly spaced labels from `start` to `end` in `zone`; `last` replaces the text of the last. A
    label that says the same as the one before it is left out: the span has only seconds."""
    span, before = end - start, ""
    for place in range(LABELS):
        part = place / (LABELS - 1)
        is_last = place == LABELS - 1
        anchor = "start" if place == 0 else "end" if is_last else "middle"
        text = last if is_last and last else _said((start + span * part).astimezone(zone), span)
        if text != before:
            yield Label(round(100 * part, 2), text, anchor, thin=bool(place % 2))
        before = text


def day(of: date) -> str:
    """Returns a day without its year, such as `4 April`."""
    return f"{of.day} {of:%B}"


def _said(moment: datetime, span: timedelta) -> str:
    if span < timedelta(minutes=LABELS):
        return f"{moment:%H:%M:%S}"
    if span < timedelta(days=1):
        return f"{moment:%H:%M}"
    if span < timedelta(days=5):
        return f"{moment:%a %H:%M}"
    return f"{moment.day} {moment:%b}" if span <= timedelta(days=400) else f"{moment:%b %Y}"
