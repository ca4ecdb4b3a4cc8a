"""Which cases of a test a quick run takes, if the test says that a part of them is enough.

`@pytest.mark.sampled(3)` stands at a test whose cases are many and alike: a quick run takes a third of them,
and `./test --all` takes all. The choice is the same in every run and on every machine. It does not follow the
order of the cases, so that a table of rows and columns is not thinned to the same columns in every row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256

import pytest


def left_out(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Returns the cases that a quick run does without."""
    cases: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("sampled"):
            cases[item.nodeid.partition("[")[0], mark.args[0]].append(item)
    return [one for (_, of), alike in cases.items() for one in _mixed(alike)[_share(len(alike), of) :]]


def _mixed(items: list[pytest.Item]) -> list[pytest.Item]:
    return sorted(items, key=lambda item: sha256(item.nodeid.encode()).digest())


def _share(count: int, of: int) -> int:
    """A part of a number, rounded up, so that something is left of everything."""
    return -(-count // of)
