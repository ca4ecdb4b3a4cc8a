"""Each operator of XPack is reversible and does what its name says (X1)."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.xpack.documents import LOG_ENTRY
from webvigil.document import read
from webvigil.errors import XPackError
from webvigil.xpack.operators import (
    attribute_pack,
    attribute_unpack,
    content_pack,
    content_unpack,
    name_pack,
    name_unpack,
    page_pack,
    page_unpack,
    path_pack,
    path_unpack,
    url_pack,
    url_unpack,
)
from webvigil.xpack.values import other_case

texts = st.text(max_size=6)


@st.composite
def depths(draw: st.DrawFn) -> np.ndarray:
    """Draws the depths of a tree in document order: each is at most one more than the one before."""
    found = [0]
    for _ in range(draw(st.integers(0, 30))):
        found.append(draw(st.integers(1, found[-1] + 1)))
    return np.array(found, dtype=np.int32)


@given(depths())
def test_page_pack_counts_children_and_goes_back(tree: np.ndarray):
    children = page_pack(tree)
    parents = [
        max(before for before in range(node) if tree[before] == tree[node] - 1)
        for node in range(1, len(tree))
    ]
    assert children.tolist() == [parents.count(node) for node in range(len(tree))]
    assert page_unpack(children).tolist() == tree.tolist()


@pytest.mark.parametrize("children", [[], [1], [0, 0], [2, 0], [0, 1], [3, 0, 0, 0, 0]])
def test_numbers_of_children_that_make_no_tree_are_refused(children: list[int]):
    with pytest.raises(XPackError):
        page_unpack(np.array(children, dtype=np.int32))


def test_path_pack_finds_the_subpaths_of_the_log_entry():
    """The example of ROC Figures 32 and 33: an entry with eight fields, each with one text."""
    digest = read(LOG_ENTRY.encode(), "application/xml")
    entry = digest.structure[1:]  # the paper counts from the root element
    subpaths = path_pack(entry).tuples()
    assert subpaths[:3] == [(1, 1, 0), (2, 3, 1), (4, 5, 1)]
    assert subpaths == [(1, 1, 0), *((2 * field, 2 * field + 1, 1) for field in range(1, 9))]


@given(depths())
def test_path_pack_goes_back(tree: np.ndarray):
    children = page_pack(tree)
    subpaths = path_pack(children)
    assert path_unpack(subpaths).tolist() == children.tolist()
    for start, end, _ in subpaths.tuples():
        assert all(children[node - 1] == 1 for node in range(start, end))
        assert children[end - 1] != 1


@given(st.lists(texts))
def test_name_pack_keeps_each_name_once_and_sorted(names: list[str]):
    packed = name_pack(names)
    assert list(packed.table) == sorted(set(names))
    assert name_unpack(packed) == names


def test_url_pack_counts_the_shared_prefix():
    """The example of ROC Figure 35: the addresses of a SOAP message."""
    urls = [
        "http://www.w3.org/2003/05/soap-envelope",
        "http://example.org/alertcontrol",
        "http://example.org/alert",
    ]
    packed = url_pack(urls)
    assert packed.shared == (0, 24, 7)
    assert packed.rest == ("http://example.org/alert", "control", "www.w3.org/2003/05/soap-envelope")
    assert url_unpack(packed) == urls


@given(st.lists(texts | st.text("ab/", min_size=200, max_size=300)))
def test_url_pack_goes_back(urls: list[str]):
    packed = url_pack(urls)
    assert url_unpack(packed) == urls
    assert all(count <= 255 for count in packed.shared)


@given(st.lists(st.tuples(texts, texts)))
def test_attribute_pack_goes_back(pairs: list[tuple[str, str]]):
    packed = attribute_pack(pairs)
    assert attribute_unpack(packed) == pairs
    assert list(packed.names.table) == sorted({name for name, _ in pairs})


@given(st.lists(texts))
def test_content_pack_keeps_equal_texts_once(contents: list[str]):
    packed = content_pack(contents)
    assert list(packed.table) == list(dict.fromkeys(contents))
    assert content_unpack(packed) == contents


@given(st.lists(st.text(alphabet="aZé.?! -\U0001f600\ud800", max_size=12), min_size=1, max_size=12))
def test_lines_turn_over_what_begins_a_sentence_and_go_back(strings: list[str]):
    plain = "\0".join(strings).encode("utf-8", "surrogatepass")
    begins = re.compile(rb"(?:(?<![\x01-\xff])|(?<=[.?!] ))[A-Za-z]")
    assert other_case(plain) == begins.sub(lambda found: found[0].swapcase(), plain)
    assert other_case(other_case(plain)) == plain
