"""A budget of looks and the demands of pages in, the price of a look out (A4).

The price divides the budget so that the total delay, weighted by what each page is worth, is least. A page of
rate λ and weight w, looked at every T, costs w·λ·T/2 of delay. For a given number of looks the sum is least
when T = sqrt(2·price / (w·λ)) with one price for all pages. So a budget becomes a price: half the square of Σ
sqrt(w·λ) over the looks allowed. A host with a budget of its own has a price of its own where its budget is
the tighter one.

A price that only reacted to queues would swing. This one is computed, and only trimmed by what was seen:
looks that came late raise it, looks that could be made early lower it.
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
"""How often the price is computed and trimmed, and how much unused time of the budget may be used at once."""

# A minute moves the price by at most exp(±_TRIMMING · _CLIP), about 0.15 %, so that it follows hours and not
# single peaks. The fleet of bench/quality/pace.py (`--only fleet`) shows what another value does.
_TRIMMING = 0.003
_CLIP = 0.5


@dataclass(frozen=True, slots=True)
class Demand:
    """What a page asks for: its host, its changes per millisecond, and what its delay weighs."""

    host: str
    rate: float
    weight: float = 1.0

    @property
    def share(self) -> float:
        """Returns the page's part in the sum from which the price follows."""
        return sqrt(self.weight * self.rate)


def weight_of(priority: float, sentinels: int) -> float:
    """Returns what a page's delay weighs: its priority times the number of sentinels that wait for it."""
    return max(priority, 0.01) * max(sentinels, 1)  # never 0, by which `threshold` could not divide


@dataclass(frozen=True, slots=True)
class Prices:
    """The price of a look in milliseconds of delay: one for all hosts, and higher ones for tight hosts."""

    overall: float
    hosts: Mapping[str, float]

    def at(self, host: str) -> float:
        return self.hosts.get(host, self.overall)


def price(shares: float, looks_per_hour: float, trim: float = 1.0) -> float:
    """Returns the price at which pages whose `share`s sum up to `shares` make that many looks per hour."""
    return 0.5 * (shares * HOUR / looks_per_hour) ** 2 * trim


def prices(
    pages: Iterable[Demand], looks_per_hour: float, host_looks_per_hour: Mapping[str, float]
) -> Prices:
    """Returns the prices at which neither the whole budget nor that of a host is exceeded."""
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
    """Divides the budget. Hosts whose own budget is tighter than their part of it leave the rest to others.

    `total` is the sum of the shares of all hosts, `shares` has the shares of the hosts that may be tight.
    """
    # The tightest hosts come first: once a host fits into its own budget, all that follow fit as well.
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
    """Returns how many changes must be pending at a page for a look to be worth this price.

    `knob` trades delay (least with 0.5) for captured changes (0.25): below 0.5, pages that change faster than
    `typical` are looked at more often.
    """
    even = sqrt(2.0 * price * rate / weight)
    return even * (rate / typical) ** (knob - 0.5) if typical else even


def trimmed(trim: float, lateness: float) -> float:
    """Returns the trim of the price after a minute, given how late its looks were on average.

    Lateness is relative to the wait before a look; looks that were made early count below 0.
    """
    return trim * exp(_TRIMMING * min(max(lateness, -_CLIP), _CLIP))


@dataclass(frozen=True, slots=True)
class Bucket:
    """Lets so many looks per hour through; after a pause, those of the last six minutes at once.

    `full_at` is the moment at which the bucket will be full again.
    """

    looks_per_hour: float
    full_at: float = 0.0

    def next(self, wanted: float) -> float:
        """Returns when a look that is wanted at this moment may be made."""
        return max(wanted, self.full_at - BUCKET)

    def taken(self, at: float) -> Bucket:
        """Returns the bucket after a look at this moment."""
        return Bucket(self.looks_per_hour, max(self.full_at, at) + HOUR / self.looks_per_hour)
