"""Groups of values share containers and maps, and each is found again at its place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.errors import XPackError
from webvigil.xpack import values
from webvigil.xpack.numbers import Widths
from webvigil.xpack.values import (
    ALONE,
    CONTENT,
    FRESH,
    LINES,
    PLAIN,
    URL,
    Group,
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


NINE, TEN = [str(one) for one in range(9)] + ["0"], [str(one) for one in range(10)]


@pytest.mark.parametrize(
    ("strings", "ways", "tried"),
    [
        (["x" * 8191, "y"], (LINES,), [PLAIN, LINES]),
        (["x" * 8190, "y"], (LINES,), []),
        (["x" * 8191, "y"], (), []),
        (NINE, (CONTENT,), [PLAIN, CONTENT]),
        (TEN, (CONTENT,), []),
        (NINE, (), []),
        (NINE, (URL,), [PLAIN, URL]),
        ([*NINE[:8], "0"], (URL,), []),
        (TEN, (), []),
        (NINE, (URL, CONTENT), [PLAIN, CONTENT, URL]),
    ],
)
def test_only_ways_that_may_gain_are_tried(
    strings: list[str], ways: tuple[int, ...], tried: list[int], monkeypatch: pytest.MonkeyPatch
):
    asked: list[int] = []
    monkeypatch.setattr(values, "_cost", lambda packed: asked.append(packed.way) or packed.way)
    assert values._smallest(strings, ways).way == PLAIN
    assert asked == tried


def test_lines_must_save_one_in_a_hundred(monkeypatch: pytest.MonkeyPatch):
    lines = ["The night is long. The watch is set"] * 300
    plain = values._cost(values._Packed(PLAIN, lines, b""))
    other = values._cost(values._Packed(LINES, lines, b""))
    assert plain == int(plain)
    assert other == pytest.approx(round(other * 0.99) / 0.99)


@pytest.mark.parametrize(
    ("way", "distinct", "count", "size"),
    [
        (PLAIN, 0, 5, 0),
        (LINES, 0, 5, 0),
        (CONTENT, 1, 5, 0),
        (CONTENT, 2, 5, 5),
        (CONTENT, 256, 5, 5),
        (CONTENT, 257, 5, 10),
        (URL, 1, 5, 1),
        (URL, 2, 5, 7),
        (URL, 256, 5, 261),
        (URL, 257, 5, 267),
    ],
)
def test_a_map_has_a_number_for_each_value(way: int, distinct: int, count: int, size: int):
    assert map_size(Group(way | FRESH, distinct, 9), count) == size
    if way == CONTENT:
        assert len(values._map(np.zeros(count, dtype=np.int64), distinct)) == size


@pytest.mark.parametrize(
    ("plain", "other"),
    [
        (b"", b""),
        (b"The end. So it is. no", b"the end. so it is. No"),
        (b"a\0B\0\0c", b"A\0b\0\0C"),
        (b"Oh! Ah? Eh.Uh", b"oh! ah? eh.Uh"),
        (b"9. Nine, Ten", b"9. nine, Ten"),
        (b"Z. z@ [. `a", b"z. Z@ [. `a"),
        (b"\xc3\x84. \xe0", b"\xc3\x84. \xe0"),
    ],
)
def test_the_first_letter_of_a_sentence_changes_its_case(plain: bytes, other: bytes):
    assert values.other_case(plain) == other
    assert values.other_case(other) == plain


@pytest.mark.parametrize(
    ("bits", "distinct", "is_known"),
    [
        (PLAIN, 0, True),
        (PLAIN | 4, 0, True),
        (LINES, 0, True),
        (LINES | 4, 0, False),
        (LINES | 8, 0, True),
        (CONTENT, 0, False),
        (CONTENT, 1, True),
        (URL, 0, False),
        (URL, 1, True),
        (URL | 4 | 16, 1, True),
    ],
)
def test_a_way_that_no_writer_takes_is_refused(bits: int, distinct: int, is_known: bool):
    group, widths = Group(bits, distinct, 3), Widths()
    written = values.write_table([group], widths)
    if is_known:
        assert values.read_table(written, 1, widths) == [group]
        assert values.has_lines([group]) is (bits & 3 == LINES)
    else:
        with pytest.raises(XPackError, match="a group is written in an unknown way"):
            values.read_table(written, 1, widths)


def test_a_table_of_groups_has_the_length_that_its_columns_need():
    group, widths = Group(CONTENT, 300, 70_000), Widths(distinct=2, sizes=4)
    assert values.table_widths([group, Group(URL, 2, 1)]) == (2, 4)
    written = values.write_table([group], widths)
    assert values.read_table(written, 1, widths) == [group]
    for wrong in (written[:-1], written + b"x"):
        with pytest.raises(XPackError, match="its table of groups has a wrong length"):
            values.read_table(wrong, 1, widths)


@pytest.mark.parametrize("maps", [b"\0\2", b"\0", b"\0\1\1"])
def test_a_map_that_leads_elsewhere_is_refused(maps: bytes):
    with pytest.raises(XPackError, match="a value is not in its table"):
        read_group(Group(CONTENT, 2, 3), 2, b"a\0b", maps)
    assert read_group(Group(CONTENT, 2, 3), 2, b"a\0b", b"\1\0") == ["b", "a"]
    assert read_group(Group(CONTENT, 1, 1), 3, b"a", b"") == ["a", "a", "a"]


@pytest.mark.parametrize(
    ("strings", "written", "escape"),
    [
        (["a"], b"a", 0),
        (["a", ""], b"a\0", 0),
        (["a\1", "b"], b"a\1\0b", 0),
        (["a\0", "\1"], b"a\1a\0\1b", 4),
        (["\ud800"], b"\xed\xa0\x80", 0),
    ],
)
def test_strings_stand_behind_each_other(strings: list[str], written: bytes, escape: int):
    assert values.joined(strings) == (written, escape)
    assert values.split(written, escape, len(strings)) == tuple(strings)


@pytest.mark.parametrize(
    ("data", "count", "said"),
    [
        (b"a\0b", 1, "a group has another number of values than it says"),
        (b"a\0b", 3, "a group has another number of values than it says"),
        (b"\xff", 1, "a text is not UTF-8"),
    ],
)
def test_strings_that_are_others_than_said_are_refused(data: bytes, count: int, said: str):
    with pytest.raises(XPackError, match=said):
        values.split(data, PLAIN, count)
