"""Groups of values share containers and maps, and each is found again at its place."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.xpack.values import (
    ALONE,
    CONTENT,
    FRESH,
    LINES,
    PLAIN,
    URL,
    Written,
    map_size,
    places,
    read_group,
    write_groups,
)

_WAYS = (PLAIN, CONTENT, URL, LINES)
_SPEAKERS = ["HAMLET", "HORATIO", "HAMLET", "GHOST"] * 30
_LINKS = [f"http://a.test/plays/{number % 40}/index.html" for number in range(80)]
_TITLES = ["One", "Two", "Three"]


def _written(groups: Sequence[Sequence[str]], own: int, most: int) -> Written:
    return write_groups(groups, [_WAYS] * len(groups), own, most)


def _read(written: Written, groups: Sequence[Sequence[str]]) -> list[list[str]]:
    counts = [len(values) for values in groups]
    found = []
    placed = places(written.groups, counts)
    for group, count, (container, at, map_at) in zip(written.groups, counts, placed, strict=True):
        strings = written.containers[container][at : at + group.size]
        maps = written.maps[map_at : map_at + map_size(group, count)]
        found.append(list(read_group(group, count, strings, maps)))
    return found


@pytest.mark.parametrize("own", [1, 60, 10_000])
@pytest.mark.parametrize("most", [1, 100, 10_000])
def test_groups_with_and_without_a_map_are_read_from_their_places(own: int, most: int):
    groups = [_SPEAKERS, _TITLES, _LINKS, _SPEAKERS[:7], ["alone"], _TITLES]
    assert _read(_written(groups, own, most), groups) == groups


@given(
    st.lists(
        st.lists(st.sampled_from(["", "a", "bc", "\0", "\1a", "http://a.test/b"]), min_size=1), max_size=6
    )
)
def test_any_groups_are_read_from_their_places(groups: list[list[str]]):
    assert _read(_written(groups, own=40, most=60), groups) == groups


def test_a_group_is_alone_from_its_size_on_and_containers_are_filled_to_the_brim():
    groups = [["abcd"], ["efgh"], ["ijkl"], ["mnopqrstuv"]]
    written = _written(groups, own=10, most=8)
    assert [one.bits & (FRESH | ALONE) for one in written.groups] == [FRESH, 0, FRESH, ALONE]
    assert written.containers == (b"abcd\0efgh", b"ijkl", b"mnopqrstuv")
