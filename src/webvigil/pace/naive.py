"""A fixed interval: look at the same distance, for ever. What was missed is not made up for."""

from __future__ import annotations

from webvigil.model.moment import Millis


def next_look(planned: Millis, interval: Millis, now: Millis) -> Millis:
    """The first step of the grid planned, planned + interval, … that lies after now."""
    missed = max(0, now - planned) // interval
    return planned + (missed + 1) * interval
