"""A page in, its visible text in reading order out, with the node of each character; its title and headings.

Block elements and `br` separate lines; inline elements separate nothing: `low<b>er</b>` is one word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import eq
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.document.fast import accelerated, native
from webvigil.document.markup import BLOCKS, BOXES, CDATA, HIDDEN, TEXT
from webvigil.document.string_tables import same_strings
from webvigil.model.memo import cached_property

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest


# Marks a line break while texts are joined. A text of a page should not contain it; `collapsed` checks that.
_BREAK = "\0"


@dataclass(frozen=True, eq=False)
class Reading:
    """A text made of the texts of `nodes`. The text of nodes[k] begins at starts[k]; both ascend.

    `located` returns nodes and starts. It is called on first use, because mostly only the text is needed.
    """

    text: str
    located: Callable[[], tuple[Longs, Longs]]

    @cached_property
    def nodes(self) -> Longs:
        return self._places[0]

    @cached_property
    def starts(self) -> Longs:
        return self._places[1]

    @cached_property
    def _places(self) -> tuple[Longs, Longs]:
        return self.located()

    def node_at(self, offset: int) -> int:
        """Returns the text node that the character at an offset comes from."""
        return int(self.nodes[np.searchsorted(self.starts, offset, side="right") - 1])

    def nodes_at(self, offsets: Sequence[int]) -> list[int]:
        """Returns the text nodes that the characters at several offsets come from."""
        places = np.searchsorted(self.starts, np.asarray(offsets, dtype=np.int64), side="right") - 1
        nodes: list[int] = self.nodes[places].tolist()
        return nodes

    def place_at(self, offset: int) -> tuple[int, int]:
        """Returns the text node of the character at an offset, and the offset within this reading's copy of
        the node's text."""
        index = int(np.searchsorted(self.starts, offset, side="right")) - 1
        return int(self.nodes[index]), offset - int(self.starts[index])


def hidden(digest: PageDigest) -> Mask:
    if not digest.is_html:
        return np.zeros(len(digest), dtype=np.bool_)
    if digest.whole is not digest:
        return _hidden_in_part(digest)
    return arrays.below(_hiding(digest), digest.sizes)


def _hiding(digest: PageDigest) -> Mask:
    roots = digest.is_tag(HIDDEN)
    roots[digest.attribute_node[digest.rows_of("hidden")]] = True
    return roots


def _hidden_in_part(digest: PageDigest) -> Mask:
    """Returns a mask of the hidden nodes of a part. Nodes that the page hides stay hidden, unless the part
    consists of them: then somebody asked for a title, a script or a text in it. A text that stands for an
    attribute or a comment is always visible."""
    hiding = _hiding(digest.whole)[digest.origin] & (digest.depths > 1)
    return np.asarray(arrays.below(hiding, digest.sizes) & ~_added(digest), dtype=np.bool_)


def _added(digest: PageDigest) -> Mask:
    """Returns a mask of the text nodes of a part that stand for an attribute, a comment or an instruction."""
    return np.asarray(digest.is_text & ~digest.whole.is_text[digest.origin], dtype=np.bool_)


def raw(digest: PageDigest) -> Reading:
    """Returns the visible text with each node's text exactly as it is, so that offsets also hold in the
    node."""
    pieces = digest.pieces

    def located() -> tuple[Longs, Longs]:
        lengths = lengths_at(pieces.table, pieces.indices)
        return pieces.nodes, np.cumsum(lengths + pieces.breaks) - lengths

    return Reading(pieces.joined("\n"), located)


def collapsed(digest: PageDigest) -> Reading:
    """Returns the visible text with white space as on the screen: one space for a run, none at the edges of a
    line, no empty lines."""
    pieces = digest.pieces
    if native:
        return step_by_step(pieces)
    marked = pieces.joined(f" {_BREAK} ")
    if marked.count(_BREAK) > int(pieces.breaks.sum()):
        return step_by_step(pieces)
    return Reading(_on_screen(marked), lambda: _located(pieces))


