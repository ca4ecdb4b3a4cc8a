"""The arithmetic on child counts gives what a tree of plain lists gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import arrays


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
