"""Rows of nodes in, containers out: every table in order of first use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints
from webvigil.document.digest import InMemory, Kind, PageDigest


def build(
    *,
    kind: Kind,
    url: str,
    depths: Ints,
    names: Sequence[str],
    attributes: Sequence[tuple[int, str, str]] | None = None,
    attribute_rows: tuple[Ints, Sequence[str], Sequence[str]] | None = None,
    written: tuple[Ints, Sequence[str]],
) -> PageDigest:
    """A digest from one entry per node: its depth, its name; attributes and texts with their node.

    `written` is (nodes, texts); attributes come as rows (node, name, value) or as three columns.
    """
    tag_names, tags = interned(names)
    nodes, attribute_names, values = attribute_rows or _columns(attributes or ())
    name_table, name_index = interned(attribute_names)
    value_table, value_index = interned(values)
    text_table, text_index = interned(written[1])
    content = np.full(len(names), -1, dtype=np.int32)
    content[written[0]] = text_index
    return PageDigest(
        InMemory(
            kind=kind,
            url=url,
            structure=arrays.structure_of(depths),
            tag_names=tag_names,
            tags=tags,
            attribute_names=name_table,
            attribute_values=value_table,
            attribute_node=nodes,
            attribute_name=name_index,
            attribute_value=value_index,
            texts=text_table,
            content=content,
        )
    )


def interned(strings: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The distinct strings in order of first use, and for each string its index among them."""
    table = tuple(dict.fromkeys(strings))
    index = dict(zip(table, range(len(table)), strict=True))
    return table, np.fromiter(map(index.__getitem__, strings), dtype=np.int32, count=len(strings))


def _columns(rows: Iterable[tuple[int, str, str]]) -> tuple[Ints, list[str], list[str]]:
    listed = list(rows)
    nodes = np.array([row[0] for row in listed], dtype=np.int32)
    return nodes, [row[1] for row in listed], [row[2] for row in listed]
