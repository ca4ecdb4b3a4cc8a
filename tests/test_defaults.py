"""A number that is left out of a value is 0: nothing was said, counted or waited for. Others are listed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import pytest

from webvigil.model.moment import NEVER

LARGER_THAN_ANY_ID = 2**53
OTHERS_OF_THE_MODEL = {
    ("Preferences", "summary_at"): 8 * 60,  # the summary comes at eight in the morning
    ("WantedServices", "pages"): 200,
    ("WantedServices", "depth"): 8,
    ("WantedServices", "probes_per_form"): 12,
    ("WantedServices", "probes_per_site"): 60,
    ("WantedSentinels", "before"): LARGER_THAN_ANY_ID,
    ("WantedSentinels", "limit"): 50,
    ("WantedChanges", "before"): LARGER_THAN_ANY_ID,
    ("WantedChanges", "limit"): 50,
    ("Followed", "until"): NEVER,
    ("Push", "until"): NEVER,
    ("Steering", "trim"): 1.0,  # no look is moved
    ("Habits", "every"): 1.0,  # every look is everybody's
    ("Compare", "n"): 1,  # with the version before
    ("Claim", "concurrency"): 1,
}


OTHERS = {
    "community": {("Wish", "largest"): 2**53 - 1},
    "events": {},
    "graph": {},
    "model": OTHERS_OF_THE_MODEL,
    "notify": {("MailServer", "timeout"): 30.0},
    "pace": {
        ("Bea", "alpha"): 6,
        ("Bea", "beta"): 2,
        ("Bea", "weight"): 0.6,
        ("Bea", "memory"): 20,
        ("Bed", "alpha"): 6,
        ("Options", "beta"): 2,
        ("Options", "memory"): 20,
        ("Bounds", "shortest"): 5_000,
        ("Bounds", "longest"): 86_400_000,
        ("Pacing", "interval"): 300_000,
        ("Pacing", "confirm_after"): 60_000,
        ("Learned", "threshold"): pytest.approx(0.8944, abs=0.0001),
        ("Demand", "weight"): 1.0,
        ("Clock", "spread"): 0.3,
        # hints are believed at first, and not relied on
        ("Hints", "announced"): 0.1,
        ("Hints", "unannounced"): 1.9,
        ("Hints", "followed"): 1.8,
        ("Hints", "unfollowed"): 0.2,
    },
}


def modules_of(package: str) -> Iterator[Any]:
    whole = importlib.import_module(f"webvigil.{package}")
    yield whole
    for info in pkgutil.walk_packages(whole.__path__, f"webvigil.{package}."):
        yield importlib.import_module(info.name)


def defaults(package: str) -> Iterator[tuple[tuple[str, str], Any]]:
    for module in modules_of(package):
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                for name, value in defaults_of(kind):
                    yield (kind.__name__, name), value


def defaults_of(kind: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(kind):
        yield from ((one.name, one.default) for one in fields(kind) if one.default is not MISSING)
    else:
        yield from getattr(kind, "_field_defaults", {}).items()


@pytest.mark.parametrize("package", OTHERS)
def test_a_number_that_is_left_out_is_nothing_but_for_a_few(package: str):
    numbers = {name: value for name, value in defaults(package) if type(value) in (int, float) and value}
    assert numbers == OTHERS[package]
