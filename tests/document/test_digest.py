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


SMALL = b"<ul id=a class=b><li>one<li id=c>t<b>w</b>o<li><!--d--></ul><p></p>"


def test_the_nodes_of_a_page_are_found_by_place_and_name():
    digest = read(SMALL, "text/html")
    names = [
        "#document",
        "html",
        "head",
        "body",
        "ul",
        "li",
        "#text",
        "li",
        "#text",
        "b",
        "#text",
        "#text",
        "li",
    ]
    assert [digest.tag(node) for node in range(len(digest))] == [*names, "#comment", "p"]
    assert [digest.children(node) for node in (0, 1, 4, 7, 14)] == [[1], [2, 3], [5, 7, 12], [8, 9, 11], []]
    assert [digest.ancestors(10), digest.ancestors(0), digest.ancestors(1)] == [[9, 7, 4, 3, 1, 0], [], [0]]
    assert [digest.ancestors(10, most) for most in (0, 1, 6, 7)] == [
        [],
        [9],
        [9, 7, 4, 3, 1, 0],
        [9, 7, 4, 3, 1, 0],
    ]
    assert digest.breadth_first().tolist() == [0, 1, 2, 3, 4, 14, 5, 7, 12, 6, 8, 9, 11, 13, 10]
    assert [digest.depth_first(node) for node in (0, 7, 14)] == [range(15), range(7, 12), range(14, 15)]
    assert digest.ranks.tolist() == [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 2, 2, 0, 1]
    for known in (False, True):
        fresh = read(SMALL, "text/html")
        assert not known or len(fresh.parents) == 15
        assert [fresh.parent(node) for node in range(15)] == [-1, 0, 1, 1, 3, 4, 5, 4, 7, 7, 9, 7, 4, 12, 3]
    assert digest.nodes_of().tolist() == digest.nodes_of("i").tolist() == []
    assert digest.nodes_of("li").tolist() == [5, 7, 12]
    assert digest.nodes_of("li", "p").tolist() == [5, 7, 12, 14]
    assert digest.nodes_of("p", "li", "b", "i").tolist() == [5, 7, 9, 12, 14]
    assert digest.is_tag(("li", "b"), slice(5, 10)).tolist() == [True, False, True, False, True]
    assert digest.is_tag(("i",)).tolist() == [False] * 15
    assert digest.tag_index["#text"] == 0
    assert [digest.tag_names[number] for number in digest.tags[:3].tolist()] == names[:3]


def test_attributes_are_found_by_node_and_name():
    digest = read(SMALL, "text/html")
    assert [digest.attribute(4, name) for name in ("id", "class", "title")] == ["a", "b", None]
    assert [digest.attribute(7, name) for name in ("id", "class")] == ["c", None]
    assert digest.attribute_pairs(4) == [("id", "a"), ("class", "b")]
    assert (digest.attribute_pairs(5), digest.attributes(7)) == ([], {"id": "c"})
    assert digest.rows_of("id").tolist() == [0, 2]
    assert digest.rows_of("id", "class", "x").tolist() == [0, 1, 2]
    assert digest.rows_of("x").tolist() == []
    assert digest.attribute_start.tolist() == [0] * 5 + [2] * 3 + [3] * 8
    assert digest.attribute_index == {"id": 0, "class": 1}


def test_texts_are_those_in_a_node():
    digest = read(SMALL, "text/html")
    assert [digest.text(node) for node in (0, 4, 5, 7, 9, 12, 13, 14, 6, 2)] == [
        "onetwo", "onetwo", "one", "two", "w", "", "d", "", "one", "",
    ]  # fmt: skip
    assert [digest.own_text(node) for node in (0, 6, 8, 13)] == ["", "one", "t", "d"]
    assert [digest.path(node) for node in (0, 1, 5, 8, 10, 11, 13, 14)] == [
        "/", "/html", "/html/body/ul/li[1]", "/html/body/ul/li[2]/text()[1]", "/html/body/ul/li[2]/b/text()",
        "/html/body/ul/li[2]/text()[2]", "/html/body/ul/li[3]/comment()", "/html/body/p",
    ]  # fmt: skip
    assert digest.paths([]) == []
    part = digest.part(digest.is_tag(("b", "#text")))
    assert [part.path(node) for node in range(1, len(part))] == part.paths([*range(1, len(part))])
    assert part.paths([]) == []
    assert part.path(1) == "/html/body/ul/li[1]/text()"
    assert part.origin.tolist() == [0, 6, 8, 9, 10, 11]


