"""The text of a page in the order it is read, and which node each character comes from.

Block elements and `br` separate lines; inline elements do not separate anything: `low<b>er</b>` is
one word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import eq
from typing import TYPE_CHECKING

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Ints, Longs, Mask
from webvigil.document.derived import cached_property
from webvigil.document.fast import accelerated, native
from webvigil.document.markup import BLOCKS, BOXES, HIDDEN

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest


# Marks a line break while texts are put together. No page has it in its texts, but it might.
_BREAK = "\0"


@dataclass(frozen=True, eq=False)
class Reading:
    """A text made of the texts of `nodes`; that of nodes[k] begins at starts[k] (both ascend).

    Where they begin is `located` when it is asked for: mostly the text is all that is needed.
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
        """The text node a character comes from."""
        return int(self.nodes[np.searchsorted(self.starts, offset, side="right") - 1])

    def nodes_at(self, offsets: Sequence[int]) -> list[int]:
        """The text nodes that characters come from."""
        places = np.searchsorted(self.starts, np.asarray(offsets, dtype=np.int64), side="right") - 1
        nodes: list[int] = self.nodes[places].tolist()
        return nodes

    def place_at(self, offset: int) -> tuple[int, int]:
        """The text node and the offset within this reading's copy of its text."""
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
    """What the page hides stays hidden, unless the part is just that: somebody asked for a title, a script or
    a text in it. A text that stands for an attribute or a comment is there to be read."""
    hiding = _hiding(digest.whole)[digest.origin] & (digest.depths > 1)
    return np.asarray(arrays.below(hiding, digest.sizes) & ~_added(digest), dtype=np.bool_)


def _added(digest: PageDigest) -> Mask:
    """Per node of a part: is it a text that stands for an attribute, a comment or an instruction?"""
    return np.asarray(digest.is_text & ~digest.whole.is_text[digest.origin], dtype=np.bool_)


def raw(digest: PageDigest) -> Reading:
    """Texts exactly as they stand in their nodes, so that offsets lead back into the node's text."""
    pieces = digest.pieces

    def located() -> tuple[Longs, Longs]:
        lengths = lengths_at(pieces.table, pieces.indices)
        return pieces.nodes, np.cumsum(lengths + pieces.breaks) - lengths

    return Reading(pieces.joined("\n"), located)


