"""A page with other texts, further lines or fewer nodes has the containers that a reader makes (D5)."""

from __future__ import annotations

import numpy as np
import pytest

from webvigil.document import PageDigest, read

PAGE = b"<!doctype html><p>a<b>b</b>c</p><!--a--><p>a</p>"


def shown(digest: PageDigest) -> str:
    """Returns all nodes with their depths and the texts of leaves."""
    return " ".join(
        f"{digest.depths[node]}{digest.tag(node)}{digest.own_text(node) and '=' + digest.own_text(node)}"
        for node in range(1, len(digest))
    )


WHOLE = "1#doctype=html 1html 2head 2body 3p 4#text=a 4b 5#text=b 4#text=c 3#comment=a 3p 4#text=a"
MORE = WHOLE.replace("3p 4#text=a 4b", "3#text=x 3#text=y 3p 4#text=a 4b").replace(
    "4#text=c", "4#text=x 4#text=c"
)


def test_the_text_of_every_text_node_may_be_changed():
    digest = read(PAGE, "text/html")
    assert shown(digest) == WHOLE
    loud = digest.with_texts(str.upper)
    changed = WHOLE.replace("text=a", "text=A").replace("text=b", "text=B").replace("text=c", "text=C")
    assert shown(loud) == changed
    assert loud.texts == ("html", "A", "B", "C", "a")
    assert loud.paths([6, 8, 10]) == digest.paths([6, 8, 10])
    assert loud == read(
        PAGE.replace(b">a<", b">A<").replace(b">b<", b">B<").replace(b">c<", b">C<"), "text/html"
    )
    silent = digest.with_texts(lambda text: "")
    assert (silent.texts, silent.visible_text) == (("html", "", "a"), "")
    assert digest.with_texts(str) == digest


def test_the_texts_of_some_nodes_may_be_changed():
    digest = read(PAGE, "text/html")
    changed = digest.with_own_texts({6: "c", 8: "x"})
    assert shown(changed) == WHOLE.replace("4#text=a 4b 5#text=b", "4#text=c 4b 5#text=x")
    assert changed.texts == ("html", "c", "x", "a")
    assert digest.with_own_texts({}) == digest


@pytest.mark.parametrize(
    ("before", "lines", "nodes"),
    [
        ([5], ["x"], WHOLE.replace("3p 4#text=a 4b", "3#text=x 3p 4#text=a 4b")),
        ([5, 5, 9], ["x", "y", "x"], MORE),
        ([1], ["a"], f"1#text=a {WHOLE}"),
        ([], [], WHOLE),
    ],
)  # fmt: skip
def test_lines_may_stand_before_nodes(before: list[int], lines: list[str], nodes: str):
    digest = read(PAGE, "text/html")
    found = digest.with_lines(np.array(before, dtype=np.int64), lines)
    assert shown(found) == nodes
    added = [node for node in range(len(found)) if found.origin[node] == found.origin[node - 1] and node]
    assert len(added) == len(before)
    assert [found.path(node) for node in added] == [digest.path(node) for node in before]
    assert found.whole is digest
    assert PageDigest.from_bytes(found.to_bytes()) == found


def test_lines_may_stand_where_there_was_no_text():
    digest = read(b"<a><b k='1'/><c l='2'/></a>", "text/xml")
    found = digest.with_lines(np.array([2]), ["x"])
    assert shown(found) == "1a 2#text=x 2b 2c"
    assert (found.attribute_node.tolist(), found.text(0)) == ([3, 4], "x")
    assert [found.attributes(node) for node in (2, 3, 4)] == [{}, {"k": "1"}, {"l": "2"}]


@pytest.mark.parametrize(
    ("kept", "nodes", "texts"),
    [
        ([], "", ()),
        ([6, 10], "1#text=a 1#comment=a", ("a",)),
        ([7, 9], "1b 1#text=c", ("c",)),
        ([2, 5, 8], "1html 2p 3#text=b", ("b",)),
        ([5, 6, 11, 12], "1p 2#text=a 1p 2#text=a", ("a",)),
    ],
)
def test_a_part_holds_the_kept_nodes_one_below_the_other(kept: list[int], nodes: str, texts: tuple[str, ...]):
    digest = read(PAGE, "text/html")
    part = digest.part(np.isin(np.arange(len(digest)), kept))
    assert (shown(part), part.texts) == (nodes, texts)
    assert part.origin.tolist() == [0, *kept]
    assert part.tag_names[:2] == ("#text", "#document")
    assert part.structure.tolist()[0] == nodes.count("1#") + nodes.count("1p") + nodes.count(
        "1b"
    ) + nodes.count("1h")
    assert PageDigest.from_bytes(part.to_bytes()) == part


def test_a_part_has_the_attributes_of_its_nodes_or_some_of_them():
    digest = read(b"<p id=a class=b>x</p><i class=c id=a>y</i><b title=t>z</b>", "text/html")
    everything = np.ones(len(digest), dtype=np.bool_)
    nodes = digest.is_tag(("i", "b"))
    assert [digest.part(nodes).attribute_pairs(node) for node in (1, 2)] == [
        [("class", "c"), ("id", "a")],
        [("title", "t")],
    ]
    assert digest.part(nodes).attribute_names == ("class", "id", "title")
    assert digest.part(nodes).attribute_values == ("c", "a", "t")
    some = digest.part(everything, np.array([False, True, False, True, False]))
    assert [some.attribute_pairs(node) for node in some.nodes_of("p", "i", "b").tolist()] == [
        [("class", "b")], [("id", "a")], [],
    ]  # fmt: skip
