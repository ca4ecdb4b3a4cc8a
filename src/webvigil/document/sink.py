"""The nodes of a document in order in, the containers of its digest out.

Every reader (HTML, XML, JSON) calls the same few callbacks of a sink. A callback only appends small numbers
to lists: it turns names, values and texts into indices at once, so that no object of the parser outlives its
callback. The lists become arrays at the end.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable, Iterable

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.document.containers import InMemory, Kind
from webvigil.document.digest import PageDigest
from webvigil.document.fast import native
from webvigil.document.markup import CDATA, COMMENT, DOCTYPE, DOCUMENT, TEXT

# A row is depth * _LEVEL + index of the name, so that one append per node is enough. No accepted document has
# 2**24 different names, because it has at most three million nodes (read.py).
_BITS = 24
_LEVEL = 1 << _BITS

Pairs = Iterable[tuple[str, str | None]]
_Table = tuple[str, ...]
# Four tables: names of nodes, names of attributes, values, texts. Then six columns: per node its name and
# depth, per leaf its text, per attribute its node, name and value.
Taken = tuple[_Table, _Table, _Table, _Table, Ints, Ints, Ints, Ints, Ints, Ints]


class Sink:
    """Takes a document as a series of events, and makes a digest of it."""

    start_element: Callable[[str, Pairs], None]
    end_element: Callable[[str], None]
    characters: Callable[[str], None]
    leaf: Callable[[str, str], None]

    def __init__(self) -> None:
        events: Events = native.Events() if native else Events()
        self.start_element = events.start_element
        self.end_element = events.end_element
        self.characters = events.characters
        self.leaf = events.leaf
        self._events = events

    def cdata(self, text: str) -> None:
        self.leaf(CDATA, text)

    def comment(self, text: str) -> None:
        self.leaf(COMMENT, text)

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        self.leaf(DOCTYPE, doctype_text(name, public, system))

    def processing_instruction(self, target: str, text: str) -> None:
        self.leaf(f"?{target}", text)

    def digest(self, kind: Kind, url: str) -> PageDigest:
        taken = self._events.taken()
        tag_names, attribute_names, attribute_values, texts, tags, depths, content, *attributes = taken
        containers = InMemory(
            kind=kind,
            url=url,
            structure=arrays.structure_of(depths),
            tag_names=tag_names,
            tags=tags,
            attribute_names=attribute_names,
            attribute_values=attribute_values,
            attribute_node=attributes[0],
            attribute_name=attributes[1],
            attribute_value=attributes[2],
            texts=texts,
            content=_content(_is_leaf(tag_names)[tags], content),
        )
        return PageDigest(containers, known={"depths": depths})


class Events:
    """Collects the events of a document in tables and columns. The callbacks are closures and no methods,
    because they are called for every node and closures are faster."""

    start_element: Callable[[str, Pairs], None]
    end_element: Callable[[str], None]
    characters: Callable[[str], None]
    leaf: Callable[[str, str], None]

    def __init__(self) -> None:
        tag_index, name_index = _Index(), _Index()
        value_index: dict[str, int] = {}
        text_index: dict[str, int] = {}
        # The name of texts has the index 0, so that the row of a text is its depth alone.
        rows = [tag_index[TEXT] + tag_index[DOCUMENT]]
        content: list[int] = []
        owners: list[int] = []
        names: list[int] = []
        values: list[int] = []
        row, written = rows.append, content.append
        own, name, value = owners.append, names.append, values.append
        # Names repeat often, values and texts are mostly new. For new strings setdefault is faster than
        # _Index.
        number_of_value, number_of_text = value_index.setdefault, text_index.setdefault
        level = _LEVEL

        def start_element(tag: str, attributes: Pairs) -> None:
            nonlocal level
            if attributes:
                node = len(rows)
                for key, text in attributes:
                    own(node)
                    name(name_index[key])
                    value(number_of_value(text or "", len(value_index)))
            row(level + tag_index[tag])
            level += _LEVEL

        def end_element(tag: str) -> None:
            nonlocal level
            level -= _LEVEL

        def characters(text: str) -> None:
            row(level)
            written(number_of_text(text, len(text_index)))

        def leaf(tag: str, text: str) -> None:
            row(level + tag_index[tag])
            written(number_of_text(text, len(text_index)))

        self.start_element = start_element
        self.end_element = end_element
        self.characters = characters
        self.leaf = leaf
        self._names, self._strings = (tag_index, name_index), (value_index, text_index)
        self._columns = rows, content, owners, names, values

    def taken(self) -> Taken:
        """Returns the tables and columns of all events so far."""
        tag_names, attribute_names = [index.closed() for index in self._names]
        attribute_values, texts = map(tuple, self._strings)
        rows, content, owners, names, values = self._columns
        codes = _longs(rows)
        tags = (codes & (_LEVEL - 1)).astype(np.int32)
        depths = (codes >> _BITS).astype(np.int32)
        tables = tag_names, attribute_names, attribute_values, texts
        return *tables, tags, depths, _ints(content), _ints(owners), _ints(names), _ints(values)


def doctype_text(name: str, public: str | None = None, system: str | None = None) -> str:
    """Returns the text of a doctype between `<!DOCTYPE ` and `>`."""
    if public is not None:
        return f'{name} PUBLIC "{public}"' + (f" {_quoted(system)}" if system is not None else "")
    return f"{name} SYSTEM {_quoted(system)}" if system is not None else name


def _quoted(system: str) -> str:
    return f"'{system}'" if '"' in system else f'"{system}"'


class _Index(defaultdict[str, int]):
    """A dict from a string to its number, in order of first use. A missing string gets its number from the
    default factory, which runs in C and is therefore fast."""

    def __init__(self) -> None:
        super().__init__()
        self.default_factory = self.__len__

    def closed(self) -> tuple[str, ...]:
        """Returns the strings. Also removes the factory, which refers to this object, so that its memory is
        freed at once and not by the garbage collector."""
        self.default_factory = None
        return tuple(self)


def _is_leaf(tag_names: tuple[str, ...]) -> Mask:
    return np.array([name[:1] in ("#", "?") and name != DOCUMENT for name in tag_names], dtype=np.bool_)


def _content(leaves: Mask, written: Ints) -> Ints:
    content = np.full(len(leaves), -1, dtype=np.int32)
    content[leaves] = written
    return content


# struct is the fastest way from a list of Python integers to an array: half of np.array, and faster
# than appending to an array.array.
def _ints(numbers: list[int]) -> Ints:
    return np.frombuffer(struct.pack(f"{len(numbers)}i", *numbers), dtype=np.int32)


def _longs(numbers: list[int]) -> Longs:
    return np.frombuffer(struct.pack(f"{len(numbers)}q", *numbers), dtype=np.int64)
