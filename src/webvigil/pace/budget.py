"""A budget of looks, divided among pages so that the delay weighted by what each is worth is least (A4).

A page of rate λ and weight w, looked at every T, costs w·λ·T/2 of delay; least is the sum for a given number
of looks when T = sqrt(2·price / (w·λ)) with one price for all. So a budget becomes a price: half the square
of Σ sqrt(w·λ) over the looks allowed. A host with a budget of its own has a price of its own where its budget
is the tighter one. A price that only reacts to queues swings; this one is reckoned, and only trimmed by what
was seen: looks that came late raise it, looks that could be made early lower it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp, sqrt

from webvigil.model.moment import Millis
from webvigil.pace.policy import HOUR

REPRICED: Millis = 600_000
TRIMMED: Millis = 60_000
BUCKET: Millis = 360_000
"""How often the price is reckoned, how often it is trimmed, and the peak that is let through at once."""

_TRIMMING = 0.003
_CLIP = 0.5


@dataclass(frozen=True, slots=True)
class Demand:
    """What a page asks for: where it lives, changes per millisecond, and what its delay weighs."""

    host: str
    rate: float
    weight: float = 1.0

    @property
    def share(self) -> float:
        return sqrt(self.weight * self.rate)


def weight_of(priority: float, sentinels: int) -> float:
    """What a page's delay weighs: everybody who waits for it, the urgent more."""
    return max(priority, 0.01) * max(sentinels, 1)


@dataclass(frozen=True, slots=True)
class Prices:
    """The price of a look, in milliseconds of delay: one for all, and the dearer ones of tight hosts."""

    overall: float
    hosts: Mapping[str, float]

    def at(self, host: str) -> float:
        return self.hosts.get(host, self.overall)


def price(shares: float, looks_per_hour: float, trim: float = 1.0) -> float:
    """The price at which pages whose `share`s sum up to this make that many looks."""
    return 0.5 * (shares * HOUR / looks_per_hour) ** 2 * trim


def prices(
    pages: Iterable[Demand], looks_per_hour: float, host_looks_per_hour: Mapping[str, float]
) -> Prices:
    """What each page may cost at most, so that neither the whole budget nor that of a host is exceeded."""
    shares: defaultdict[str, float] = defaultdict(float)
    for page in pages:
        shares[page.host] += page.share
    return divided(sum(shares.values()), shares, looks_per_hour, host_looks_per_hour)


def divided(
    total: float,
    shares: Mapping[str, float],
    looks_per_hour: float,
    host_looks_per_hour: Mapping[str, float],
) -> Prices:
    """Hosts whose own budget is tighter than their part of the whole leave the rest to the others.

    `total` is what all hosts ask for, `shares` what those do that may be tight.
    """
    capped = sorted(
        (host for host in shares if host in host_looks_per_hour),
        key=lambda host: shares[host] / host_looks_per_hour[host],
        reverse=True,
    )
    left, looks, tight = total, looks_per_hour, {}
    for host in capped:
        own = price(shares[host], host_looks_per_hour[host])
        if looks > 0 and own <= price(left, looks):
            break
        tight[host] = own
        left, looks = left - shares[host], looks - host_looks_per_hour[host]
    return Prices(price(max(left, 0.0), looks) if looks > 0 else price(left, looks_per_hour), tight)


def threshold(price: float, rate: float, weight: float, *, knob: float = 0.5, typical: float = 0.0) -> float:
    """How many changes must be pending at a page to be worth a look at this price.

    `knob` trades delay (0.5, the least) for captures (0.25): below 0.5 pages faster than `typical` get more.
    """
    even = sqrt(2.0 * price * rate / weight)
    return even * (rate / typical) ** (knob - 0.5) if typical else even


def trimmed(trim: float, lateness: float) -> float:
    """After a minute, by the mean lateness of its looks relative to their wait; early looks count below 0."""
    return trim * exp(_TRIMMING * min(max(lateness, -_CLIP), _CLIP))


@dataclass(frozen=True, slots=True)
class Bucket:
    """Lets through so many looks per hour, and after a pause what has gathered in six minutes at once.

    `full_at` is the moment at which it will be full again.
    """

    looks_per_hour: float
    full_at: float = 0.0

    def next(self, wanted: float) -> float:
        """When a look that is wanted at this moment may be made."""
        return max(wanted, self.full_at - BUCKET)

    def taken(self, at: float) -> Bucket:
        return Bucket(self.looks_per_hour, max(self.full_at, at) + HOUR / self.looks_per_hour)