def collapsed(digest: PageDigest) -> Reading:
    """White space as on the screen: runs become one space, none at the edges of a line, no empty lines."""
    pieces = digest.pieces
    if native:
        return step_by_step(pieces)
    marked = pieces.joined(f" {_BREAK} ")
    if marked.count(_BREAK) > int(pieces.breaks.sum()):
        return step_by_step(pieces)
    return Reading(_on_screen(marked), lambda: _located(pieces))


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The visible text nodes, which texts of the table are written there, and which of them begin a line."""

    nodes: Longs
    indices: Ints
    table: tuple[str, ...]
    breaks: Mask

    @property
    def texts(self) -> Iterator[str]:
        return map(self.table.__getitem__, self.indices.tolist())

    def __eq__(self, other: object) -> bool:
        """Equal texts in lines that begin alike, wherever the nodes stand."""
        return (
            isinstance(other, Pieces)
            and len(self.nodes) == len(other.nodes)
            and bool((self.breaks == other.breaks).all())
            and all(map(eq, self.texts, other.texts))
        )

    __hash__ = None  # type: ignore[assignment]  # they are compared, never looked up

    def joined(self, mark: str) -> str:
        """All texts, a mark before each that begins a line."""
        return joined(self.table, self.indices, self.breaks, mark)


@accelerated
def joined(table: tuple[str, ...], indices: Ints, breaks: Mask, mark: str) -> str:
    marked = np.full(len(indices) + int(breaks.sum()), len(table), dtype=np.int64)
    marked[np.arange(len(indices)) + np.cumsum(breaks)] = indices
    return "".join(map((*table, mark).__getitem__, marked.tolist()))


@accelerated
def lengths_at(table: tuple[str, ...], indices: Ints) -> Longs:
    """How long the texts at these places of the table are."""
    return np.fromiter(map(len, map(table.__getitem__, indices.tolist())), dtype=np.int64, count=len(indices))


def changed_lines(old: str, new: str) -> tuple[int, int, int]:
    """The lines between equal ones at the start and at the end of two texts: where they begin in both, where
    they end in the old text and in the new. What is before and behind is whole lines."""
    same, alike = equal_ends(old, new)
    behind = new.find("\n", len(new) - alike)
    end = len(new) if behind < 0 else behind
    return new.rfind("\n", 0, same) + 1, end + len(old) - len(new), end


@accelerated
def equal_ends(one: str, other: str) -> tuple[int, int]:
    """How many characters two texts have in common at the start, and how many of the others at the end."""
    shorter = min(len(one), len(other))
    start = _in_common(one, other, shorter)
    rest = shorter - start
    ours, theirs = one[len(one) - rest :], other[len(other) - rest :]
    return start, _in_common(ours[::-1], theirs[::-1], rest)


def _in_common(one: str, other: str, most: int) -> int:
    """How many characters are the same at the start, found by halves: whole texts are compared quickly."""
    start = 0
    while start < most:
        middle = (start + most + 1) // 2
        if one[start:middle] == other[start:middle]:
            start = middle
        else:
            most = middle - 1
    return start


def pieces(digest: PageDigest) -> Pieces:
    nodes = (digest.is_text & ~digest.hidden).nonzero()[0]
    return Pieces(nodes, digest.content[nodes], digest.texts, _breaks(digest, nodes))


def _on_screen(marked: str) -> str:
    """Splitting all of the text at once is several times faster than text by text."""
    lines = " ".join(marked.split()).split(_BREAK)
    return "\n".join(filter(None, map(str.strip, lines)))


def step_by_step(pieces: Pieces) -> Reading:
    """What is collapsed, text by text: so it is known where each begins."""
    text, kept, starts = collapsed_texts(pieces.table, pieces.indices, pieces.breaks)
    return Reading(text, lambda: (pieces.nodes[kept], starts))


@accelerated
def collapsed_texts(table: tuple[str, ...], indices: Ints, breaks: Mask) -> tuple[str, Longs, Longs]:
    """The texts as on the screen, which of them are there, and where each of those begins."""
    found: list[str] = []
    kept: list[int] = []
    starts: list[int] = []
    length, broken, spaced = 0, False, False
    # Many nodes hold the same few blanks.
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
    """How many characters a text has, white space aside."""
    return sum(map(len, text.split()))


def _located(pieces: Pieces) -> tuple[Longs, Longs]:
    """The same places for all texts at once."""
    used, which = np.unique(pieces.indices, return_inverse=True)
    texts = [pieces.table[index] for index in used.tolist()]
    tight = np.array([len(" ".join(text.split())) for text in texts], dtype=np.int64)[which]
    leads = np.array([text[:1].isspace() for text in texts], dtype=np.bool_)[which]
    trails = np.array([text[-1:].isspace() for text in texts], dtype=np.bool_)[which]
    kept = tight.nonzero()[0]
    # Between two texts that are kept: a line that begins, or nothing but blanks.
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
        """Nothing for a node without a text of its own."""
        return self.of_all([owner])[0]

    def of_all(self, owners: Sequence[int]) -> list[str]:
        """The same for many in one go."""
        starts = self._owners.searchsorted(owners)
        ends = self._owners.searchsorted(owners, "right")
        return owned_texts(self._table, self._indices, self._breaks, starts, ends)


@accelerated
def owned_texts(table: tuple[str, ...], indices: Ints, breaks: Mask, starts: Longs, ends: Longs) -> list[str]:
    """The texts of some runs of pieces."""
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
    """Per node: how many block borders come before it."""
    blocks = np.flatnonzero((digest.is_tag(BLOCKS) & ~digest.hidden) | digest.is_tag(BOXES))
    both = np.concatenate([blocks, blocks + digest.sizes[blocks]])
    return np.cumsum(np.bincount(both, minlength=len(digest) + 1)[:-1])


def _breaks(digest: PageDigest, nodes: Longs) -> Mask:
    """Per text node: does a block begin or end between it and the text before it?

    Of a part this is asked of the whole page, where the blocks are still around the texts.
    """
    nodes, digest = digest.origin[nodes], digest.whole
    if not digest.is_html:
        return np.arange(len(nodes)) > 0
    passed, alone = digest.block_edges[nodes], ~digest.is_text[nodes]
    answer = np.zeros(len(nodes), dtype=np.bool_)
    answer[1:] = (passed[1:] != passed[:-1]) | alone[1:] | alone[:-1]
    return answer
