"""The values of a document (texts, attribute values, comments …) in, compressible groups out, and back.

A group holds the values of one label below one parent label: all texts of `SPEAKER` elements, all `href` of
`a`. They are alike, so they pack well together, and a query for them opens nothing else. Each group is
written in one of four ways, whichever is smallest:

    plain     all values as they stand
    lines     all values, the first letter of each sentence in its other case: a capital at the beginning
              hides that the same word is used elsewhere
    content   ContentPack: different values once, in order of use, and a number per value
    url       URLPack: sorted, each without what it shares with the one before, and a number per value

Strings are joined with NUL between them. Groups share containers of moderate size; a large group has a
container of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import zstandard

from webvigil.document.arrays import Ints, Longs
from webvigil.document.containers import split_strings
from webvigil.errors import XPackError
from webvigil.xpack.numbers import Widths, column_width, from_planes, to_planes, width_of
from webvigil.xpack.operators import content_pack, name_pack, shared_prefixes, with_prefixes

PLAIN, CONTENT, URL, LINES = 0, 1, 2, 3
_WAY = 3  # the bits of a group that say in which of these ways it is packed
# Bits beside the way of a group. ESCAPED: a NUL in its strings is escaped. FRESH: the group is the first of a
# container that further groups share. ALONE: the group has a container to itself.
ESCAPED, FRESH, ALONE = 4, 8, 16

# Above this share of different values, ContentPack is not tried: its numbers would cost more than it saves.
_DISTINCT = 0.9
# Values of at least _LONG characters may be written as lines, if that packs them into less than _WORTH of the
# bytes. It makes plays and names of places 1 to 3 % smaller (bench/speed/xpack.py); smaller groups gain next
# to nothing, and where the gain is small, reading the values faster is worth more.
_LONG, _WORTH = 8 * 1024, 0.99
_SPACE, _OTHER_CASE = 32, 32  # in ASCII, bit 32 tells small letters from capitals
_IS_LETTER = np.array([chr(one).isalpha() and one < 128 for one in range(256)])
_ENDS_A_SENTENCE = np.array([chr(one) in ".?!" for one in range(256)])
# The quick level that compares the ways of a group; the file itself is packed with a stronger one.
_QUICK = zstandard.ZstdCompressionParameters.from_level(3, write_content_size=False)


class Group(NamedTuple):
    """How a group is written: way and bits, number of different strings, bytes of all strings."""

    bits: int
    distinct: int
    size: int


class Written(NamedTuple):
    """All groups of a document as they go into the containers "groups", "maps" and "values"."""

    groups: tuple[Group, ...]
    maps: bytes
    containers: tuple[bytes, ...]


class _Packed(NamedTuple):
    """A group written in one way: the strings, and the map that leads from values to strings."""

    way: int
    strings: Sequence[str]
    map: bytes


def group_keys(parent_label: Longs | Ints, label: Longs | Ints, labels: int) -> Longs:
    """Returns the key of the group of each row.

    Keys sort by the label of the parent, then by the label of the row.
    """
    keys: Longs = parent_label.astype(np.int64) * labels + label
    return keys


def write_groups(
    groups: Sequence[Sequence[str]], ways: Sequence[Sequence[int]], own: int, most: int
) -> Written:
    """Writes groups of values, each in the smallest of the ways that `ways` allows for it.

    A group of at least `own` bytes has a container to itself; the others share containers of up to `most`
    bytes.
    """
    rows, maps = [], []
    containers: list[list[bytes]] = []
    shared, room = -1, 0
    for values, allowed in zip(groups, ways, strict=True):
        packed = _smallest(values, allowed)
        packed, strings, escape = _written(packed)
        alone = len(strings) >= own
        if alone or shared < 0 or room + len(strings) > most:
            place = len(containers)
            containers.append([])
            placing = ALONE if alone else FRESH
        else:
            place, placing = shared, 0
        if not alone:
            room = len(strings) + (0 if placing else room)
            shared = place
        containers[place].append(strings)
        rows.append(Group(packed.way | escape | placing, _distinct(packed), len(strings)))
        maps.append(packed.map)
    return Written(tuple(rows), b"".join(maps), tuple(b"\0".join(one) for one in containers))


def _written(packed: _Packed) -> tuple[_Packed, bytes, int]:
    """Returns the group, the bytes of its strings, and the bit that says whether NUL is escaped in them.

    A group with escaped strings cannot be written as lines and becomes a plain one.
    """
    strings, escape = joined(packed.strings)
    if packed.way != LINES:
        return packed, strings, escape
    if escape:
        return packed._replace(way=PLAIN), strings, escape
    return packed, other_case(strings), 0


def _distinct(packed: _Packed) -> int:
    """Returns how many different strings the group's table has; 0 for ways without a table."""
    return 0 if packed.way in (PLAIN, LINES) else len(packed.strings)


