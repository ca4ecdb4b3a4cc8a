"""A digest in, an equivalent document out (D2): reading it again gives an equal digest.

XML comes back canonically equal to what was read. HTML comes back in the form that browsers write. A tree
that only broken markup can make (a link inside a link) cannot be written as HTML that gives the same tree.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from webvigil.document.charset import declared
from webvigil.document.markup import CDATA, COMMENT, DOCTYPE, RAW_TEXT, TEXT, VOID
from webvigil.errors import DocumentRefused

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

_UTF8_MARK = b"\xef\xbb\xbf"
_BEGIN_WITH_NEWLINE = ("pre", "textarea", "listing")
# Inside SVG and MathML the rules for HTML text do not hold; inside the elements of _BACK_TO_HTML they hold
# again.
_FOREIGN = ("svg", "math")
_BACK_TO_HTML = ("foreignObject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation-xml")

# Pairs for str.replace, which is many times faster than str.translate: that looks up each character in a
# dict.
_Escapes = tuple[tuple[str, str], ...]
_HTML_TEXT: _Escapes = (
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\xa0", "&nbsp;"), ("\r", "&#13;"),
)  # fmt: skip
_HTML_VALUE: _Escapes = (("&", "&amp;"), ('"', "&quot;"), ("\xa0", "&nbsp;"), ("\r", "&#13;"))
XML_TEXT: _Escapes = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\r", "&#13;"))
XML_VALUE: _Escapes = (
    ("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;"), ("\t", "&#9;"), ("\n", "&#10;"), ("\r", "&#13;"),
)  # fmt: skip

CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "xml": "application/xml; charset=utf-8",
    "json": "application/json",
    "text": "text/plain; charset=utf-8",
    "binary": "application/octet-stream",
}


def as_document(digest: PageDigest) -> bytes:
    match digest.kind:
        case "html":
            return _marked("".join(_html(digest, [])).encode("utf-8", "replace"))
        case "xml":
            return "".join(_xml(digest, [])).encode("utf-8", "replace")
        case "json":
            return "".join(_json(digest, [])).encode("utf-8")
        case "text":
            return "".join([digest.own_text(node) for node in range(1, len(digest))]).encode(
                "utf-8", "replace"
            )
        case _:
            raise DocumentRefused("only the checksum of a binary document is kept, not the document")


def places(digest: PageDigest) -> tuple[list[int], list[int]]:
    """Returns the nodes that are written, and where each begins in the written text (without a byte order
    mark)."""
    if digest.kind == "text":
        nodes = list(range(1, len(digest)))
        return nodes, list(accumulate([len(digest.own_text(node)) for node in nodes], initial=0))[:-1]
    nodes = []
    starts: list[int] = []
    length = 0
    for piece in _WRITERS[digest.kind](digest, nodes):
        if len(nodes) > len(starts):
            starts.append(length)
        length += len(piece)
    return nodes, starts


def _marked(document: bytes) -> bytes:
    """Returns the document with a byte order mark if its meta tag names another encoding. Without the mark it
    would be read in that encoding, although it is UTF-8 now."""
    return document if declared(document, "html") in ("", "utf-8") else _UTF8_MARK + document


# A writer yields the document piece by piece, and notes each node just before the piece it begins with.


def _html(digest: PageDigest, begun: list[int]) -> Iterator[str]:
    open_tags: list[tuple[int, str, bool]] = []  # (one behind the last node, name, foreign inside)
    attributes = _attributes(digest, _HTML_VALUE)
    for node, tag, text, end in _nodes(digest):
        while open_tags and open_tags[-1][0] <= node:
            yield f"</{open_tags.pop()[1]}>"
        begun.append(node)
        foreign = bool(open_tags) and open_tags[-1][2]
        if tag[0] in "#?":
            yield _html_leaf(tag, text, open_tags[-1][1] if open_tags else "", foreign)
            continue
        yield f"<{tag}{attributes.get(node, '')}>"
        if tag in VOID and not foreign:
            continue
        if tag in _BEGIN_WITH_NEWLINE and digest.text(node)[:1] == "\n":
            yield "\n"
        if tag == "plaintext" and not foreign:
            yield digest.text(node)  # and nothing can follow it, not even an end tag
            return
        inside = tag in _FOREIGN or (foreign and tag not in _BACK_TO_HTML)
        open_tags.append((end, tag, inside))
    while open_tags:
        yield f"</{open_tags.pop()[1]}>"


def _html_leaf(tag: str, text: str, parent: str, foreign: bool) -> str:
    if tag in (TEXT, CDATA):
        return text if parent in RAW_TEXT and not foreign else escaped(text, _HTML_TEXT)
    if tag == COMMENT:
        return f"<!--{text}-->"
    return f"<!DOCTYPE {text}>" if tag == DOCTYPE else f"<{tag} {text}>"


def _xml(digest: PageDigest, begun: list[int]) -> Iterator[str]:
    open_tags: list[tuple[int, str]] = []
    attributes = _attributes(digest, XML_VALUE)
    for node, tag, text, end in _nodes(digest):
        while open_tags and open_tags[-1][0] <= node:
            yield f"</{open_tags.pop()[1]}>"
        begun.append(node)
        if tag[0] in "#?":
            yield _xml_leaf(tag, text)
        elif end == node + 1:
            yield f"<{tag}{attributes.get(node, '')}/>"
        else:
            yield f"<{tag}{attributes.get(node, '')}>"
            open_tags.append((end, tag))
    while open_tags:
        yield f"</{open_tags.pop()[1]}>"


def _xml_leaf(tag: str, text: str) -> str:
    match tag:
        case "#text":
            return escaped(text, XML_TEXT)
        case "#cdata":
            return f"<![CDATA[{text}]]>"
        case "#comment":
            return f"<!--{text}-->"
        case "#doctype":
            return f"<!DOCTYPE {text}>"
        case _:
            return f"<{tag} {text}?>" if text else f"<{tag}?>"


def escaped(text: str, escapes: _Escapes) -> str:
    for character, escape in escapes:
        if character in text:
            text = text.replace(character, escape)
    return text


def _nodes(digest: PageDigest) -> Iterator[tuple[int, str, str, int]]:
    """Yields for every node but the document its number, name, text, and the number behind its subtree."""
    names, texts = digest.tag_names, (*digest.texts, "")
    ends = (np.arange(len(digest)) + digest.sizes).tolist()
    rows = zip(digest.tags.tolist(), digest.content.tolist(), ends, strict=True)
    for node, (tag, content, end) in enumerate(rows):
        if node:
            yield node, names[tag], texts[content], end  # no text is -1: the empty one at the end


def _attributes(digest: PageDigest, escapes: _Escapes) -> dict[int, str]:
    """Returns for each node with attributes their text in the document."""
    values = [escaped(value, escapes) for value in digest.attribute_values]
    written: dict[int, list[str]] = {}
    columns = (digest.attribute_node, digest.attribute_name, digest.attribute_value)
    for node, name, value in zip(*(column.tolist() for column in columns), strict=True):
        written.setdefault(node, []).append(f' {digest.attribute_names[name]}="{values[value]}"')
    return {node: "".join(parts) for node, parts in written.items()}


def _json(digest: PageDigest, begun: list[int]) -> Iterator[str]:
    open_ends: list[tuple[int, str]] = []
    ranks, sizes, tags = digest.ranks.tolist(), digest.sizes.tolist(), digest.tags.tolist()
    keys, node = _keys(digest), 1
    while node < len(digest):
        while open_ends and open_ends[-1][0] <= node:
            yield open_ends.pop()[1]
        if ranks[node]:
            yield ","
        begun.append(node)
        if node in keys:
            yield _string(keys[node]) + ":"
        tag, end = digest.tag_names[tags[node]], node + sizes[node]
        if tag in _BRACKETS:
            yield _BRACKETS[tag][0]
            open_ends.append((end, _BRACKETS[tag][1]))
            node += 1
        else:
            yield _scalar(tag)(digest.text(node))
            node = end
    yield from (closing for _, closing in reversed(open_ends))


def _keys(digest: PageDigest) -> dict[int, str]:
    """Returns for each node its key in the JSON object around it: the first one, as `attribute` returns."""
    rows = digest.rows_of("key")[::-1]
    values = map(digest.attribute_values.__getitem__, digest.attribute_value[rows].tolist())
    return dict(zip(digest.attribute_node[rows].tolist(), values, strict=True))


_WRITERS = {"html": _html, "xml": _xml, "json": _json}

_BRACKETS = {"object": "{}", "array": "[]"}


def _scalar(tag: str) -> Callable[[str], str]:
    return _string if tag == "string" else str


def _string(text: str) -> str:
    """Returns a text as a JSON string. A text with a lone surrogate is written with escapes, because UTF-8
    cannot hold it."""
    plain = json.dumps(text, ensure_ascii=False)
    try:
        plain.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(text)
    return plain
