"""Thousands of mixed pages and a budget of looks in, how long changes wait under each policy out (A4).

`uniform` gives every page the same interval, `bea` stretches the intervals of the thesis' algorithm by one
factor until they fit the budget, `learned` looks where the price says. All of them pass the same bucket, and
looks that are left in it are made early. `steered` is `learned` as workers do it: nobody looks early, the
price is computed from what the store knows, and a look that finds the bucket empty waits for its turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from heapq import heapify, heapreplace
from itertools import takewhile
from math import exp
from random import Random
from typing import Any, Protocol

from webvigil.errors import NotFound
from webvigil.model.moment import Millis
from webvigil.model.pace import Shares, Steering
from webvigil.pace.bea import Bea, BeaState
from webvigil.pace.budget import REPRICED, TRIMMED, Bucket, price, threshold, trimmed
from webvigil.pace.learned import Learned, LearnedState
from webvigil.pace.naive import Naive
from webvigil.pace.policy import DAY, HOUR, Bounds, Observation, Policy
from webvigil.pace.simulate.bed import A_MONDAY, MINUTE
from webvigil.pace.steering import Budget, Made, drawn, is_time_to_price, repriced, with_looks

BOUNDS = Bounds(5 * MINUTE, 14 * DAY)
_TURN: Millis = 5_000  # how often the workers of `steered` report the looks they have made
LOOKS_PER_PAGE = 0.25
"""Looks per hour and page: 2,500 for 10,000 pages."""


@dataclass(frozen=True, slots=True)
class FleetPage:
    """A page of the fleet; `dated` says whether its server tells Last-Modified."""

    changes: tuple[Millis, ...]
    weight: float
    dated: bool


@dataclass(frozen=True, slots=True)
class FleetOutcome:
    """What a policy achieved on a fleet, over the changes after the warm-up.

    The delay is in hours, weighted by what each page is worth.
    """

    policy: str
    pages: int
    looks: int
    changes: int
    captured: int
    mean_delay: float


def drawn_fleet(pages: int, days: int, seed: int) -> list[FleetPage]:
    """Draws steady, daily, clocked, office, bursty and almost dead pages; six in ten tell Last-Modified."""
    random = Random(f"fleet {seed}")  # noqa: S311 - a draw to be repeated, not a secret
    end = A_MONDAY + days * DAY
    return [_page(random, end) for _ in range(pages)]


def _page(random: Random, end: Millis) -> FleetPage:
    (kind,) = random.choices(_KINDS, _SHARES)
    changes = takewhile(lambda moment: moment < end, kind(random))
    weight = min(int(random.paretovariate(1.3)), 50)
    return FleetPage(tuple(changes), float(weight), random.random() < 0.6)


def _steady(random: Random) -> Iterator[Millis]:
    gap = 2 * DAY * exp(random.gauss(0, 1.4))
    return _poisson(random, max(gap, 0.5 * HOUR))


def _dead(random: Random) -> Iterator[Millis]:
    return _poisson(random, 60 * DAY)


def _poisson(random: Random, gap: float) -> Iterator[Millis]:
    now = float(A_MONDAY)
    while True:
        now += random.expovariate(1 / gap)
        yield round(now)


def _daily(random: Random) -> Iterator[Millis]:
    now = A_MONDAY + random.randrange(DAY)
    while True:
        yield now + round(random.uniform(0, 20) * MINUTE)
        now += DAY


def _clocked(random: Random) -> Iterator[Millis]:
    period = random.choice((2, 3, 4, 6, 12)) * HOUR
    now = A_MONDAY + random.randrange(period)
    while True:
        yield now + round(random.uniform(0, 2) * MINUTE)
        now += period


def _office(random: Random) -> Iterator[Millis]:
    for moment in _poisson(random, HOUR / random.uniform(0.1, 0.6)):
        day, hour = divmod((moment - A_MONDAY) % (7 * DAY), DAY)
        if day < 5 and 8 * HOUR <= hour < 18 * HOUR:
            yield moment


def _bursty(random: Random) -> Iterator[Millis]:
    """Yields bursts: silence for days, then a few changes within hours."""
    now = float(A_MONDAY)
    while True:
        now += random.expovariate(1 / (3 * DAY))
        for _ in range(random.randint(2, 8)):
            now += random.expovariate(1 / HOUR)
            yield round(now)


_KINDS = (_steady, _daily, _clocked, _office, _bursty, _dead)
# Of a hundred pages, how many are of each kind.
_SHARES = (35, 15, 10, 20, 10, 10)


class Helm(Protocol):
    """Keeps a policy within a budget: it is told of every look and asked for the next one."""

    @property
    def policy(self) -> Policy[Any]: ...

    def start(self) -> Any: ...

    def due(self, page: int, state: Any, now: Millis) -> Millis: ...

    def steer(self, trim: float) -> None: ...


class _Uniform:
    """Every page has the same interval."""

    def __init__(self, fleet: list[FleetPage], looks: float) -> None:
        self.policy = Naive(round(len(fleet) / looks * HOUR))

    def start(self) -> Any:
        return self.policy.start(A_MONDAY)

    def due(self, page: int, state: Any, now: Millis) -> Millis:
        return self.policy.next_look(state, now)

    def steer(self, trim: float) -> None:
        """Does nothing: the interval follows from the budget and never changes."""


class _Stretched:
    """The policy `bea`, with all its intervals times one factor."""

    def __init__(self, fleet: list[FleetPage], looks: float) -> None:
        self.policy = Bea(bounds=BOUNDS)
        self._looks = looks
        self._even = round(len(fleet) / looks * HOUR)
        self._asked = [1.0 / self._even] * len(fleet)
        self._sum = sum(self._asked)
        self.steer(1.0)

    def start(self) -> BeaState:
        """Returns the first state, with the even interval.

        From the shortest interval on, pages that were not seen to change yet would crowd out the rest.
        """
        return replace(self.policy.start(A_MONDAY), interval=self._even)

    def due(self, page: int, state: BeaState, now: Millis) -> Millis:
        asked = 1.0 / state.interval
        self._sum += asked - self._asked[page]
        self._asked[page] = asked
        return max(now, state.looked + round(self._stretch * state.interval))

    def steer(self, trim: float) -> None:
        self._stretch = self._sum * HOUR / self._looks * trim


class _Priced:
    """The policy `learned` at the price that follows from the budget."""

    def __init__(self, fleet: list[FleetPage], looks: float, knob: float = 0.5) -> None:
        self.policy = Learned(bounds=BOUNDS, typical_gap=DAY)
        self._weights = [page.weight for page in fleet]
        self._looks, self._knob = looks, knob
        start = self.policy.start(0)
        self._shares = [(weight * self.policy.rate(start)) ** 0.5 for weight in self._weights]
        self._sum = sum(self._shares)
        self.steer(1.0)

    def start(self) -> LearnedState:
        return self.policy.start(A_MONDAY)

    def due(self, page: int, state: LearnedState, now: Millis) -> Millis:
        rate, weight = self.policy.rate(state), self._weights[page]
        share = (rate * weight) ** 0.5
        self._sum += share - self._shares[page]
        self._shares[page] = share
        wanted = threshold(self._price, rate, weight, knob=self._knob, typical=1 / DAY)
        return replace(self.policy, threshold=wanted).next_look(state, now)

    def steer(self, trim: float) -> None:
        self.pay(price(self._sum, self._looks, trim))

    def pay(self, price: float) -> None:
        self._price = price

    @property
    def shares(self) -> Shares:
        return Shares(total=self._sum, hosts={})


_HELMS: dict[str, Callable[[list[FleetPage], float], Helm]] = {
    "uniform": _Uniform,
    "bea": _Stretched,
    "learned": _Priced,
}
FLEET_POLICIES = (*_HELMS, "steered")


def run_fleet(
    fleet: list[FleetPage], policy: str, *, days: int, warm_up: int, looks_per_hour: float
) -> FleetOutcome:
    """Plays a policy on a fleet for some days. Raises NotFound for an unknown policy."""
    if policy not in FLEET_POLICIES:
        raise NotFound(f"a fleet has no policy {policy!r}; it has {', '.join(FLEET_POLICIES)}")
    run = (
        _SteeredRun(fleet, looks_per_hour)
        if policy == "steered"
        else _Run(fleet, _HELMS[policy](fleet, looks_per_hour), looks_per_hour)
    )
    run.until(A_MONDAY + days * DAY)
    return run.outcome(policy, A_MONDAY + warm_up * DAY, A_MONDAY + days * DAY)


class _Run:
    """Makes looks in the order in which they are due, each when the bucket lets it through."""

    def __init__(self, fleet: list[FleetPage], helm: Helm, looks_per_hour: float) -> None:
        self._fleet = fleet
        self._helm = helm
        self._bucket = Bucket(looks_per_hour, A_MONDAY)
        self._states = [helm.start() for _ in fleet]
        self._seen = [0] * len(fleet)
        self._found: list[list[tuple[int, Millis]]] = [[] for _ in fleet]
        # The first looks are spread over one even round, like those of a fleet that has grown page by page.
        spread = len(fleet) / looks_per_hour * HOUR
        self._queue = [(A_MONDAY + round(spread * i / len(fleet)), i, A_MONDAY) for i in range(len(fleet))]
        heapify(self._queue)
        self._trim, self._late, self._late_looks = 1.0, 0.0, 0
        self._trimmed_at = self._priced_at = A_MONDAY
        self.looks = 0

    def until(self, end: Millis) -> None:
        while True:
            due, page, since = self._queue[0]
            now = self._moment(due, since)
            if now >= end:
                return
            self._bucket = self._bucket.taken(now)
            self._late += _relative(now - due, due - since)
            self._late_looks += 1
            self._look(page, now)
            self._watch_clock(now)
            heapreplace(self._queue, (self._helm.due(page, self._states[page], now), page, now))

    def _moment(self, due: Millis, since: Millis) -> Millis:
        """Returns when the next look is made.

        While the bucket is full, it is made early: unused looks are lost.
        """
        early = max(self._bucket.full_at, since + BOUNDS.shortest)
        return round(self._bucket.next(due) if due <= early else early)

    def _look(self, page: int, now: Millis) -> None:
        """Looks at a page: counts the changes up to now as seen and tells the policy what was found."""
        self.looks += 1
        changes, seen = self._fleet[page].changes, self._seen[page]
        reached = seen
        while reached < len(changes) and changes[reached] <= now:
            reached += 1
        changed = reached > seen
        if changed:
            self._seen[page] = reached
            self._found[page].append((reached, now))
        told = changes[reached - 1] if changed and self._fleet[page].dated else None
        self._states[page] = self._helm.policy.observed(self._states[page], Observation(now, changed, told))

    def _watch_clock(self, now: Millis) -> None:
        """Trims the price each minute and computes it anew every ten minutes."""
        if now - self._trimmed_at >= TRIMMED:
            self._trim = trimmed(self._trim, self._late / max(self._late_looks, 1))
            self._late, self._late_looks, self._trimmed_at = 0.0, 0, now
        if now - self._priced_at >= REPRICED:
            self._helm.steer(self._trim)
            self._priced_at = now

    def outcome(self, policy: str, start: Millis, end: Millis) -> FleetOutcome:
        """Sums up delays and captured changes from `start` to `end`."""
        waited = worth = 0.0
        changes = captured = 0
        for page, found in zip(self._fleet, self._found, strict=True):
            first = 0
            for reached, now in [*found, (len(page.changes), end)]:
                delays = [now - moment for moment in page.changes[first:reached] if moment >= start]
                first = reached
                waited += page.weight * sum(delays)
                worth += page.weight * len(delays)
                changes += len(delays)
                captured += bool(delays) and now < end
        return FleetOutcome(
            policy=policy,
            pages=len(self._fleet),
            looks=self.looks,
            changes=changes,
            captured=captured,
            mean_delay=waited / max(worth, 1.0) / HOUR,
        )


class _SteeredRun(_Run):
    """Makes looks as the workers do, through `pace.steering`."""

    def __init__(self, fleet: list[FleetPage], looks_per_hour: float) -> None:
        self._priced = _Priced(fleet, looks_per_hour)
        super().__init__(fleet, self._priced, looks_per_hour)
        self._budget = Budget(overall=looks_per_hour)
        self._shared = Steering(priced_at=A_MONDAY, trimmed_at=A_MONDAY, full_at=A_MONDAY)
        self._made = Made()
        self._told_at = A_MONDAY
        self._queue = [(due, page, 0) for due, page, _ in self._queue]

    def until(self, end: Millis) -> None:
        while self._queue[0][0] < end:
            now, page, planned = self._queue[0]
            if not planned:
                self._shared, granted, wait = drawn(self._shared, 1, now, self._budget)
                if not granted:
                    heapreplace(self._queue, (now + wait, page, now))
                    continue
            self._look(page, now)
            due = self._priced.due(page, self._states[page], now)
            late = (now - (planned or now)) / max(due - now, 1)
            self._made = Made(looks=self._made.looks + 1, late=self._made.late + min(late, 1.0))
            heapreplace(self._queue, (due, page, 0))
            self._tell(now)

    def _tell(self, now: Millis) -> None:
        """Reports the looks made in the last seconds, and applies a new price if it is time for one."""
        if now - self._told_at < _TURN:
            return
        self._shared = with_looks(self._shared, self._made, now, self._budget)
        self._made, self._told_at = Made(), now
        if is_time_to_price(self._shared, now):
            self._shared = repriced(self._shared, self._priced.shares, now, self._budget)
            self._priced.pay(self._shared.price)


def _relative(lateness: Millis, wait: Millis) -> float:
    """Returns the lateness of a look as a share of its wait, between -1 and 1."""
    return min(max(lateness / max(wait, 1), -1.0), 1.0)
