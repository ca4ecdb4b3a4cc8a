"""A Page Digest in, its containers as plain columns and tables out: larger than other forms, quick to open.

This form is for a digest that is loaded often and soon discarded: the newest version of a page. Each column
and each table of strings is opened when it is asked for. XPath works on such a document as on any other; its
rows are computed when they are needed.

    nodes   a byte per column with its width, the number of attributes, then the columns, plain: ST, TM,
            CM (+ 1, for 0 means none) with a number per node, the three of AM with a number per attribute
    names   two tables of strings, each behind its bits, its number and its length: TL, names of AL
    values  two containers with one table each: values of AL, CL
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webvigil.document.arrays import Ints, Longs
from webvigil.document.containers import Kind, is_tree, widened
from webvigil.errors import XPackError
from webvigil.model.memo import cached_property
from webvigil.xpack.numbers import column_width, read_varint, varint
from webvigil.xpack.rows import Label, Rows, rows_of
from webvigil.xpack.sections import NAMES, NODES, VALUES
from webvigil.xpack.values import joined, split

if TYPE_CHECKING:
    from webvigil.document import PageDigest
    from webvigil.xpack.packed import Packed

_COLUMNS = 6  # ST, TM, CM and the three of AM
_LESS = (0, 0, 1, 0, 0, 0)  # subtracted from each column when it is read; in the third, CM, 0 means none
_TYPES = {width: np.dtype(f"<u{width}") for width in (1, 2, 4)}
_MOST = 1 << 25  # nodes or attributes; bounds the memory that a damaged file can make us use


def write_tables(digest: PageDigest) -> list[tuple[int, bytes]]:
    """Returns the containers of a digest, each with its identifier."""
    return [
        (NODES, _columns(digest)),
        (NAMES, _table(digest.tag_names) + _table(digest.attribute_names)),
        (VALUES, _table(digest.attribute_values)),
        (VALUES, _table(digest.texts)),
    ]


def _columns(digest: PageDigest) -> bytes:
    """Writes the columns of numbers: their widths, the number of attributes, then the columns themselves."""
    of_nodes = (digest.structure, digest.tags, digest.content + 1)
    columns = (*of_nodes, digest.attribute_node, digest.attribute_name, digest.attribute_value)
    widths = [column_width(column) for column in columns]
    plain = [column.astype(_TYPES[width]).tobytes() for column, width in zip(columns, widths, strict=True)]
    return bytes(widths) + varint(len(digest.attribute_node)) + b"".join(plain)


def _table(strings: Sequence[str]) -> bytes:
    """Writes a table of strings behind its bits, its number of strings and its length."""
    data, bits = joined(strings) if strings else (b"", 0)
    return bytes([bits]) + varint(len(strings)) + varint(len(data)) + data


class _Numbers(NamedTuple):
    structure: Ints
    tags: Ints
    content: Ints
    attribute_node: Ints
    attribute_name: Ints
    attribute_value: Ints


class Tables:
    """The containers of a Page Digest, read from a packed document and checked when they are asked for."""

    source_hash = b""
    pictures: Mapping[str, str] = MappingProxyType({})

    def __init__(self, packed: Packed) -> None:
        self._packed = packed
        self.count = packed.head.nodes
        self.kind: Kind = packed.head.kind

    @property
    def url(self) -> str:
        return self._packed.url

    @property
    def tag_names(self) -> tuple[str, ...]:
        return self._names[0]

    @property
    def attribute_names(self) -> tuple[str, ...]:
        return self._names[1]

    @cached_property
    def attribute_values(self) -> tuple[str, ...]:
        return _read_tables(self._packed.container(VALUES, 0), 1)[0]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return _read_tables(self._packed.container(VALUES, 1), 1)[0]

    @property
    def characters(self) -> int:
        return sum(map(len, self.texts))

    @property
    def attribute_characters(self) -> int:
        return sum(map(len, self.attribute_values))

    @cached_property
    def structure(self) -> Ints:
        children = self._numbers.structure
        if not is_tree(children):
            raise XPackError("the packed file is damaged: its structure is not that of a tree")
        return children

    @property
    def tags(self) -> Ints:
        return _below(self._numbers.tags, len(self.tag_names))

    @property
    def content(self) -> Ints:
        return _below(self._numbers.content, len(self.texts))

    @property
    def attribute_node(self) -> Ints:
        owners = self._numbers.attribute_node
        if len(owners) and (int(owners[-1]) >= self.count or (owners[1:] < owners[:-1]).any()):
            raise XPackError("the packed file is damaged: its attributes are out of order")
        return owners

    @property
    def attribute_name(self) -> Ints:
        return _below(self._numbers.attribute_name, len(self.attribute_names))

    @property
    def attribute_value(self) -> Ints:
        return _below(self._numbers.attribute_value, len(self.attribute_values))

    @cached_property
    def _names(self) -> list[tuple[str, ...]]:
        return _read_tables(self._packed.container(NAMES), 2)

    @cached_property
    def _numbers(self) -> _Numbers:
        """Reads all columns of numbers.

        Raises XPackError if their widths and lengths do not fit the container.
        """
        data = self._packed.container(NODES)
        attributes, place = read_varint(data, _COLUMNS)
        if attributes > _MOST or self.count > _MOST or not set(data[:_COLUMNS]) <= _TYPES.keys():
            raise XPackError("the packed file is damaged: its widths are impossible")
        lengths = [self.count] * 3 + [attributes] * 3
        if len(data) - place != sum(map(mul, data[:_COLUMNS], lengths)):
            raise XPackError("the packed file is damaged: its columns do not fit")
        found, view = [], memoryview(data)
        for width, length, less in zip(data[:_COLUMNS], lengths, _LESS, strict=True):
            found.append(widened(view[place : place + width * length], width, less))
            place += width * length
        return _Numbers(*found)


def _below(numbers: Ints, limit: int) -> Ints:
    """Returns the numbers themselves. Raises XPackError if one of them is not below `limit`."""
    if len(numbers) and not -1 <= int(numbers.max()) < limit:
        raise XPackError("the packed file is damaged: a number leads beyond its table")
    return numbers


def _read_tables(data: bytes, count: int) -> list[tuple[str, ...]]:
    """Reads `count` tables of strings. Raises XPackError unless they fill the container exactly."""
    found, place, view = [], 0, memoryview(data)
    for _ in range(count):
        bits = data[place] if place < len(data) else 0
        strings, place = read_varint(data, place + 1)
        length, place = read_varint(data, place)
        if place + length > len(data):
            raise XPackError("the packed file is damaged: a table is longer than its container")
        found.append(split(view[place : place + length], bits, strings) if strings or length else ())
        place += length
    if place != len(data):
        raise XPackError("the packed file is damaged: something stands behind its tables")
    return found


class RowsOfTables:
    """What XPath asks of a document in this form: its rows, and their values by group."""

    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest

    @cached_property
    def rows(self) -> Rows:
        try:
            return rows_of(self._digest)
        except (IndexError, ValueError) as error:
            raise XPackError("the packed file is damaged: its rows do not fit") from error

    @property
    def labels(self) -> tuple[Label, ...]:
        return self.rows.labels

    def values_of(self, groups: Longs) -> dict[int, list[str]]:
        """Sorts the values by group. `groups` has the group of each row that carries a value."""
        found: dict[int, list[str]] = {}
        for group, value in zip(groups.tolist(), self.rows.values, strict=True):
            found.setdefault(group, []).append(value)
        return found