def lines_around(digest: PageDigest, node: int) -> Reading:
    """Returns the whole lines in which the visible text below a node stands, as `collapsed` has them. Few
    lines take less time than the text of the page."""
    pieces = digest.pieces
    first, last = pieces.nodes.searchsorted((node, node + int(digest.sizes[node]))).tolist()
    before, behind = pieces.breaks[: first + 1].nonzero()[0], pieces.breaks[last:].nonzero()[0]
    start = int(before[-1]) if len(before) else 0
    end = last + int(behind[0]) if len(behind) else len(pieces.nodes)
    run = slice(start, end if first < last else start)
    return step_by_step(Pieces(pieces.nodes[run], pieces.indices[run], pieces.table, pieces.breaks[run]))


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The visible text nodes, for each the index of its text in the table, and which of them begin a line."""

    nodes: Longs
    indices: Ints
    table: tuple[str, ...]
    breaks: Mask

    @property
    def texts(self) -> Iterator[str]:
        return map(self.table.__getitem__, self.indices.tolist())

    def __eq__(self, other: object) -> bool:
        """Tells whether texts and line beginnings are equal; the numbers of the nodes do not matter."""
        return (
            isinstance(other, Pieces)
            and len(self.nodes) == len(other.nodes)
            and bool((self.breaks == other.breaks).all())
            and all(map(eq, self.texts, other.texts))
        )

    __hash__ = None  # type: ignore[assignment]  # they are compared, never looked up

    def joined(self, mark: str) -> str:
        """Returns all texts joined, with a mark before each that begins a line."""
        return joined(self.table, self.indices, self.breaks, mark)


@accelerated
def joined(table: tuple[str, ...], indices: Ints, breaks: Mask, mark: str) -> str:
    marked = np.full(len(indices) + int(breaks.sum()), len(table), dtype=np.int64)
    marked[np.arange(len(indices)) + np.cumsum(breaks)] = indices
    return "".join(map((*table, mark).__getitem__, marked.tolist()))


@accelerated
def lengths_at(table: tuple[str, ...], indices: Ints) -> Longs:
    """Returns the lengths of the texts that the indices name."""
    return np.fromiter(map(len, map(table.__getitem__, indices.tolist())), dtype=np.int64, count=len(indices))


def changed_lines(old: str, new: str) -> tuple[int, int, int]:
    """Returns the range of lines in which two texts differ: its start in both texts, its end in the old text
    and its end in the new one. Everything before and behind the range is equal and consists of whole
    lines."""
    same, alike = equal_ends(old, new)
    behind = new.find("\n", len(new) - alike)
    end = len(new) if behind < 0 else behind
    return new.rfind("\n", 0, same) + 1, end + len(old) - len(new), end


@accelerated
def equal_ends(one: str, other: str) -> tuple[int, int]:
    """Returns how many characters two texts have in common at the start, and how many of the rest at the
    end."""
    shorter = min(len(one), len(other))
    start = _in_common(one, other, shorter)
    rest = shorter - start
    ours, theirs = one[len(one) - rest :], other[len(other) - rest :]
    return start, _in_common(ours[::-1], theirs[::-1], rest)


def _in_common(one: str, other: str, most: int) -> int:
    """Returns how many characters are the same at the start, found by bisection: comparing long slices is
    faster in Python than comparing characters."""
    start = 0
    while start < most:
        middle = (start + most + 1) // 2
        if one[start:middle] == other[start:middle]:
            start = middle
        else:
            most = middle - 1
    return start


def pieces(digest: PageDigest) -> Pieces:
    nodes, breaks = digest.once("visible texts", _visible_texts, of_tree=True)
    return Pieces(nodes, digest.content.take(nodes), digest.texts, breaks)


def text_outside(digest: PageDigest, tag: str) -> str:
    """Returns the visible text outside of all elements with one tag, as it stands in the nodes. A line ends
    where a block begins or ends, even if that block is left out."""
    if tag not in digest.tag_index:
        return digest.reading.text
    seen = digest.pieces.nodes
    nodes = seen[~arrays.below(digest.is_tag((tag,)), digest.sizes)[seen]]
    return Pieces(nodes, digest.content[nodes], digest.texts, _breaks(digest, nodes)).joined("\n")


def _visible_texts(digest: PageDigest) -> tuple[Longs, Mask]:
    if digest.is_html and digest.whole is digest:
        tags = digest.tag_names
        roles = (_known_roles if len(tags) <= _FEW_NAMES else _roles)(tags)
        return visible_texts(roles, digest.tags, digest.sizes, digest.hidden)
    nodes = (digest.is_text & ~digest.hidden).nonzero()[0]
    return nodes, _breaks(digest, nodes)


_TEXT, _BLOCK, _BOX = 1, 2, 4


def _roles(tags: tuple[str, ...]) -> Ints:
    """Returns for each tag whether it is a text, a block or a box, as a sum of these."""
    roles = ((_TEXT, (TEXT, CDATA)), (_BLOCK, BLOCKS), (_BOX, BOXES))
    return np.array([sum(role for role, names in roles if tag in names) for tag in tags], dtype=np.int32)


# Pages of a site share their few names, so the answer is remembered; more names are not worth the memory.
_FEW_NAMES = 200
_known_roles = lru_cache(maxsize=256)(_roles)


@accelerated
def visible_texts(roles: Ints, tags: Ints, sizes: Ints, hidden: Mask) -> tuple[Longs, Mask]:
    """Returns the visible text nodes of a page, and for each whether a block begins or ends between it and
    the text before it. `roles` says for each tag whether it is a text, a block or a box."""
    of_nodes = roles[tags]
    edges = _edges(((of_nodes & _BLOCK > 0) & ~hidden) | (of_nodes & _BOX > 0), sizes)
    nodes = ((of_nodes & _TEXT > 0) & ~hidden).nonzero()[0]
    return nodes, np.diff(edges[nodes], prepend=edges[nodes[:1]]) != 0


def _on_screen(marked: str) -> str:
    """Returns the joined text with white space collapsed, one line per mark. Splitting the whole text at once
    is several times faster than text by text."""
    lines = " ".join(marked.split()).split(_BREAK)
    return "\n".join(filter(None, map(str.strip, lines)))


def step_by_step(pieces: Pieces) -> Reading:
    """Returns the collapsed text, made text by text, so that the start of each is known."""
    text, kept, starts = collapsed_texts(pieces.table, pieces.indices, pieces.breaks)
    return Reading(text, lambda: (pieces.nodes[kept], starts))


@accelerated
def collapsed_texts(table: tuple[str, ...], indices: Ints, breaks: Mask) -> tuple[str, Longs, Longs]:
    """Returns the texts joined with white space as on the screen, which texts are not blank, and where each
    of those begins."""
    found: list[str] = []
    kept: list[int] = []
    starts: list[int] = []
    length, broken, spaced = 0, False, False
    # Each distinct text is collapsed once, because many nodes hold the same few blanks.
    tight = {index: " ".join(table[index].split()) for index in set(indices.tolist())}
    for place, (index, starts_line) in enumerate(zip(indices.tolist(), breaks.tolist(), strict=True)):
        text, piece = table[index], tight[index]
        broken = broken or starts_line
        if not piece:
            spaced = spaced or bool(text)
            continue
        glue = "" if not found else "\n" if broken else " " if spaced or text[0].isspace() else ""
        found += (glue, piece)
        kept.append(place)
        starts.append(length + len(glue))
        length += len(glue) + len(piece)
        broken, spaced = False, text[-1].isspace()
    return "".join(found), np.array(kept, dtype=np.int64), np.array(starts, dtype=np.int64)


@accelerated
def visible_length(text: str) -> int:
    """Returns the number of characters of a text without its white space."""
    return sum(map(len, text.split()))


def _located(pieces: Pieces) -> tuple[Longs, Longs]:
    """Returns the nodes that are not blank and where each begins in the collapsed text, computed for all at
    once."""
    used, which = np.unique(pieces.indices, return_inverse=True)
    texts = [pieces.table[index] for index in used.tolist()]
    tight = np.array([len(" ".join(text.split())) for text in texts], dtype=np.int64)[which]
    leads = np.array([text[:1].isspace() for text in texts], dtype=np.bool_)[which]
    trails = np.array([text[-1:].isspace() for text in texts], dtype=np.bool_)[which]
    kept = tight.nonzero()[0]
    # For each kept text: whether a line begins, or a blank text stands, between it and the kept text before
    # it.
    broken = np.diff(np.cumsum(pieces.breaks)[kept], prepend=0) > 0
    blank = np.diff(np.cumsum((tight == 0) & trails)[kept], prepend=0) > 0
    spaced = blank | np.append(False, trails[kept][:-1]) | leads[kept]
    glue = (broken | spaced).astype(np.int64)
    glue[:1] = 0
    lengths = glue + tight[kept]
    return pieces.nodes[kept], np.cumsum(lengths) - tight[kept]


class OwnedTexts:
    """The visible text of each marked node, without that of marked nodes inside it, white space collapsed."""

    def __init__(self, digest: PageDigest, owners: Mask) -> None:
        around = arrays.enclosing(owners, digest.sizes)[digest.pieces.nodes]
        order = around.argsort(kind="stable")
        self._owners = around[order]
        self._table = digest.texts
        self._indices = digest.pieces.indices[order]
        self._breaks = digest.pieces.breaks[order]

    def of(self, owner: int) -> str:
        """Returns the text of a marked node, "" if it has none of its own."""
        return self.of_all([owner])[0]

    def of_all(self, owners: Sequence[int]) -> list[str]:
        """Returns the texts of several marked nodes."""
        if not len(owners):
            return []
        starts = self._owners.searchsorted(owners)
        ends = self._owners.searchsorted(owners, "right")
        return owned_texts(self._table, self._indices, self._breaks, starts, ends)


@accelerated
def owned_texts(table: tuple[str, ...], indices: Ints, breaks: Mask, starts: Longs, ends: Longs) -> list[str]:
    """Returns the text of each run of pieces (from `starts` to `ends`), white space collapsed. Before a piece
    that begins a line there is white space."""
    if not len(starts):
        return []
    first, last = int(starts.min()), int(ends.max())
    pieces = [
        "\n" + table[index] if broken else table[index]
        for index, broken in zip(indices[first:last].tolist(), breaks[first:last].tolist(), strict=True)
    ]
    runs = zip((starts - first).tolist(), (ends - first).tolist(), strict=True)
    return [" ".join("".join(pieces[start:end]).split()) for start, end in runs]


def block_edges(digest: PageDigest) -> Longs:
    """Returns for each node the number of borders of block elements before it."""
    return _edges((digest.is_tag(BLOCKS) & ~digest.hidden) | digest.is_tag(BOXES), digest.sizes)


def _edges_seen_in(part: PageDigest) -> Longs:
    """Returns the borders for a part with nodes that the page hides. Blocks that are hidden by themselves in
    the part are no borders."""
    page = part.whole
    hidden = np.zeros(len(page), dtype=np.bool_)
    hidden[part.origin[part.hidden]] = True
    return _edges((page.is_tag(BLOCKS) & ~hidden) | page.is_tag(BOXES), page.sizes)


def _edges(marked: Mask, sizes: Ints) -> Longs:
    """Returns for each node the number of borders of marked nodes before it."""
    blocks = np.flatnonzero(marked)
    both = np.concatenate([blocks, blocks + sizes[blocks]])
    return np.cumsum(np.bincount(both, minlength=len(sizes) + 1)[:-1])


def _breaks(digest: PageDigest, nodes: Longs) -> Mask:
    """Returns for each text node of a part whether a block begins or ends between it and the text before it.

    The whole page is examined, because the part may lack the blocks around its texts.
    """
    part, nodes, digest = digest, digest.origin[nodes], digest.whole
    if not digest.is_html:
        return np.arange(len(nodes)) > 0
    edges = _edges_seen_in(part) if digest.hidden[nodes].any() else digest.block_edges
    passed, alone = edges[nodes], ~digest.is_text[nodes]
    answer = np.zeros(len(nodes), dtype=np.bool_)
    answer[1:] = (passed[1:] != passed[:-1]) | alone[1:] | alone[:-1]
    return answer


# --- title and headings ----------------------------------------------------------------------------------

LEVELS = ("h1", "h2", "h3", "h4", "h5", "h6")


class Heading(NamedTuple):
    level: int
    text: str
    node: int


def title(digest: PageDigest) -> str:
    """Returns the first title of the document, white space collapsed. The title of an SVG drawing does not
    count."""
    for node in digest.nodes_of("title").tolist():
        if not digest.is_html or digest.tag(digest.parent(node)) not in ("svg", "symbol", "g"):
            return " ".join(digest.text(node).split())
    return ""


def headings(digest: PageDigest) -> tuple[Heading, ...]:
    nodes, levels, indices, ends = _written_headings(digest)
    unbroken = np.zeros(len(indices), dtype=np.bool_)
    written = owned_texts(digest.texts, indices, unbroken, ends[:-1], ends[1:])
    return tuple(map(Heading._make, zip(levels, written, nodes.tolist(), strict=True)))


def same_headings(old: PageDigest, new: PageDigest) -> bool:
    """Tells whether the headings of both pages are surely the same, wherever they stand. Their texts are
    compared as they are, which takes less time than to collapse the white space in each."""
    if not len(heading_nodes(old)) and not len(heading_nodes(new)):
        return True
    (_, levels, indices, ends), (_, others, theirs, stops) = map(_written_headings, (old, new))
    return (
        levels == others
        and np.array_equal(ends, stops)
        and same_strings(old.texts, indices, new.texts, theirs)
    )


def _written_headings(digest: PageDigest) -> tuple[Longs, list[int], Ints, Longs]:
    """Returns the visible headings, their levels, the texts in all of them one after the other, as indices of
    the table, and where those of each heading begin; the last number is the end."""
    nodes, levels, texts, begins = digest.once("written headings", _headings_with_texts, of_tree=True)
    return nodes, levels, digest.content.take(texts), begins


def _headings_with_texts(digest: PageDigest) -> tuple[Longs, list[int], Longs, Longs]:
    """Returns the same with the text nodes in place of their texts."""
    nodes = heading_nodes(digest)
    texts = digest.is_text.nonzero()[0]
    starts, ends = texts.searchsorted(nodes), texts.searchsorted(nodes + digest.sizes[nodes])
    places, begins = arrays.spread(np.stack([starts, ends], axis=1))
    levels = [int(tag[1]) if tag in LEVELS else 0 for tag in digest.tag_names]
    return nodes, [levels[tag] for tag in digest.tags[nodes].tolist()], texts[places], begins


def heading_nodes(digest: PageDigest) -> Longs:
    """Returns the nodes of the visible headings."""
    return digest.once("heading nodes", _visible_headings, of_tree=True)


def _visible_headings(digest: PageDigest) -> Longs:
    nodes = digest.nodes_of(*LEVELS if digest.is_html else ())
    return nodes[~digest.hidden[nodes]]
