"""An answer in, its views out: the text as laid out on the screen, the source, the links and the forms.

In the text, a block is a line, the cells of a row are separated by tabs, and white space is collapsed;
preformatted text stays as it is. Each link is a line `href="address" text`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from webvigil.discover.description import View
from webvigil.document import PageDigest, arrays, read
from webvigil.document.charset import decode
from webvigil.document.reading import OwnedTexts
from webvigil.errors import DocumentRefused
from webvigil.fetch.client import resolved
from webvigil.fetch.frames import whole
from webvigil.model.version import Answer

_PREFORMATTED = ("pre", "listing", "xmp", "plaintext", "textarea")
# The entries of lists and the labels of buttons belong to a query, not to an answer.
_CONTROLS = ("select", "button")
_MOST_LINKS = 5000  # links of a page that are read


class Views:
    """A fetched page with its frames in place. Each view has at most `limit` characters."""

    def __init__(self, answer: Answer, limit: int) -> None:
        self.answer = answer
        self._limit = limit

    def __call__(self, view: View) -> str:
        return {"text": self._text, "source": self._source, "links": self._links}[view]()

    @cached_property
    def digest(self) -> PageDigest:
        """Returns the digest of the page; for a document that cannot be read, the digest of an empty page."""
        try:
            return whole(self.answer)
        except DocumentRefused:
            return read(b"", "text/html", self.answer.url)

    @cached_property
    def links(self) -> tuple[tuple[str, str], ...]:
        """Returns address and text of the visible links."""
        digest = self.digest
        is_link = digest.is_tag(("a", "area"))
        texts = OwnedTexts(digest, is_link)
        nodes = np.flatnonzero(is_link & ~digest.hidden).tolist()[:_MOST_LINKS]
        pairs = ((_target(digest, node), texts.of(node)) for node in nodes)
        return tuple((address, text) for address, text in pairs if address)

    def _text(self) -> str:
        return self._laid_out

    @cached_property
    def _laid_out(self) -> str:
        digest = self.digest
        return "".join(_lines(digest, self._limit)) if digest.is_html else digest.reading.text[: self._limit]

    def _source(self) -> str:
        return "\n".join(decode(one.body[: 4 * self._limit], one.content_type) for one in _all(self.answer))[
            : self._limit
        ]

    def _links(self) -> str:
        return "\n".join(f'href="{address}" {text}' for address, text in self.links)[: self._limit]


def _all(answer: Answer) -> Iterator[Answer]:
    left = [answer]
    while left:
        one = left.pop()
        yield one
        left += [frame.answer for frame in reversed(one.frames)]


def _target(digest: PageDigest, node: int) -> str:
    try:
        return resolved(digest.url, digest.attribute(node, "href") or "javascript:")
    except ValueError:
        return ""


def _lines(digest: PageDigest, limit: int) -> Iterator[str]:
    """Yields the pieces of the text, each with the white space before it."""
    pieces = digest.pieces
    as_it_is = arrays.below(digest.is_tag(_PREFORMATTED), digest.sizes)[pieces.nodes].tolist()
    cells = arrays.enclosing(digest.is_tag(("td", "th")), digest.sizes)[pieces.nodes].tolist()
    rows = arrays.enclosing(digest.is_tag(("tr",)), digest.sizes)[pieces.nodes].tolist()
    controls = arrays.below(digest.is_tag(_CONTROLS), digest.sizes)[pieces.nodes].tolist()
    indices, breaks = pieces.indices.tolist(), pieces.breaks.tolist()
    tight = {index: " ".join(pieces.table[index].split()) for index in set(indices)}
    length, last, broken, spaced = 0, -1, False, False
    for at, (index, pre) in enumerate(zip(indices, as_it_is, strict=True)):
        text = pieces.table[index]
        piece = text if pre else tight[index]
        broken = broken or breaks[at]
        if not piece or controls[at]:
            spaced = spaced or bool(text)
            continue
        in_row = rows[at] >= 0 and last >= 0 and rows[at] == rows[last] and cells[at] != cells[last]
        blank = spaced or (not pre and text[0].isspace())
        glue = "" if last < 0 else ("\t" if in_row else "\n") if broken else " " if blank else ""
        yield glue + piece
        length += len(glue) + len(piece)
        if length > limit:
            return
        last, broken, spaced = at, False, not pre and text[-1].isspace()
