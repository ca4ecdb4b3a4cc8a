"""How a page's looks are paced, as the store keeps it: opaque memories of pages, and one steering for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from webvigil.model.moment import Millis

POLICIES = ("learned", "bea", "naive")
"""How a best-effort rule may choose its times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceRecord:
    """What the best-effort rule of a page remembers, read by `pace` alone, and hints since the last look."""

    memory: bytes = b""
    pings: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPace:
    """After a look: the new memory, when the best-effort rule looks next, and how many hints were used up.

    `share` is what the page asks of a budget, the square root of its weight times its rate.
    """

    memory: bytes
    next_at: Millis
    share: float = 0.0
    pings: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """What all pages together ask of a budget, and the hosts that ask most."""

    total: float
    hosts: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Steering:
    """How all workers together keep to a budget of looks (A4).

    `price` 0: not reckoned yet. `late` sums the relative lateness of `looks` since the last trimming; `fixed`
    counts the looks that no price moves, since the last reckoning, and `fixed_rate` is how many they are an
    hour. `full_at`: when the bucket of looks is full again.
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
