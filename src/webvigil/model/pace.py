"""The pacing of looks as the store keeps it: one opaque memory per page, and one steering for all pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from webvigil.model.moment import Millis

POLICIES = ("learned", "bea", "naive")
"""The policies by which a best-effort rule may choose its times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceRecord:
    """The memory of a page's best-effort rule, which only `pace` can read, and the number of hints since the
    last look."""

    memory: bytes = b""
    pings: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPace:
    """The pace of a page after a look: the new memory, the next best-effort look, and how many hints were
    used up.

    `share` is how much of a budget of looks the page asks for: the square root of its weight times its rate
    of change.
    """

    memory: bytes
    next_at: Millis
    share: float = 0.0
    pings: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """The sum of the shares of all pages, and the hosts with the largest shares."""

    total: float
    hosts: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Steering:
    """The numbers by which all workers together keep to a budget of looks (A4).

    `price` 0 means that no price was computed yet. `late` sums the relative lateness of the `looks` since the
    last trimming. `fixed` counts the looks at fixed intervals, which no price can move, since the price was
    last computed; `fixed_rate` is their number per hour. `full_at` is when the bucket of looks is full again.
    """

    price: float = 0.0
    trim: float = 1.0
    late: float = 0.0
    looks: int = 0
    fixed: int = 0
    fixed_rate: float = 0.0
    priced_at: Millis = 0
    trimmed_at: Millis = 0
    full_at: float = 0.0
