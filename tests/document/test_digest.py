"""The digest of a small page: what its containers hold, and the tree and the paths that follow from them."""

import numpy as np
import pytest

from webvigil.document import read

PAGE = b"""<!doctype html><title>Fish</title><p>one<b>two</b> three</p>
<ul><li>a<li><a href=/x>b</a></ul><script>no()</script>"""


def test_the_containers_of_a_page_are_numbered_depth_first():  # D1
    digest = read(b"<p>one<b>two</b></p>")
    assert [digest.tag(node) for node in range(len(digest))] == [
        "#document", "html", "head", "body", "p", "#text", "b", "#text",
    ]  # fmt: skip
    assert digest.structure.tolist() == [1, 2, 0, 1, 2, 0, 1, 0]
    assert digest.sizes.tolist() == [8, 7, 1, 5, 4, 1, 2, 1]
    assert digest.parents.tolist() == [-1, 0, 1, 1, 3, 4, 4, 6]
    assert digest.texts == ("one", "two")
    assert digest.content.tolist() == [-1, -1, -1, -1, -1, 0, -1, 1]


def test_the_signature_of_comments_counts_the_very_first_text_of_a_page():
    one, other = read(b"<!--one--><p>a"), read(b"<!--two--><p>a")
    assert one.texts[0] == "one"
    assert one.comments_hash != other.comments_hash
    assert one.content_hash == other.content_hash


def test_a_path_has_numbers_only_among_siblings_of_one_name():  # D4
    digest = read(PAGE)
    (link,) = digest.nodes_of("a").tolist()
    assert digest.path(link) == "/html/body/ul/li[2]/a"
    assert digest.path(0) == "/"


def test_scripts_are_not_read_and_inline_elements_do_not_cut_words():  # D4, C4
    digest = read(PAGE)
    assert digest.visible_text == "onetwo three\na\nb"
    assert digest.words.words == ["onetwo", "three", "a", "b"]
    assert digest.title == "Fish"


def test_equal_subtrees_have_equal_signatures_wherever_they_stand():
    digest = read(b"<div><p id=a class=b>x</p></div><p class=b id=a>x</p><p id=a class=b>y</p>")
    first, second, third = digest.subtree_hashes[digest.nodes_of("p")]
    assert first == second != third
    assert len(np.unique(digest.shape_hashes[digest.nodes_of("p")])) == 1


OF_TREE = ("sizes", "depths", "parents", "ranks", "is_text", "hidden", "block_edges")
TREE = b"<title>t</title><h1>Prices</h1><p>one <b>two</b><p hidden>three<ul><li>four<li>five</ul>"


@pytest.mark.parametrize(
    ("new", "is_shared"),
    [
        (TREE.replace(b"four", b"six"), True),
        (TREE.replace(b"<li>", b"<li id=a>", 1), True),
        (TREE.replace(b"<p>", b"<p hidden>"), False),
        (TREE.replace(b"<b>two</b>", b"<i>two</i>"), False),
        (TREE.replace(b"<li>five", b""), False),
        (TREE.replace(b"<li>five", b"<p>five"), False),
    ],
)
def test_what_depends_on_the_tree_alone_is_shared_by_versions_with_the_same_tree(new: bytes, is_shared: bool):
    for first in (0, 1):  # whichever version is asked first
        digests = read(TREE, "text/html"), read(new, "text/html")
        digests[1].follows(digests[0])
        digests[0].follows(digests[1])  # as when they are compared in the opposite direction, too
        alone = read(TREE, "text/html"), read(new, "text/html")
        for place in (first, 1 - first):
            one, other = digests[place], alone[place]
            for name in OF_TREE:
                assert getattr(one, name).tolist() == getattr(other, name).tolist()
            assert one.pieces == other.pieces
            assert [heading.text for heading in one.headings] == [heading.text for heading in other.headings]
            assert one.paths(list(range(len(one)))) == other.paths(list(range(len(other))))
        assert all(
            (getattr(digests[0], name) is getattr(digests[1], name)) is is_shared for name in OF_TREE[4:]
        )


def test_a_part_shares_nothing_with_the_version_before():
    whole, twin = read(TREE, "text/html"), read(TREE, "text/html")
    kept = np.arange(len(twin)) != 4
    part = twin.part(kept)
    part.follows(whole)
    assert whole.is_text.tolist() == twin.is_text.tolist()
    assert part.is_text.tolist() == twin.is_text[kept].tolist()


def test_a_version_is_not_the_version_before_itself():
    digest = read(TREE, "text/html")
    digest.follows(digest)
    assert digest.hidden.any()
