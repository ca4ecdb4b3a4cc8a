"""The trees that other parsers make of a document, as plain data to compare ours with."""

from __future__ import annotations

from typing import Any

import html5lib
from lxml import etree

from webvigil.document import PageDigest


def events(digest: PageDigest) -> list[tuple[Any, ...]]:
    """Returns (depth, name, sorted attributes, text) of each node except the document itself."""
    return [
        (
            int(digest.depths[node]),
            digest.tag(node),
            tuple(sorted(digest.attributes(node).items())),
            digest.own_text(node),
        )
        for node in range(1, len(digest))
    ]


def html5lib_events(text: str) -> list[tuple[Any, ...]]:
    """Returns what html5lib makes of the same HTML."""
    document = html5lib.parse(text, treebuilder="dom", namespaceHTMLElements=False)
    document.normalize()
    found = []
    waiting = [(1, child) for child in reversed(document.childNodes)]
    while waiting:
        depth, node = waiting.pop()
        found.append((depth, *_dom(node)))
        waiting += [(depth + 1, child) for child in reversed(node.childNodes)]
    return found


def _dom(node: Any) -> tuple[Any, ...]:
    if node.nodeType == node.ELEMENT_NODE:
        return node.tagName, tuple(sorted(node.attributes.items())), ""
    if node.nodeType == node.TEXT_NODE:
        return "#text", (), node.data
    if node.nodeType == node.COMMENT_NODE:
        return "#comment", (), node.data
    return "#doctype", (), node.name


def canonical(document: bytes) -> bytes:
    parser = etree.XMLParser(resolve_entities=True, no_network=True)
    return etree.tostring(etree.fromstring(document, parser).getroottree(), method="c14n")