def places(groups: Sequence[Group], counts: Sequence[int]) -> list[tuple[int, int, int]]:
    """Returns, for each group, its container (-1 for none), its place in it, and the place of its map."""
    found, containers, shared, at, map_at = [], 0, -1, 0, 0
    for group, count in zip(groups, counts, strict=True):
        if group.bits & (ALONE | FRESH):
            containers += 1
        if group.bits & ALONE:
            found.append((containers - 1, 0, map_at))
        else:
            shared, at = (containers - 1, 0) if group.bits & FRESH else (shared, at)
            found.append((shared, at, map_at))
            at += group.size + 1
        map_at += map_size(group, count)
    return found


def _smallest(values: Sequence[str], ways: Sequence[int]) -> _Packed:
    """Returns the values in the smallest of the allowed ways.

    Ways that cannot gain are ruled out by counting; the others are tried with a quick compressor.
    """
    distinct = len(set(values))
    tried = [_Packed(PLAIN, values, b"")]
    if LINES in ways and sum(map(len, values)) >= _LONG:
        tried.append(_Packed(LINES, values, b""))
    if CONTENT in ways and distinct <= _DISTINCT * len(values):
        tried.append(_content(values))
    if URL in ways and distinct > 8:
        tried.append(_url(values))
    return min(tried, key=_cost) if len(tried) > 1 else tried[0]


def other_case(strings: bytes) -> bytes:
    """Swaps the case of the letter (a to z) at the beginning of each string and sentence.

    `strings` has NUL between the strings. Applying the function twice gives the same strings again.
    """
    letters = np.frombuffer(b"\0" + strings, dtype=np.uint8).copy()
    begins = letters[:-1] == 0
    begins[1:] |= (letters[1:-1] == _SPACE) & _ENDS_A_SENTENCE[letters[:-2]]
    first = np.flatnonzero(begins) + 1
    letters[first[_IS_LETTER[letters[first]]]] ^= _OTHER_CASE
    return letters[1:].tobytes()


def _cost(packed: _Packed) -> float:
    """Returns the compressed size of a group. Lines count a little more, since they take longer to read."""
    packer = zstandard.ZstdCompressor(compression_params=_QUICK)
    _, strings, _ = _written(packed)
    size = len(packer.compress(strings)) + (len(packer.compress(packed.map)) if packed.map else 0)
    return size / _WORTH if packed.way == LINES else size


def _content(values: Sequence[str]) -> _Packed:
    found = content_pack(values)
    return _Packed(CONTENT, found.table, _map(found.numbers, len(found.table)))


def _url(values: Sequence[str]) -> _Packed:
    found = name_pack(values)
    shared = shared_prefixes(found.table)
    rest = [url[count:] for url, count in zip(found.table, shared, strict=True)]
    return _Packed(URL, rest, bytes(shared) + _map(found.numbers, len(rest)))


def _map(numbers: Longs, distinct: int) -> bytes:
    """Writes the number of each value's string. A table of a single string needs no map."""
    return to_planes(numbers, width_of(distinct - 1)) if distinct > 1 else b""


def map_size(group: Group, count: int) -> int:
    """Returns how many bytes of the maps belong to a group of `count` values."""
    if group.bits & _WAY in (PLAIN, LINES):
        return 0
    prefixes = group.distinct if group.bits & _WAY == URL else 0
    return prefixes + (count * width_of(group.distinct - 1) if group.distinct > 1 else 0)


