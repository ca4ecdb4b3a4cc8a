"""An experiment: a bed, a policy and some seeds in, the mean outcome out.

`learned` makes as many looks as its price allows. To be compared with `bea`, it is played at several prices
with which it makes about as many looks as `bea` on the same pages; `equal` says what it would have done with
as many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from typing import Any

from webvigil.errors import NotFound
from webvigil.pace.bea import Bea
from webvigil.pace.ideal import Ideal
from webvigil.pace.learned import Learned
from webvigil.pace.naive import Naive
from webvigil.pace.policy import Policy
from webvigil.pace.simulate.bed import BEDS, Bed
from webvigil.pace.simulate.equal import at_looks
from webvigil.pace.simulate.play import Outcome, mean, play

# The price of `learned` where none is named: half the square of the changes that must be expected for a look.
DEFAULT_PRICE = 0.40
POLICIES = ("ideal", "naive", "bea", "learned")

# The search for a price at which `learned` looks about as often as `bea`: its steps, its first price, and by
# what share the looks may differ. Then prices around it are tried as well.
_GUESSES = 7
_FIRST_GUESS = 0.36
_CLOSE = 0.01
_AROUND = (0.8, 0.9, 1.1, 1.25)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of an experiment.

    `price` is the price of one look for `learned` (None: as many looks as `bea`); `alpha`, `beta` and
    `memory` tune `bea`.
    """

    last_modified: bool = True
    price: float | None = None
    alpha: int | None = None
    beta: int = 2
    memory: int = 20


def bed_named(name: str) -> Bed:
    """Returns the bed of this name, in any case. Raises NotFound if there is none."""
    known = {bed.lower(): bed for bed in BEDS}
    if name.lower() not in known:
        raise NotFound(f"there is no case {name!r}; there are {', '.join(BEDS)}")
    return BEDS[known[name.lower()]]


def experiment(bed: Bed, policy: str, seeds: range, options: Options | None = None) -> Outcome:
    """Plays a policy on the pages of all seeds and returns the mean outcome."""
    options = options or Options()
    if policy == "learned" and options.price is None:
        return _with_looks_of_bea(bed, seeds, options)
    make = maker(bed, policy, options)
    return mean([_played(make, bed, seed, options.last_modified) for seed in seeds])


Maker = Callable[[tuple[int, ...]], Policy[Any]]


def maker(bed: Bed, policy: str, options: Options) -> Maker:
    """Returns a function that makes the policy for one page, given its changes; only the oracle uses them.

    Raises NotFound for an unknown policy.
    """
    match policy:
        case "ideal":
            return Ideal
        case "naive":
            return lambda _: Naive(bed.bounds.shortest)
        case "bea":
            bea = _bea(bed, options)
            return lambda _: bea
        case "learned":
            learned = Learned(bounds=bed.bounds, threshold=sqrt(2 * (options.price or DEFAULT_PRICE)))
            return lambda _: learned
    raise NotFound(f"there is no policy {policy!r}; there are {', '.join(POLICIES)}")


@lru_cache
def _with_looks_of_bea(bed: Bed, seeds: range, options: Options) -> Outcome:
    """Returns the outcome of `learned` with as many looks as `bea` makes on these seeds."""
    allowed = experiment(bed, "bea", seeds, options).cycles
    tried: dict[float, Outcome] = {}

    def looks(price: float) -> float:
        if price not in tried:
            tried[price] = experiment(bed, "learned", seeds, replace(options, price=price))
        return tried[price].cycles / allowed

    matched = _matched(looks)
    for factor in _AROUND:
        looks(factor * matched)
    return at_looks([*tried.values()], allowed)


def _matched(looks: Callable[[float], float]) -> float:
    """Returns a price with about as many looks as allowed; `looks` says how many, as a share of these."""
    price, cheap, dear = _FIRST_GUESS, 0.0, 0.0
    for guess in range(_GUESSES):
        share = looks(price)
        if abs(share - 1.0) <= _CLOSE:
            break
        if share > 1.0:
            cheap = price
        else:
            dear = price
        # Looks fall about with the square root of the price. Until one price is known to be too low and one
        # too high, the steps grow; then the search halves the distance between them.
        price = sqrt(cheap * dear) if cheap and dear else price * share ** (2 + guess)
    return price


def _bea(bed: Bed, options: Options) -> Bea:
    alpha = bed.alpha if options.alpha is None else options.alpha
    return Bea(alpha=alpha, beta=options.beta, memory=options.memory, bounds=bed.bounds)


def _played(make: Maker, bed: Bed, seed: int, last_modified: bool) -> Outcome:
    changes = bed.drawn(seed)
    return play(make(changes), changes, start=bed.begins(seed), last_modified=last_modified)
