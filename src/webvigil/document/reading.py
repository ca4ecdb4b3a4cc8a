"""The text of a page in the order it is read, and which node each character comes from.

Block elements and `br` separate lines; inline elements do not separate anything: `low<b>er</b>` is
one word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webvigil.document import arrays
from webvigil.document.arrays import Longs, Mask
from webvigil.document.markup import BLOCKS, BOXES, HIDDEN

if TYPE_CHECKING:
    from webvigil.document.digest import PageDigest


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A text made of the texts of `nodes`; that of nodes[k] begins at starts[k] (both ascend)."""

    text: str
    nodes: Longs
    starts: Longs

    def node_at(self, offset: int) -> int:
        """The text node a character comes from."""
        return int(self.nodes[np.searchsorted(self.starts, offset, side="right") - 1])

    def place_at(self, offset: int) -> tuple[int, int]:
        """The text node and the offset within this reading's copy of its text."""
        index = int(np.searchsorted(self.starts, offset, side="right")) - 1
        return int(self.nodes[index]), offset - int(self.starts[index])


def hidden(digest: PageDigest) -> Mask:
    if digest.whole is not digest:
        return digest.whole.hidden[digest.origin]
    if not digest.is_html:
        return np.zeros(len(digest), dtype=np.bool_)
    roots = digest.is_tag(HIDDEN)
    roots[digest.attribute_node[digest.rows_of("hidden")]] = True
    return arrays.below(roots, digest.sizes)


def raw(digest: PageDigest) -> Reading:
    """Texts exactly as they stand in their nodes, so that offsets lead back into the node's text."""
    nodes = np.flatnonzero(digest.is_text & ~digest.hidden)
    breaks = _breaks(digest, nodes).tolist()
    pieces = [digest.texts[index] for index in digest.content[nodes].tolist()]
    lengths = np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces))
    starts = np.cumsum(lengths + breaks) - lengths
    joined = "".join(
        ["\n" + piece if broken else piece for piece, broken in zip(pieces, breaks, strict=True)]
    )
    return Reading(joined, nodes, starts)


def collapsed(digest: PageDigest) -> Reading:
    """White space as on the screen: runs become one space, none at the edges of a line, no empty lines."""
    nodes = np.flatnonzero(digest.is_text & ~digest.hidden)
    breaks = _breaks(digest, nodes).tolist()
    pieces: list[str] = []
    kept: list[int] = []
    starts: list[int] = []
    length, broken, spaced = 0, False, False
    indices = digest.content[nodes].tolist()
    # Many nodes hold the same few blanks.
    tight = {index: " ".join(digest.texts[index].split()) for index in set(indices)}
    for node, index, starts_line in zip(nodes.tolist(), indices, breaks, strict=True):
        text, piece = digest.texts[index], tight[index]
        broken = broken or starts_line
        if not piece:
            spaced = spaced or bool(text)
            continue
        glue = "" if not pieces else "\n" if broken else " " if spaced or text[0].isspace() else ""
        pieces += (glue, piece)
        kept.append(node)
        starts.append(length + len(glue))
        length += len(glue) + len(piece)
        broken, spaced = False, text[-1].isspace()
    return Reading("".join(pieces), np.array(kept, dtype=np.int64), np.array(starts, dtype=np.int64))


def owned_texts(digest: PageDigest, owners: Mask) -> dict[int, str]:
    """The visible text of each marked node, without that of marked nodes inside it, white space collapsed."""
    reading = digest.reading
    around = arrays.enclosing(owners, digest.sizes)[reading.nodes]
    breaks = _breaks(digest, reading.nodes).tolist()
    pieces: dict[int, list[str]] = {}
    texts = digest.content[reading.nodes].tolist()
    for owner, index, broken in zip(around.tolist(), texts, breaks, strict=True):
        if owner >= 0:
            text = digest.texts[index]
            pieces.setdefault(owner, []).append("\n" + text if broken else text)
    return {owner: " ".join("".join(joined).split()) for owner, joined in pieces.items()}


def block_edges(digest: PageDigest) -> Longs:
    """Per node: how many block borders come before it."""
    blocks = np.flatnonzero((digest.is_tag(BLOCKS) & ~digest.hidden) | digest.is_tag(BOXES))
    edges = np.zeros(len(digest) + 1, dtype=np.int64)
    edges[blocks] += 1
    np.add.at(edges, blocks + digest.sizes[blocks], 1)
    return np.cumsum(edges)[:-1]


def _breaks(digest: PageDigest, nodes: Longs) -> Mask:
    """Per text node: does a block begin or end between it and the text before it?

    Of a part this is asked of the whole page, where the blocks are still around the texts.
    """
    nodes, digest = digest.origin[nodes], digest.whole
    if not digest.is_html:
        return np.arange(len(nodes)) > 0
    passed = digest.block_edges[nodes]
    answer = np.zeros(len(nodes), dtype=np.bool_)
    answer[1:] = passed[1:] != passed[:-1]
    return answer
