"""A number that is left out of a value is 0: nothing was said, counted or waited for. Others are listed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from webvigil import model
from webvigil.model.moment import NEVER

LARGER_THAN_ANY_ID = 2**53
OTHERS = {
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


def defaults() -> Iterator[tuple[tuple[str, str], Any]]:
    for info in pkgutil.walk_packages(model.__path__, "webvigil.model."):
        module = importlib.import_module(info.name)
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                for name, value in defaults_of(kind):
                    yield (kind.__name__, name), value


def defaults_of(kind: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(kind):
        yield from ((one.name, one.default) for one in fields(kind) if one.default is not MISSING)
    else:
        yield from getattr(kind, "_field_defaults", {}).items()


def test_a_number_that_is_left_out_is_nothing_but_for_a_few():
    numbers = {name: value for name, value in defaults() if type(value) in (int, float) and value}
    assert numbers == OTHERS