def read_group(group: Group, count: int, strings: bytes, maps: bytes) -> Sequence[str]:
    """Returns the values of a group; `strings` and `maps` are the group's own parts of the containers.

    Raises XPackError where the map leads beyond the table.
    """
    way = group.bits & _WAY
    if way == LINES:
        return split(other_case(strings), group.bits, count)
    table: Sequence[str] = split(strings, group.bits, count if way == PLAIN else group.distinct)
    if way == PLAIN:
        return table
    if way == URL:
        table = with_prefixes(maps[: group.distinct], table)
        maps = maps[group.distinct :]
    if group.distinct == 1:
        return [table[0]] * count
    numbers = from_planes(maps, width_of(group.distinct - 1))
    if len(numbers) != count or int(numbers.max(initial=0)) >= len(table):
        raise XPackError("the packed file is damaged: a value is not in its table")
    found: list[str] = np.array(table, dtype=object).take(numbers).tolist()
    return found


def joined(strings: Sequence[str]) -> tuple[bytes, int]:
    """Joins strings with NUL between them.

    Returns the bytes, and ESCAPED if a NUL inside was escaped, else 0.
    """
    # surrogatepass below: JSON may hold single surrogates, which UTF-8 refuses otherwise.
    joined = "\0".join(strings)
    if joined.count("\0") == len(strings) - 1:
        return joined.encode("utf-8", "surrogatepass"), 0
    # \1 is the escape sign, so it is escaped as well.
    safe = [text.replace("\1", "\1b").replace("\0", "\1a") for text in strings]
    return "\0".join(safe).encode("utf-8", "surrogatepass"), ESCAPED


def split(strings: bytes | memoryview, bits: int, count: int) -> tuple[str, ...]:
    """Takes joined strings apart. Raises XPackError unless there are `count` of them, in valid UTF-8."""
    try:
        found = split_strings(strings, count)
    except UnicodeDecodeError as error:
        raise XPackError("the packed file is damaged: a text is not UTF-8") from error
    except ValueError as error:
        what = "a group has another number of values than it says"
        raise XPackError(f"the packed file is damaged: {what}") from error
    if bits & ESCAPED:
        found = tuple([text.replace("\1a", "\0").replace("\1b", "\1") for text in found])
    return found


def write_table(groups: Sequence[Group], widths: Widths) -> bytes:
    """Writes the table of groups as three columns."""
    distinct = np.array([group.distinct for group in groups], dtype=np.int64)
    sizes = np.array([group.size for group in groups], dtype=np.int64)
    ways = bytes(group.bits for group in groups)
    return ways + to_planes(distinct, widths.distinct) + to_planes(sizes, widths.sizes)


def read_table(data: bytes, count: int, widths: Widths) -> list[Group]:
    """Reads the table of groups. Raises XPackError for a wrong length or an unknown way."""
    if len(data) != count * (1 + widths.distinct + widths.sizes):
        raise XPackError("the packed file is damaged: its table of groups has a wrong length")
    border = count * (1 + widths.distinct)
    bits = data[:count]
    distinct = from_planes(data[count:border], widths.distinct).tolist()
    sizes = from_planes(data[border:], widths.sizes).tolist()
    if any(map(_is_unknown, set(zip(bits, map(bool, distinct), strict=True)))):
        raise XPackError("the packed file is damaged: a group is written in an unknown way")
    return list(map(Group, bits, distinct, sizes))


def _is_unknown(written: tuple[int, bool]) -> bool:
    """Says whether no writer makes such a group: escaped lines, or a map into a table without strings."""
    bits, has_table = written
    return bits & (_WAY | ESCAPED) == LINES | ESCAPED or (not has_table and PLAIN < bits & _WAY < LINES)


def has_lines(groups: Sequence[Group]) -> bool:
    return any(group.bits & _WAY == LINES for group in groups)


def table_widths(groups: Sequence[Group]) -> tuple[int, int]:
    """Returns the widths of the columns of different strings and of sizes."""
    distinct = np.array([group.distinct for group in groups], dtype=np.int64)
    return column_width(distinct), column_width(np.array([group.size for group in groups], dtype=np.int64))
