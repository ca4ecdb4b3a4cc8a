"""Depths in, parents out: only depths of a tree are read."""

from __future__ import annotations

import numpy as np
import pytest

from webvigil.errors import XPackError
from webvigil.xpack.paths import parents_of


@pytest.mark.parametrize(
    ("depths", "parents"),
    [
        ([0], [-1]),
        ([0, 1], [-1, 0]),
        ([0, 1, 1, 2, 3, 2, 1], [-1, 0, 0, 2, 3, 2, 0]),
        ([0, 1, 2, 3, 1], [-1, 0, 1, 2, 0]),
    ],
)
def test_the_parent_is_the_nearest_before_that_is_one_level_higher(depths: list[int], parents: list[int]):
    assert parents_of(np.array(depths, dtype=np.int64)).tolist() == parents


@pytest.mark.parametrize(
    "depths", [[], [1], [-1], [0, 0], [0, 2], [0, 1, 3], [0, 1, 0], [0, 1, -1], [0, 1, 0, 1]]
)
def test_depths_that_no_tree_has_are_refused(depths: list[int]):
    with pytest.raises(XPackError, match="its structure is not that of a tree"):
        parents_of(np.array(depths, dtype=np.int64))
