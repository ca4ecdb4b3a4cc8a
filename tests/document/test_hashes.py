"""A change of one aspect of a page changes the signature of that aspect and no other (D3, ROC Fig. 22)."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.document import read

PAGE = b"<!DOCTYPE html><div id=a class=b><p>one</p><!-- c --></div><div><p>two</p></div>"
ASPECTS = {"structure", "tags", "attributes", "content", "comments"}


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        (b"one", b"1", {"content"}),
        (b"id=a", b"id=z", {"attributes"}),
        (b" c ", b" d ", {"comments"}),
        (b"id=a class=b", b"class=b id=a", set()),
        (b"<p>two</p>", b"<i>two</i>", {"tags"}),
        (b"<p>two</p>", b"<p>two</p><hr>", {"structure", "tags"}),
        (b"<p>one</p>", b"<p><b>one</b></p>", {"structure", "tags"}),
        (b"<!DOCTYPE html>", b'<!DOCTYPE html SYSTEM "x">', {"comments"}),
        (b"<div><p>two</p></div>", b"<div><p>tw</p>o</div>", {"structure", "content", "tags"}),
    ],
)
def test_each_aspect_has_a_signature_of_its_own(old, new, changed):
    before, after = read(PAGE, "text/html"), read(PAGE.replace(old, new), "text/html")
    differing = {
        name for name in ASPECTS if getattr(before, f"{name}_hash") != getattr(after, f"{name}_hash")
    }
    assert differing == changed
    assert (before == after) == (not changed)


def test_a_border_moved_between_two_texts_is_a_change():
    assert read(b"<p>ab</p><p>c</p>").content_hash != read(b"<p>a</p><p>bc</p>").content_hash


pages = st.lists(
    st.sampled_from(["<p>", "</p>", "<b class=x>", "</b>", "a", "b", "<i>", "</i>", "<hr id=q>"]), max_size=12
).map("".join)


def plain(digest, node):
    return [
        (int(digest.structure[one]), digest.tag(one), digest.attributes(one), digest.own_text(one))
        for one in digest.depth_first(node)
    ]


@given(pages, pages)
def test_subtree_signatures_are_equal_exactly_for_equal_subtrees(first, second):
    old, new = read(f"<p>{first}".encode(), "text/html"), read(f"<p>{second}".encode(), "text/html")
    for left in range(len(old)):
        for right in range(len(new)):
            equal = plain(old, left) == plain(new, right)
            assert (old.subtree_hashes[left] == new.subtree_hashes[right]) == equal
            shape = [row[:2] for row in plain(old, left)] == [row[:2] for row in plain(new, right)]
            assert (old.shape_hashes[left] == new.shape_hashes[right]) == shape


def test_signatures_are_the_same_in_every_process():
    script = f"from webvigil.document import read; print(read({PAGE!r}, 'text/html').signature.hex())"
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONPATH": "src"}
    )
    assert told.stdout.strip() == read(PAGE, "text/html").signature.hex()


@given(pages, pages)
def test_aspects_can_be_compared_directly_and_by_signature(first, second):  # D3
    def fresh():
        return [read(f"<p>{one}".encode(), "text/html") for one in (first, second)]

    for aspect in ("structure", "tags", "attributes", "content"):
        old, new = fresh()
        direct = getattr(old, f"same_{aspect}")(new)
        assert direct == (getattr(old, f"{aspect}_hash") == getattr(new, f"{aspect}_hash"))
        assert direct == getattr(old, f"same_{aspect}")(new)
