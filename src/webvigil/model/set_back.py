"""The record that the database's clock was set back, and the smallest step back that counts."""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.model.moment import Millis

TOLERANCE: Millis = 3_000
"""In milliseconds. Synchronised clocks jump by less than this, and a delay of this length is not noticed."""

WRITTEN_EVERY: Millis = 60_000
"""In milliseconds: how often an idle server records the time, so that a clock set back is noticed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetBack:
    """When it was noticed that the clock was set back, and by how much."""

    at: Millis
    by: Millis
