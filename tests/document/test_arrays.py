"""The arithmetic on child counts gives what a tree of plain lists gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import arrays
from webvigil.document.fast import twins


@st.composite
def parent_lists(draw):
    """Returns a tree in depth-first order as the list of parents, node 0 first."""
    parents = [-1]
    line = [0]
    for node in range(1, draw(st.integers(1, 40))):
        keep = draw(st.integers(1, len(line)))
        line = line[:keep]
        parents.append(line[-1])
        line.append(node)
    return parents


def model(parents):
    count = len(parents)
    structure = [parents.count(node) for node in range(count)]
    depths = [0] * count
    sizes = [1] * count
    for node in range(1, count):
        depths[node] = depths[parents[node]] + 1
    for node in range(count - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    return structure, depths, sizes


@given(parent_lists())
def test_child_counts_tell_depths_parents_and_sizes(parents):  # D4
    structure, depths, sizes = model(parents)
    found = arrays.node_depths(np.array(structure, dtype=np.int32))
    assert found.tolist() == depths
    assert arrays.node_parents(found).tolist() == parents
    assert arrays.subtree_sizes(found).tolist() == sizes
    assert arrays.sizes_of(np.array(structure, dtype=np.int32)).tolist() == sizes
    assert arrays.structure_of(found).tolist() == structure


@given(parent_lists())
def test_level_order_is_breadth_first(parents):  # D4
    _, depths, _ = model(parents)
    waiting, expected = [0], []
    while waiting:
        node = waiting.pop(0)
        expected.append(node)
        waiting += [child for child, parent in enumerate(parents) if parent == node]
    assert arrays.level_order(np.array(depths, dtype=np.int32)).tolist() == expected


@given(parent_lists(), st.data())
def test_marks_spread_up_and_down_the_tree(parents, data):  # D5
    _, _, sizes = model(parents)
    count = len(parents)
    marked = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))

    def line(node):
        above = []
        while (node := parents[node]) >= 0:
            above.append(node)
        return above

    mask, span = np.array(marked), np.array(sizes, dtype=np.int32)
    below = [marked[node] or any(marked[one] for one in line(node)) for node in range(count)]
    above = [any(marked[node : node + sizes[node]]) for node in range(count)]
    nearest = [next((one for one in line(node) if marked[one]), -1) for node in range(count)]
    assert arrays.below(mask, span).tolist() == below
    assert arrays.above(mask, span).tolist() == above
    assert arrays.enclosing(mask, span).tolist() == nearest


@given(parent_lists())
def test_ranks_count_the_siblings_before(parents):
    ranks = [parents[:node].count(parents[node]) for node in range(len(parents))]
    assert arrays.sibling_ranks(np.array(parents, dtype=np.int32)).tolist() == ranks


@given(st.lists(st.integers(0, 6), max_size=30), st.integers(0, 2))
def test_tables_are_renumbered_by_first_use(indices, fixed):
    order, renumbered = arrays.first_use(np.array(indices, dtype=np.int32), 7, fixed)
    expected = list(range(fixed)) + [one for one in dict.fromkeys(indices) if one >= fixed]
    assert order.tolist() == expected
    assert [expected[index] for index in renumbered.tolist()] == indices


@given(
    st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), max_size=20),
    st.lists(st.integers(0, 5), max_size=9),
)
def test_what_is_among_others_is_told_as_by_sets(values, others):
    found = arrays.among(np.array(values, dtype=np.uint64), np.array(others, dtype=np.uint64))
    assert found.tolist() == [value in {*others} for value in values]


@given(st.lists(st.integers(-3, 5), max_size=20))
def test_each_number_is_there_once_and_in_order(numbers):
    found = arrays.distinct(np.array(numbers, dtype=np.int32))
    assert (found.tolist(), found.dtype) == (sorted({*numbers}), np.int32)


def test_trees_too_wide_or_too_deep_for_small_numbers_are_measured_alike():
    for structure in ([70_000] + [0] * 70_000, [1] * 70_000 + [0], [300, *[0] * 300]):
        counts = np.array(structure, dtype=np.int32)
        depths = arrays.node_depths(counts)
        assert arrays.structure_of(depths).tolist() == structure
        assert arrays.sizes_of(counts).tolist() == arrays.subtree_sizes(depths).tolist()


def ints(*numbers: int):
    return np.array(numbers, dtype=np.int32)


def both(name: str):
    """Returns the plain function of this name and its compiled twin, if there is one."""
    return {twins[name][0] if name in twins else getattr(arrays, name), getattr(arrays, name)}


def test_runs_of_numbers_are_spread():
    for between in both("between"):
        for edges, numbers, begins in (
            ([1, 3, 5, 5, 7, 9], [1, 2, 7, 8], [0, 2, 2, 4]),
            ([4, 5], [4], [0, 1]),
            ([], [], [0]),
        ):
            found = between(np.array(edges, dtype=np.int64))
            assert [one.tolist() for one in found] == [numbers, begins]
    assert [one.tolist() for one in arrays.spread(np.array([[2, 4], [0, 1]]))] == [[2, 3, 0], [0, 2, 3]]


def test_tables_keep_their_fixed_entries_first():
    for first_use in both("first_use"):
        for indices, size, fixed, order, numbers in (
            ((3, 1, 3, 0), 5, 0, [3, 1, 0], [0, 1, 0, 2]),
            ((3, 1), 5, 2, [0, 1, 3], [2, 1]),
            ((2, 0), 3, 1, [0, 2], [1, 0]),
            ((), 0, 0, [], []),
            ((0,), 1, 0, [0], [0]),
        ):
            found = first_use(ints(*indices), size, fixed)
            assert [one.tolist() for one in found] == [order, numbers]


def test_numbers_begin_where_they_stand():
    for starts_of in both("starts_of"):
        assert starts_of(ints(0, 0, 2), 3).tolist() == [0, 2, 2, 3]
        assert starts_of(ints(), 1).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [((1, 2, 3), (1, 2, 4), 2), ((1, 2), (1, 2, 4), 2), ((1, 2), (1, 2), 2), ((2,), (1,), 0), ((), (1,), 0)],
)
def test_arrays_are_equal_up_to_a_place(one: tuple[int, ...], other: tuple[int, ...], count: int):
    assert (
        arrays.equal_at_start(ints(*one), ints(*other))
        == arrays.equal_at_start(ints(*other), ints(*one))
        == count
    )


@pytest.mark.parametrize(
    ("numbers", "found", "counts"),
    [((3, 1, 3), [1, 3], [1, 2]), ((5,), [5], [1]), ((), [], []), ((2, 2, 2), [2], [3])],
)
def test_numbers_are_counted(numbers: tuple[int, ...], found: list[int], counts: list[int]):
    assert [one.tolist() for one in arrays.counted(np.array(numbers, dtype=np.int64))] == [found, counts]
    assert arrays.distinct(np.array(numbers, dtype=np.int64)).tolist() == found


@pytest.mark.parametrize("most", [1, 255, 256, 257, 65_535, 65_536, 65_537, 2**31])
def test_numbers_of_any_size_are_sorted_and_equal_ones_keep_their_order(most: int):
    numbers = np.array([most, 0, most, most - 1, 0, most], dtype=np.int64)
    assert numbers[arrays.ascending(numbers)].tolist() == sorted(numbers.tolist())
    assert arrays.ascending(numbers).tolist() == sorted(range(6), key=lambda place: numbers[place])


@pytest.mark.parametrize(
    ("marked", "below", "above", "nearest"),
    [
        ([], [], [], [-1] * 6),
        ([0], [0, 1, 2, 3, 4, 5], [0], [-1, 0, 0, 0, 0, 0]),
        ([2], [2, 3], [0, 1, 2], [-1, -1, -1, 2, -1, -1]),
        ([1, 3], [1, 2, 3, 4], [0, 1, 2, 3], [-1, -1, 1, 1, 1, -1]),
        ([5], [5], [0, 5], [-1] * 6),
    ],
)
def test_marks_reach_down_and_up(marked: list[int], below: list[int], above: list[int], nearest: list[int]):
    sizes, mask = ints(6, 4, 2, 1, 1, 1), np.isin(np.arange(6), marked)
    for function in both("below"):
        assert np.flatnonzero(function(mask, sizes)).tolist() == below
    assert np.flatnonzero(arrays.above(mask, sizes)).tolist() == above
    for function in both("enclosing"):
        assert function(mask, sizes).tolist() == nearest
