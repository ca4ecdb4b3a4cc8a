"""An answer in, its views out: the text as laid out on the screen, the source, the links and the forms.

In the text, a block is a line, the cells of a row are separated by tabs, and white space is collapsed;
preformatted text stays as it is. Each link is a line `href="address" text`, followed by the rest of the row
or item that the link stands in. Links that only repeat the question are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
_MOST_ITEMS = 500  # links for which the item around them is read
_LONGEST_ITEM = 600  # characters; more is no item of a list

Repeats = Callable[[str, str], bool]
"""Tells whether a link, named by its address, only repeats the question whose answer has the other
address."""


class Views:
    """A fetched page with its frames in place. Each view has at most `limit` characters."""

    def __init__(
        self, answer: Answer, limit: int, repeats: Repeats = lambda address, answered: False
    ) -> None:
        self.answer = answer
        self._limit = limit
        self._repeats = repeats

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
        return tuple((address, text) for _, address, text in self._visible_links)

    @cached_property
    def _visible_links(self) -> tuple[tuple[int, str, str], ...]:
        digest = self.digest
        is_link = digest.is_tag(("a", "area"))
        texts = OwnedTexts(digest, is_link)
        nodes = np.flatnonzero(is_link & ~digest.hidden).tolist()[:_MOST_LINKS]
        found = ((node, _target(digest, node), texts.of(node)) for node in nodes)
        return tuple(one for one in found if one[1])

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
        return self._listed

    @cached_property
    def _listed(self) -> str:
        links = [one for one in self._visible_links if not self._repeats(one[1], self.answer.url)]
        items = _Items(self.digest, [node for node, _, _ in self._visible_links])
        lines = [
            f'href="{address}" {text} {items.around(node) if number < _MOST_ITEMS else ""}'.rstrip()
            for number, (node, address, text) in enumerate(links)
        ]
        return "\n".join(lines)[: self._limit]


class _Items:
    """The items of lists that links stand in: the row of a table, the term with its definition, the item
    of a list, or the largest element around a link that has no other link in it."""

    def __init__(self, digest: PageDigest, links: list[int]) -> None:
        self._digest = digest
        self._links = np.asarray(links, dtype=np.int64)
        self._rows = arrays.enclosing(digest.is_tag(("tr",)), digest.sizes)

    def around(self, link: int) -> str:
        """Returns the text of the item around a link, "" if it says no more than the link or is too long."""
        row = int(self._rows[link])
        node = row if row >= 0 else self._alone(link)
        text = self._text(node)
        if self._digest.tag(node) == "dt":
            text += " " + self._text(node + int(self._digest.sizes[node]))
        own = self._text(link)
        return "" if len(text) > _LONGEST_ITEM or text == own else text.removeprefix(own).strip()

    def _alone(self, link: int) -> int:
        sizes, parents = self._digest.sizes, self._digest.parents
        node = link
        while (parent := int(parents[node])) > 0 and int(sizes[parent]) < _LONGEST_ITEM:
            first, last = np.searchsorted(self._links, (parent, parent + int(sizes[parent])))
            if last - first > 1 or self._digest.tag(node) in ("li", "dt"):
                break
            node = parent
        return node

    def _text(self, node: int) -> str:
        if node >= len(self._digest):
            return ""
        return " ".join(self._digest.text(node).split())


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
        in_row = rows[at] >= 0 and rows[at] == rows[last] and cells[at] != cells[last]
        blank = spaced or (not pre and text[0].isspace())
        glue = "" if last < 0 else ("\t" if in_row else "\n") if broken else " " if blank else ""
        yield glue + piece
        length += len(glue) + len(piece)
        if length > limit:
            return
        last, broken, spaced = at, False, not pre and text[-1].isspace()
