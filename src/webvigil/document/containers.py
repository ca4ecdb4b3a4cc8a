"""The arrays and tables of a Page Digest: what their sources promise, in memory and as stored bytes (D1, D3).

The module `digest` describes each container. A stored digest is a head, a directory, then one block per
container:

    "WVD1"  kind  node count  signatures of the aspects  directory (length and checksum per block)  blocks

Numbers take 1, 2 or 4 bytes, as the largest of a block needs. A table of strings is one text, with NULs
between the strings or with their lengths. A block is checked and decoded on first use, so damaged bytes give
a clear error. All numbers are little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np
from xxhash import xxh3_64_intdigest

from webvigil.document.arrays import Ints
from webvigil.document.fast import accelerated
from webvigil.errors import DocumentRefused
from webvigil.model.memo import cached_property

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest

Kind = Literal["html", "xml", "json", "text", "binary"]


class Containers(Protocol):
    """The source of a digest's arrays and tables: memory, or stored bytes that are decoded on demand."""

    @property
    def kind(self) -> Kind: ...
    @property
    def url(self) -> str: ...
    @property
    def count(self) -> int: ...
    @property
    def structure(self) -> Ints: ...
    @property
    def tag_names(self) -> tuple[str, ...]: ...
    @property
    def tags(self) -> Ints: ...
    @property
    def attribute_names(self) -> tuple[str, ...]: ...
    @property
    def attribute_values(self) -> tuple[str, ...]: ...
    @property
    def attribute_node(self) -> Ints: ...
    @property
    def attribute_name(self) -> Ints: ...
    @property
    def attribute_value(self) -> Ints: ...
    @property
    def texts(self) -> tuple[str, ...]: ...
    @property
    def content(self) -> Ints: ...
    @property
    def source_hash(self) -> bytes: ...
    @property
    def pictures(self) -> Mapping[str, str]: ...
    @property
    def characters(self) -> int:
        """At least as many characters as all texts have together."""

    @property
    def attribute_characters(self) -> int:
        """At least as many characters as all values of attributes have together."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InMemory:
    """Arrays and tables in memory, as a reader has made them."""

    kind: Kind
    url: str
    structure: Ints
    tag_names: tuple[str, ...]
    tags: Ints
    attribute_names: tuple[str, ...]
    attribute_values: tuple[str, ...]
    attribute_node: Ints
    attribute_name: Ints
    attribute_value: Ints
    texts: tuple[str, ...]
    content: Ints
    source_hash: bytes = b""
    pictures: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def count(self) -> int:
        return len(self.structure)

    @property
    def characters(self) -> int:
        return sum(map(len, self.texts))

    @property
    def attribute_characters(self) -> int:
        return sum(map(len, self.attribute_values))


# --- stored bytes ---------------------------------------------------------------------------------------

MAGIC = b"WVD1"
ASPECTS = ("structure_hash", "tags_hash", "attributes_hash", "content_hash", "comments_hash")
NUMBERS = ("structure", "tags", "attribute_node", "attribute_name", "attribute_value", "content")
TABLES = ("tag_names", "attribute_names", "attribute_values", "texts", "addresses")

_KINDS: tuple[Kind, ...] = get_args(Kind)
_BLOCKS = (*NUMBERS, *TABLES)
BLOCKS = len(_BLOCKS)
_PLACES = {name: place for place, name in enumerate(_BLOCKS)}
_HEAD = struct.Struct("<4sBI" + "16s" * len(ASPECTS) + "IQ" * len(_BLOCKS))
HEAD_SIZE = _HEAD.size
_DIRECTORY = 3 + len(ASPECTS)  # where it begins among the fields of the head
_WIDTHS = {width: np.dtype(f"<u{width}") for width in (1, 2, 4)}


def to_bytes(digest: PageDigest) -> bytes:
    head, blocks = head_and_blocks(digest)
    return b"".join((head, *blocks))


def head_and_blocks(digest: PageDigest) -> tuple[bytes, list[bytes]]:
    """Returns the head with the directory, and all blocks. Signatures are read from the head alone."""
    shifted = {"content": digest.content + 1}  # for -1 means none
    blocks = [_numbers(shifted[name] if name in shifted else getattr(digest, name)) for name in NUMBERS]
    tables = (digest.tag_names, digest.attribute_names, digest.attribute_values, digest.texts)
    blocks += [_strings(table) for table in (*tables, _addresses(digest))]
    aspects = [getattr(digest, name) for name in ASPECTS]
    directory = [number for block in blocks for number in (len(block), xxh3_64_intdigest(block))]
    head = _HEAD.pack(MAGIC, _KINDS.index(digest.kind), len(digest), *aspects, *directory)
    return head, blocks


class StoredContainers:
    """The containers of a stored digest. Each is decoded on first use."""

    def __init__(self, data: bytes, load: Callable[[], bytes | memoryview] | None = None) -> None:
        """`data` begins with the head. The blocks follow it, or `load` returns them at the first use of
        one."""
        if len(data) < _HEAD.size or not data.startswith(MAGIC):
            raise DocumentRefused("these bytes are not a stored page digest")
        _, kind, self.count, *fields = head = _HEAD.unpack_from(data)
        if kind >= len(_KINDS):
            raise DocumentRefused("the stored page digest is damaged: unknown kind of document")
        self.kind: Kind = _KINDS[kind]
        self.aspects = dict(zip(ASPECTS, fields, strict=False))
        self._load = load or (lambda: memoryview(data)[_HEAD.size :])
        self._checksums = head[_DIRECTORY + 1 :: 2]
        self._borders: tuple[int, ...] = tuple(accumulate(head[_DIRECTORY::2], initial=0))

    @cached_property
    def _blocks(self) -> memoryview:
        return memoryview(self._load())

    @property
    def url(self) -> str:
        return self._table("addresses")[0]

    @property
    def source_hash(self) -> bytes:
        try:
            return bytes.fromhex(self._table("addresses")[1])
        except (ValueError, IndexError) as error:
            raise _damaged("addresses") from error

    @property
    def pictures(self) -> Mapping[str, str]:
        signed = self._table("addresses")[2:]
        if len(signed) % 2:
            raise _damaged("addresses")
        return MappingProxyType(dict(zip(signed[::2], signed[1::2], strict=True)))

    @property
    def structure(self) -> Ints:
        counts = self._column("structure")
        if not is_tree(counts):
            raise _damaged("structure")
        return counts

    @property
    def tags(self) -> Ints:
        return self._column("tags")

    @property
    def attribute_node(self) -> Ints:
        return self._column("attribute_node", of_nodes=False)

    @property
    def attribute_name(self) -> Ints:
        return self._column("attribute_name", of_nodes=False)

    @property
    def attribute_value(self) -> Ints:
        return self._column("attribute_value", of_nodes=False)

    @property
    def content(self) -> Ints:
        return self._column("content", less=1)

    @property
    def tag_names(self) -> tuple[str, ...]:
        return self._table("tag_names")

    @property
    def attribute_names(self) -> tuple[str, ...]:
        return self._table("attribute_names")

    @property
    def attribute_values(self) -> tuple[str, ...]:
        return self._table("attribute_values")

    @property
    def texts(self) -> tuple[str, ...]:
        return self._table("texts")

    @property
    def characters(self) -> int:
        return self._bytes_of("texts")

    @property
    def attribute_characters(self) -> int:
        return self._bytes_of("attribute_values")

    def _bytes_of(self, name: str) -> int:
        """Returns the bytes of a block, which are known without reading the block."""
        place = _PLACES[name]
        return self._borders[place + 1] - self._borders[place]

    def _column(self, name: str, of_nodes: bool = True, less: int = 0) -> Ints:
        block = self._block(name)
        try:
            numbers = widened(block[1:], block[0], less)
        except (ValueError, IndexError) as error:
            raise _damaged(name) from error
        if of_nodes and len(numbers) != self.count:
            raise _damaged(name)
        return numbers

    def _table(self, name: str) -> tuple[str, ...]:
        return _read_strings(self._block(name), name)

    def _block(self, name: str) -> memoryview:
        place = _PLACES[name]
        start, end = self._borders[place], self._borders[place + 1]
        block = self._blocks[start:end]
        if end > len(self._blocks) or xxh3_64_intdigest(block) != self._checksums[place]:
            raise _damaged(name)
        return block


def _addresses(digest: PageDigest) -> tuple[str, ...]:
    """Returns the address of the page, the signature of its bytes, then address and signature of each
    picture."""
    pictures = [text for pair in sorted(digest.pictures.items()) for text in pair]
    return (digest.source_url, digest.source_hash.hex(), *pictures)


def _numbers(numbers: Ints) -> bytes:
    """Returns one byte with the width of a number, then the numbers."""
    top = int(numbers.max(initial=0))
    width = 1 if top <= 0xFF else 2 if top <= 0xFFFF else 4
    return bytes([width]) + numbers.astype(_WIDTHS[width]).tobytes()


@accelerated
def widened(data: memoryview, width: int, less: int) -> Ints:
    """Returns the stored numbers of 1, 2 or 4 bytes as int32, each reduced by `less`. Raises ValueError for
    another width or a length that does not fit it."""
    if width not in _WIDTHS:
        raise ValueError("no number is as wide")
    return np.frombuffer(data, dtype=_WIDTHS[width]).astype(np.int32) - np.int32(less)


def _strings(strings: tuple[str, ...]) -> bytes:
    """Returns the number of strings, then the strings with NULs between them or, if a string holds a NUL,
    with their lengths before them."""
    count = len(strings).to_bytes(4, "little")
    joined = "\0".join(strings)
    if joined.count("\0") == max(len(strings) - 1, 0):
        return count + b"\0" + joined.encode("utf-8", "surrogatepass")
    lengths = np.array([len(text) for text in strings], dtype="<u4").tobytes()
    return count + b"\1" + lengths + "".join(strings).encode("utf-8", "surrogatepass")


def _read_strings(block: memoryview, name: str) -> tuple[str, ...]:
    count = int.from_bytes(block[:4], "little")
    try:
        if bytes(block[4:5]) == b"\0":
            found = split_strings(block[5:], count) if count else ()
        else:
            lengths, texts = block[5 : 5 + 4 * count], block[5 + 4 * count :]
            found = _cut(str(texts, "utf-8", "surrogatepass"), lengths)
    except ValueError as error:
        raise _damaged(name) from error
    if len(found) != count:
        raise _damaged(name)
    return found


@accelerated
def split_strings(block: bytes | memoryview, count: int) -> tuple[str, ...]:
    """Returns the strings of a block with NULs between them. Raises ValueError if there are not `count` of
    them."""
    found = tuple(str(block, "utf-8", "surrogatepass").split("\0"))
    if len(found) != count:
        raise ValueError("there are not as many strings")
    return found


def _cut(joined: str, lengths: memoryview) -> tuple[str, ...]:
    ends = np.cumsum(np.frombuffer(lengths, dtype="<u4"), dtype=np.int64).tolist()
    return tuple([joined[start:end] for start, end in zip([0, *ends], ends, strict=False)])


@accelerated
def is_tree(counts: Ints) -> bool:
    """Tells whether the child counts are those of one tree: every node but the first is announced as a child
    by a node before it, and no announced child is missing at the end."""
    places = np.cumsum(counts, dtype=np.int64)
    count = len(places)
    if not count or int(places[-1]) != count - 1 or int(counts.min()) < 0:
        return False
    return bool((places[:-1] > np.arange(count - 1)).all())


def _damaged(name: str) -> DocumentRefused:
    return DocumentRefused(f"the stored page digest is damaged: container {name}")
