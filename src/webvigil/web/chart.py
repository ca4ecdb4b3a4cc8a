"""Values with their times in, the path of a small SVG chart out.

The line has steps, because nothing is known about a value between two checks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from webvigil.detect.quantities import parse_value
from webvigil.model.moment import on_clock

WIDTH, HEIGHT, MARGIN = 600, 120, 8


@dataclass(frozen=True, slots=True)
class Chart:
    path: str
    points: tuple[tuple[float, float, str], ...]
    lowest: str
    highest: str
    first: datetime
    last: datetime
    width: int = WIDTH
    height: int = HEIGHT


def chart(values: Iterable[tuple[datetime, str]], zone: tzinfo = UTC) -> Chart | None:
    """Returns the chart of the values that are numbers, or None if there are fewer than two of them. Times
    are labelled in `zone`."""
    found = [
        (moment.timestamp(), float(number), text, moment)
        for moment, text in values
        if (number := parse_value(text).number) is not None
    ]
    if len(found) < 2:
        return None
    first, last = found[0][0], found[-1][0]
    low, high = min(found, key=lambda one: one[1]), max(found, key=lambda one: one[1])
    wide, tall = max(last - first, 1e-9), max(high[1] - low[1], 1e-9)
    placed = [
        (
            MARGIN + (at - first) / wide * (WIDTH - 2 * MARGIN),
            HEIGHT - MARGIN - (number - low[1]) / tall * (HEIGHT - 2 * MARGIN),
            f"{on_clock(moment, zone)}: {text}",
        )
        for at, number, text, moment in found
    ]
    steps = [f"M{placed[0][0]:.1f} {placed[0][1]:.1f}"]
    steps += [f"H{x:.1f}V{y:.1f}" for x, y, _ in placed[1:]]
    return Chart("".join(steps), tuple(placed), low[2], high[2], found[0][3], found[-1][3])
