"""A second HTML parser behind the promise of `HtmlParser`: lexbor through selectolax.

The tests ask it for a second opinion, which also shows that the parser can be replaced. The product does not
use it: its binding does not tell the identifiers of a doctype, and it is not linear on hostile input.
"""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborHTMLParser

from webvigil.document.sink import Sink


def lexbor(text: str, sink: Sink) -> None:
    root = LexborHTMLParser(text).root
    if root is None:
        return
    document: Any = root.parent
    open_nodes: list[Any] = []
    node = document.first_child
    while node is not None:
        _enter(node, sink)
        child = _first_child(node)
        if child is not None:
            open_nodes.append(node)
            node = child
        else:
            node = _leave(node, open_nodes, sink)


def _enter(node: Any, sink: Sink) -> None:
    if node.is_element_node:
        sink.start_element(node.tag, tuple(node.attributes.items()))
    elif node.is_text_node:
        sink.characters(node.text_content or "")
    elif node.is_comment_node:
        sink.comment(node.comment_content or "")
    elif node.tag == "-doctype":
        sink.doctype(node.html[len("<!DOCTYPE ") : -1], None, None)
    elif node.tag is None:
        target, _, data = node.html[2:].removesuffix("?>").partition(" ")
        sink.processing_instruction(target, data)


def _first_child(node: Any) -> Any:
    if not node.is_element_node:
        return None
    if node.tag == "template" and node.first_child is None:
        # What is in a template hangs on a fragment of its own; the first one found is this template's.
        fragments = node.template_fragments()
        return fragments[0].first_child if fragments else None
    return node.first_child


def _leave(node: Any, open_nodes: list[Any], sink: Sink) -> Any:
    """Closes the elements that end with this node. Returns the node that comes next, None at the end."""
    while True:
        if node.is_element_node:
            sink.end_element(node.tag)
        if node.next is not None:
            return node.next
        if not open_nodes:
            return None
        node = open_nodes.pop()
