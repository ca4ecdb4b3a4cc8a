"""Documents for tests: small trees drawn by Hypothesis, and the ways in which they change."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from hypothesis import strategies as st

from webvigil.document import PageDigest
from webvigil.document.containers import Kind
from webvigil.document.sink import Sink

NAMES = ["div", "p", "ul", "li", "b"]
TEXTS = ["one", "two", "three words here", "four", " ", "a long text that stands only once or so"]


@dataclass
class Node:
    name: str
    text: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)


leaves = st.builds(Node, st.sampled_from(["#text", "#comment"]), st.sampled_from(TEXTS))
attributes = st.dictionaries(st.sampled_from(["id", "class", "href"]), st.sampled_from("xyz"), max_size=2)


def _elements(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.builds(
        lambda name, attributes, children: Node(name, None, attributes, children),
        st.sampled_from(NAMES),
        attributes,
        st.lists(inner, max_size=5),
    )


trees = _elements(st.recursive(leaves, _elements, max_leaves=25))


@st.composite
def changed_trees(draw: st.DrawFn) -> tuple[Node, Node]:
    """Draws a tree, and the tree after a few changes."""
    old = draw(trees)
    new = copy.deepcopy(old)
    for _ in range(draw(st.integers(0, 5))):
        _change(draw, new)
    return old, new


def _change(draw: st.DrawFn, root: Node) -> None:
    parents = [node for node in walk(root) if node.text is None]
    holder = draw(st.sampled_from(parents))
    what = draw(st.sampled_from(["insert", "delete", "move", "copy", "rewrite", "dress", "rename", "wrap"]))
    place = draw(st.integers(0, len(holder.children)))
    if what == "insert":
        holder.children.insert(place, draw(trees))
    elif what == "dress":
        holder.attributes = draw(attributes)
    elif what == "rename":
        holder.name = draw(st.sampled_from(NAMES))
    elif place < len(holder.children):
        _change_child(draw, what, root, holder, place)


def _change_child(draw: st.DrawFn, what: str, root: Node, holder: Node, place: int) -> None:
    child = holder.children[place]
    if what == "wrap":
        holder.children[place] = Node("div", None, {}, [child])
    elif what == "rewrite" and child.text is not None:
        child.text = draw(st.sampled_from(TEXTS))
    elif what == "delete":
        del holder.children[place]
    elif what in ("move", "copy"):
        taken = copy.deepcopy(child)
        if what == "move":
            del holder.children[place]
        target = draw(st.sampled_from([node for node in walk(root) if node.text is None]))
        target.children.insert(draw(st.integers(0, len(target.children))), taken)


def walk(root: Node) -> list[Node]:
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += node.children
    return found


def digest(root: Node, kind: Kind = "html") -> PageDigest:
    sink = Sink()
    waiting = [(root, False)]
    while waiting:
        node, is_over = waiting.pop()
        if is_over:
            sink.end_element(node.name)
        elif node.text is not None:
            sink.leaf(node.name, node.text)
        else:
            sink.start_element(node.name, node.attributes.items())
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(node.children)]
    return sink.digest(kind, "")