@pytest.mark.parametrize(
    ("body", "content_type", "is_html"),
    [
        (b"<p>", "text/html", True),
        (b"<html><p/></html>", "text/xml", True),
        (b"<!--a--><html/>", "application/xhtml+xml", True),
        (b"<a><html/></a>", "text/xml", False),
        (b"<a/>", "text/xml", False),
        (b"{}", "application/json", False),
        (b"x", "text/plain", False),
    ],
)
def test_html_is_what_is_read_as_html_or_has_its_root(body: bytes, content_type: str, is_html: bool):
    digest = read(body, content_type)
    assert digest.is_html is is_html
    assert digest.part(np.zeros(len(digest), dtype=np.bool_)).is_html is is_html


def test_a_copy_knows_more_than_its_original():
    digest = read(b"<p>a", "text/html")
    assert (digest.screenshot, digest.pictures, len(digest.source_hash)) == (b"", {}, 16)
    seen = digest.with_screenshot(lambda: b"png")
    assert (seen.screenshot, digest.screenshot) == (b"png", b"")
    assert seen.part(np.ones(len(seen), dtype=np.bool_)).screenshot == b"png"
    signed = digest.with_source(b"x", {"a": "1"})
    assert (signed.source_hash, signed.pictures) == (b"x", {"a": "1"})
    assert signed.with_source(b"y").pictures == {"a": "1"}
    assert (signed.with_pictures({}).pictures, signed.with_pictures({}).source_hash) == ({}, b"x")
    assert (digest.pictures, signed == digest) == ({}, True)


@pytest.mark.parametrize(
    ("old", "new", "differing"),
    [
        (b"<p id=a class=b>x</p>", b"<p class=b id=a>x</p>", set()),
        (b"<p id=a>x</p>", b"<p id=b>x</p>", {"attributes"}),
        (b"<p id=a>x</p>", b"<p name=a>x</p>", {"attributes"}),
        (b"<p id=a>x</p><p>y</p>", b"<p>x</p><p id=a>y</p>", {"attributes"}),
        (b"<p id=a>x</p>", b"<p>x</p>", {"attributes"}),
        (b"<p>x</p>", b"<p>y</p>", {"content", "lines"}),
        (b"<p>x</p><p>y</p>", b"<p>y</p><p>x</p>", {"content", "lines"}),
        (b"<p>x</p>", b"<div>x</div>", {"tags"}),
        (b"<p>x</p>", b"<p> x</p>", {"content"}),
        (b"<p>x</p>", b"<p>x</p><hr>", {"structure", "tags"}),
        (b"<p><b>x</b>y</p>", b"<p><b>xy</b></p>", {"structure", "tags", "content"}),
        (b"<p><i>x</i></p><p>y</p>", b"<p><i>x</i></p><i>y</i>", {"tags"}),
        (b"<p>x</p><!--a-->", b"<p>x</p><!--b-->", {"comments"}),
    ],
)
def test_each_aspect_is_compared_with_and_without_its_signature(old: bytes, new: bytes, differing: set[str]):
    aspects = ("structure", "tags", "attributes", "content")
    for known in (False, True):
        one, other = read(old, "text/html"), read(new, "text/html")
        if known:
            assert all(
                len(getattr(digest, f"{name}_hash")) == 16 for digest in (one, other) for name in aspects
            )
        told = {name for name in aspects if not getattr(one, f"same_{name}")(other)}
        assert told == differing - {"lines", "comments"}
        assert one.same_lines(other) is ("lines" not in differing)
        assert (one.shown.text == other.shown.text) is ("lines" not in differing)
        assert one.same_lines(other) is ("lines" not in differing)
        assert (one == other) is not bool(differing - {"lines"})
        assert (one.comments_hash == other.comments_hash) is ("comments" not in differing)
        assert (hash(one) == hash(other)) is not bool(differing - {"lines"})
    assert one != "page"
    assert one != read(old, "text/plain")


def test_a_value_is_computed_once():
    asked: list[str] = []

    def make(name: str):
        return lambda digest: asked.append(name) or name

    old, new, other = read(TREE, "text/html"), read(TREE, "text/html"), read(b"<p>x", "text/html")
    new.follows(old)
    other.follows(old)
    assert [new.once("a", make("a")) for _ in range(2)] == ["a", "a"]
    assert old.once("a", make("b")) == "b"
    assert [one.once("c", make("c"), of_tree=True) for one in (new, old, new)] == ["c"] * 3
    assert other.once("c", make("d"), of_tree=True) == "d"
    assert asked == ["a", "b", "c", "d"]


def test_a_version_forgets_what_it_was_compared_with():
    one, other, third = (read(TREE, "text/html") for _ in range(3))
    gone = read(b"<p>x", "text/html")
    one.follows(gone)
    assert one.hidden is not gone.hidden
    twin = read(TREE, "text/html")
    twin.follows(gone)
    assert twin.is_text.tolist() == third.is_text.tolist()
    twin.follows(other)
    assert twin.hidden is other.hidden
    del gone
    assert one.block_edges.tolist() == third.block_edges.tolist()
