"""A Page Digest in, one sequence of rows as XPath sees a document out, and back.

Every node is a row, in document order, and so is every attribute: it stands right after its element. A row
has a depth and a label. Labels are names with a mark of their kind: `LINE`, `@href`, `#text`, `#comment`,
`?target`, `#document`. The same written name in two namespaces makes two labels. Rows of all kinds but
elements and the document carry a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.document.markup import DOCUMENT, TEXT

if TYPE_CHECKING:
    from webvigil.document import PageDigest

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"

Label = tuple[str, str]  # the written name with the mark of its kind, and the address of its namespace


class Rows(NamedTuple):
    labels: tuple[Label, ...]  # sorted
    depths: Ints
    label: Ints
    values: list[str]  # one per row that carries a value, in document order


def carries_value(name: str) -> bool:
    return name[:1] in ("#", "?", "@") and name != DOCUMENT


def carriers(labels: tuple[Label, ...]) -> Mask:
    """Returns for each label whether its rows carry a value."""
    return np.array([carries_value(name) for name, _ in labels], dtype=np.bool_)


def rows_of(digest: PageDigest) -> Rows:
    """Makes rows of the nodes and attributes of a digest.

    Attributes are woven in between the nodes: node n moves down by the number of attributes before it.
    """
    nodes, owners = len(digest), digest.attribute_node
    at = np.arange(nodes) + digest.attribute_start[:-1]
    attribute_at = np.arange(len(owners)) + owners + 1
    labels, node_label, attribute_label = _labels(digest)
    depths = np.empty(nodes + len(owners), dtype=np.int32)
    label = np.empty(nodes + len(owners), dtype=np.int32)
    depths[at], label[at] = digest.depths, node_label
    depths[attribute_at], label[attribute_at] = digest.depths[owners] + 1, attribute_label
    # Texts and attribute values are looked up in one table, texts first, so that one pass finds both.
    value = np.full(len(depths), -1, dtype=np.int64)
    value[at] = digest.content
    value[attribute_at] = digest.attribute_value.astype(np.int64) + len(digest.texts)
    table = digest.texts + digest.attribute_values
    carried = value[carriers(labels)[label]].tolist()
    return Rows(labels, depths, label, [table[index] if index >= 0 else "" for index in carried])


def _labels(digest: PageDigest) -> tuple[tuple[Label, ...], Longs, Longs]:
    """Returns (all labels, sorted; the label of each node; the label of each attribute)."""
    plain = [(name, "") for name in digest.tag_names] + [(f"@{name}", "") for name in digest.attribute_names]
    tags = digest.tags.astype(np.int64)
    attributes = digest.attribute_name.astype(np.int64) + len(digest.tag_names)
    if digest.kind == "xml":
        number = {label: index for index, label in enumerate(plain)}
        for place, label, is_attribute in _in_namespaces(digest):
            column = attributes if is_attribute else tags
            column[place] = number.setdefault(label, len(number))
        plain = list(number)
    used, codes = np.unique(np.concatenate([tags, attributes]), return_inverse=True)
    order = sorted(range(len(used)), key=lambda index: plain[used[index]])
    rank = np.empty(len(used), dtype=np.int64)
    rank[order] = np.arange(len(used))
    labels = tuple(plain[used[index]] for index in order)
    return labels, rank[codes[: len(tags)]], rank[codes[len(tags) :]]


def _in_namespaces(digest: PageDigest) -> Iterator[tuple[int, Label, bool]]:
    """Yields (number of the node or attribute, label, is it an attribute?) for all that is in a namespace.

    Documents that declare no namespace and use no prefix skip the walk over all nodes.
    """
    declared = [name for name in digest.attribute_names if name == "xmlns" or name.startswith("xmlns:")]
    prefixed = [name for name in (*digest.tag_names, *digest.attribute_names) if ":" in name]
    if declared or prefixed:
        yield from _resolved(digest)


def _resolved(digest: PageDigest) -> Iterator[tuple[int, Label, bool]]:
    """Finds the namespaces of nodes and attributes in one walk in document order.

    For each prefix the walk keeps a stack of its meanings, each with the node at which its scope ends.
    """
    meanings: dict[str, list[tuple[int, str]]] = {}
    starts = digest.attribute_start.tolist()
    names = digest.attribute_name.tolist()
    for node, tag in enumerate(digest.tags.tolist()):
        name = digest.tag_names[tag]
        if name[:1] in ("#", "?"):
            continue
        first, last = starts[node], starts[node + 1]
        # All declarations come first: they apply to the names of their own element and its attributes.
        for row in range(first, last):
            declaration = digest.attribute_names[names[row]]
            if declaration == "xmlns" or declaration.startswith("xmlns:"):
                address = digest.attribute_values[int(digest.attribute_value[row])]
                end = node + int(digest.sizes[node])
                meanings.setdefault(declaration[6:], []).append((end, address))
        if address := _meaning(meanings, name.rpartition(":")[0], node):
            yield node, (name, address), False
        for row in range(first, last):
            attribute = digest.attribute_names[names[row]]
            prefix = attribute.partition(":")[0] if ":" in attribute else ""
            if prefix and prefix != "xmlns" and (address := _meaning(meanings, prefix, node)):
                yield row, (f"@{attribute}", address), True


def _meaning(meanings: dict[str, list[tuple[int, str]]], prefix: str, node: int) -> str:
    """Returns the address that a prefix means at a node, "" for none.

    Drops meanings whose scope has ended.
    """
    if prefix == "xml":
        return XML_NAMESPACE
    stack = meanings.get(prefix, [])
    while stack and stack[-1][0] <= node:
        stack.pop()
    return stack[-1][1] if stack else ""


def tables(rows: Rows) -> dict[str, object]:
    """Makes the containers of a Page Digest from its rows, with names and texts in order of first use."""
    is_attribute = np.array([name[0] == "@" for name, _ in rows.labels], dtype=np.bool_)[rows.label]
    nodes = np.flatnonzero(~is_attribute)
    owner = np.cumsum(~is_attribute) - 1
    carried = carriers(rows.labels)[rows.label]
    texts, text_numbers = _first_use(
        [value for value, mark in _marked(rows, carried, is_attribute) if not mark]
    )
    values, value_numbers = _first_use(
        [value for value, mark in _marked(rows, carried, is_attribute) if mark]
    )
    content = np.full(len(nodes), -1, dtype=np.int32)
    content[carried[nodes]] = text_numbers
    tag_names, tags = _names(rows, nodes, fixed=(TEXT, DOCUMENT))
    attribute_names, attribute_name = _names(rows, np.flatnonzero(is_attribute))
    return {
        "structure": arrays.structure_of(rows.depths[nodes]),
        "tag_names": tag_names,
        "tags": tags,
        "attribute_names": tuple(name[1:] for name in attribute_names),
        "attribute_values": values,
        "attribute_node": owner[is_attribute].astype(np.int32),
        "attribute_name": attribute_name,
        "attribute_value": value_numbers,
        "texts": texts,
        "content": content,
    }


def _marked(rows: Rows, carried: Mask, is_attribute: Mask) -> Iterator[tuple[str, bool]]:
    return zip(rows.values, is_attribute[carried].tolist(), strict=True)


def _first_use(strings: list[str]) -> tuple[tuple[str, ...], Ints]:
    number = {text: index for index, text in enumerate(dict.fromkeys(strings))}
    return tuple(number), np.fromiter(map(number.__getitem__, strings), np.int32, len(strings))


def _names(rows: Rows, chosen: Longs, fixed: tuple[str, ...] = ()) -> tuple[tuple[str, ...], Ints]:
    """Returns the different written names of these rows, in order of first use, and the number of each row.

    Namespaces are left out: the digest has them in its `xmlns` attributes.
    """
    used, first, codes = np.unique(rows.label[chosen], return_index=True, return_inverse=True)
    order = np.argsort(first)
    number: dict[str, int] = {name: index for index, name in enumerate(fixed)}
    for index in order.tolist():
        number.setdefault(rows.labels[used[index]][0], len(number))
    written = np.array([number[rows.labels[label][0]] for label in used.tolist()] or [0], dtype=np.int32)
    return tuple(number), written[codes] if len(chosen) else np.zeros(0, dtype=np.int32)
