"""The looks that all workers made in, the price that keeps them within the budget out (A4).

Every minute the price is trimmed by what was seen since; every ten minutes it is computed anew from what all
pages ask for. Looks that no price moves (those of fixed intervals and those that people ask for) come first;
the rest of the budget is for the best-effort rules, and a bucket smooths their peaks. Looks that come late
raise the price. Looks that were allowed and not made lower it: workers never look early, so an unused budget
shows only in this way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from webvigil.model.moment import Millis
from webvigil.model.pace import Shares, Steering
from webvigil.pace.budget import REPRICED, TRIMMED, Bucket, divided, price, trimmed
from webvigil.pace.policy import HOUR

_TRIMS = (0.25, 4.0)
"""The least and the most trim: a price further from the computed one has another reason than daily peaks."""
_LEFT = 0.05
"""The share of the budget that best-effort rules keep, however many fixed intervals people ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Looks per hour, of all pages together and of the pages of one host. 0 means no limit."""

    overall: float = 0.0
    host: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The looks that a worker has made since it last reported.

    `looks` are those of best-effort rules, `late` the sum of their lateness relative to their wait; `fixed`
    are all other looks.
    """

    looks: int = 0
    late: float = 0.0
    fixed: int = 0


def left_for_best_effort(budget: Budget, fixed_rate: float) -> float:
    """Returns the looks per hour that fixed looks leave to the best-effort rules."""
    return max(budget.overall - fixed_rate, _LEFT * budget.overall)


def is_time_to_price(steering: Steering, now: Millis) -> bool:
    return not steering.price or now - steering.priced_at >= REPRICED


def with_looks(steering: Steering, made: Made, now: Millis, budget: Budget) -> Steering:
    """Returns the steering after the looks of one worker, with a new trim if a minute is over."""
    looks, late = steering.looks + made.looks, steering.late + made.late
    fixed = steering.fixed + made.fixed
    elapsed = now - steering.trimmed_at
    if elapsed < TRIMMED:
        return replace(steering, looks=looks, late=late, fixed=fixed)
    # After a pause of all workers, the looks not made in it are not held against the price.
    allowed = left_for_best_effort(budget, steering.fixed_rate) * min(elapsed, 2 * TRIMMED) / HOUR
    unused = max(0.0, 1.0 - looks / allowed)
    trim = _clipped(trimmed(steering.trim, late / max(looks, 1) - unused), _TRIMS)
    return replace(steering, looks=0, late=0.0, fixed=fixed, trim=trim, trimmed_at=now)


def repriced(steering: Steering, shares: Shares, now: Millis, budget: Budget) -> Steering:
    """Returns the steering with a price computed from what all pages ask for.

    The rate of fixed looks is the mean of the rate known before and the rate seen since the last price.
    """
    rate = steering.fixed_rate
    if steering.priced_at:
        seen = steering.fixed * HOUR / max(now - steering.priced_at, 1)
        rate = (rate + seen) / 2 if rate else seen
    left = left_for_best_effort(budget, rate)
    # Every host has the same budget; `shares.hosts` has those that ask most and may exceed it.
    caps = dict.fromkeys(shares.hosts, budget.host) if budget.host else {}
    overall = divided(shares.total, shares.hosts, left, caps).overall * steering.trim
    return replace(steering, price=overall, fixed=0, fixed_rate=rate, priced_at=now)


def host_price(share: float, budget: Budget) -> float:
    """Returns the least price of a look at a host that has a budget of its own; 0 without one."""
    return price(share, budget.host) if budget.host else 0.0


def drawn(steering: Steering, wanted: int, now: Millis, budget: Budget) -> tuple[Steering, int, Millis]:
    """Takes looks from the bucket. Returns the steering, how many looks were granted, and a wait.

    If none is granted, the next look that comes free is reserved and the wait says when that is. So each
    caller has a time of its own and need not ask again.
    """
    bucket = Bucket(left_for_best_effort(budget, steering.fixed_rate), steering.full_at)
    granted = 0
    while granted < wanted and bucket.next(now) <= now:
        bucket = bucket.taken(now)
        granted += 1
    if granted:
        return replace(steering, full_at=bucket.full_at), granted, 0
    turn = bucket.next(now)
    return replace(steering, full_at=bucket.taken(turn).full_at), 0, max(1, round(turn - now))


def _clipped(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])
