"""An experiment: a bed, a policy and some seeds in, the mean outcome out.

`learned` makes as many looks as its price allows. To be compared with `bea`, it is given the price at which
it makes no more looks than `bea` on the same pages.
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
from webvigil.pace.simulate.play import Outcome, mean, play

# The price of `learned` where none is named: half the square of the changes that must be expected for a look.
DEFAULT_PRICE = 0.40
POLICIES = ("ideal", "naive", "bea", "learned")

# The search for the price at which `learned` looks as often as `bea`: its steps, first price and highest.
_GUESSES = 7
_FIRST_GUESS, _DEAREST = 0.36, 1.6
_CLOSE, _AIM = 0.996, 0.998
"""From _CLOSE times the looks of `bea` on, a price is close enough; the search aims at _AIM times."""


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
        options = replace(options, price=matched_price(bed, seeds, options))
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
def matched_price(bed: Bed, seeds: range, options: Options) -> float:
    """Returns the price at which `learned` makes about as many looks as `bea` on these seeds, and no more."""
    allowed = experiment(bed, "bea", seeds, options).cycles
    price, cheap, dear = _FIRST_GUESS, 0.0, 0.0
    for guess in range(_GUESSES):
        looks = experiment(bed, "learned", seeds, replace(options, price=price)).cycles / allowed
        if looks > 1.0:
            cheap = price
        else:
            dear = price
        if _CLOSE <= looks <= 1.0:
            break
        # Looks fall about with the square root of the price. Until one price is known to be too low and one
        # too high, the steps grow; then the search halves the distance between them.
        price = sqrt(cheap * dear) if cheap and dear else price * (looks / _AIM) ** (2 + guess)
    return dear or _DEAREST


def _bea(bed: Bed, options: Options) -> Bea:
    alpha = bed.alpha if options.alpha is None else options.alpha
    return Bea(alpha=alpha, beta=options.beta, memory=options.memory, bounds=bed.bounds)


def _played(make: Maker, bed: Bed, seed: int, last_modified: bool) -> Outcome:
    changes = bed.drawn(seed)
    return play(make(changes), changes, start=bed.begins(seed), last_modified=last_modified)
