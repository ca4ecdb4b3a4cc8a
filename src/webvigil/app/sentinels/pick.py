"""The element that somebody clicked in, choices of what to watch out: from its words to the whole page (U1).

The element is a node of WebVigil's own tree of the page. Names, texts and selectors are read from that tree,
and nothing that the shown page says about the click is trusted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal

import numpy as np

from webvigil.app.sentinels.offers import (
    LONGEST_VALUE,
    Offer,
    amounts,
    is_worth,
    list_offer,
    short,
    table_offer,
)
from webvigil.app.sentinels.selectors import selected, selector, selector_of_one
from webvigil.detect.phrase import occurrences
from webvigil.detect.quantities import parse_value
from webvigil.detect.wording import folded_words
from webvigil.document import PageDigest, arrays
from webvigil.document.links import absolute
from webvigil.document.markup import BLOCKS
from webvigil.errors import NotFound
from webvigil.language import print_expression
from webvigil.model.memo import remembered
from webvigil.model.sentinel import ChangeType

Kind = Literal["value", "text", "picture", "table", "list", "part", "page"]

MOST_WORDS = 40  # of a phrase; a longer text is offered as a part of the page
CONTEXT = 10  # words on either side, by which a phrase is found again in a later version
MOST_CHOICES = 12  # that are offered for one click, the whole page included
MOST_PLACES = 3  # of the same words on the page, each of which is a choice
_MOST_STEPS = 60  # ancestors of the element that are considered
_TOP = frozenset(("html", "body", "#document"))
# Elements that are never offered as a part: wrappers inside a table, where the row or the table is meant,
# and elements without content.
_NO_PART = frozenset(("tbody", "thead", "tfoot", "colgroup", "col", "br", "hr"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One thing that a click may mean. `monitor` and `within` are written as in a sentinel. `times` tells how
    often it is found on the page now. A phrase also has its words and the words around it."""

    kind: Kind
    node: int
    label: str
    monitor: str
    within: str = ""
    sample: str = ""
    times: int = 1
    phrase: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picked:
    """The choices from narrow to wide. `chosen` is the index of the most likely one."""

    choices: tuple[Choice, ...]
    chosen: int


def picked(digest: PageDigest, node: int) -> Picked:
    """Returns what a click on a node may mean. Raises NotFound if the page has no such element."""
    return _Picking(digest, _element(digest, node)).picked()


@remembered
def kinds(digest: PageDigest) -> dict[int, Kind]:
    """Returns, by element, what a click inside it means if that is more than a part of the page. The nearest
    such element above a click counts."""
    found = _Kinds(digest)
    return {**found.texts(), **found.pictures(), **found.lists(), **found.values(), **found.tables()}


def followed(digest: PageDigest, node: int) -> str:
    """Returns the address of the link that a node is in; "" if it is in no link, or in a link that does not
    lead to a web page."""
    element = _element(digest, node)
    for one in (element, *digest.ancestors(element)):
        if digest.tag(one) in ("a", "area") and (href := digest.attribute(one, "href")):
            url = absolute(digest.url, href) or ""
            return url if url.startswith(("http://", "https://")) else ""
    return ""


def _element(digest: PageDigest, node: int) -> int:
    if not 0 < node < len(digest) or digest.hidden[node]:
        raise NotFound("the page has no such element")
    return int(digest.parents[node]) if digest.tag(node).startswith(("#", "?")) else node


class _Kinds:
    """Finds the elements that a click can mean. A click on a text or picture in a table or list means the
    table or list, but an amount of money in a list is meant by itself."""

    def __init__(self, digest: PageDigest) -> None:
        self._digest = digest

    def tables(self) -> dict[int, Kind]:
        """Returns the tables that hold data. Tables that only lay out the page are left out: those that
        contain another table, or only one cell."""
        nodes = self._digest.nodes_of("table").tolist()
        holding = {one for one, other in pairwise(nodes) if other < self._end(one)}
        return {
            one.node: "table"
            for one in self._digest.tables
            if one.node not in holding and not self._digest.hidden[one.node]
            if one.rows and (len(one.rows) > 1 or len(one.rows[0].nodes) > 1)
        }

    def lists(self) -> dict[int, Kind]:
        return {one.node: "list" for one in self._digest.lists if is_worth(self._digest, one)}

    def values(self) -> dict[int, Kind]:
        inside = self._inside(self.tables())
        return {node: "value" for node, _ in amounts(self._digest) if not inside[node]}

    def pictures(self) -> dict[int, Kind]:
        inside = self._inside({**self.tables(), **self.lists()})
        nodes = pictures(self._digest)
        return {node: "picture" for node in nodes if not inside[node] and not self._digest.hidden[node]}

    def texts(self) -> dict[int, Kind]:
        digest = self._digest
        inside = self._inside({**self.tables(), **self.lists()})
        nodes = arrays.distinct(digest.parents[digest.reading.nodes])
        return {node: "text" for node in nodes[~inside[nodes]].tolist() if is_text(digest, node)}

    def _inside(self, marked: dict[int, Kind]) -> arrays.Mask:
        roots = np.zeros(len(self._digest), dtype=np.bool_)
        roots[list(marked)] = True
        return arrays.below(roots, self._digest.sizes)

    def _end(self, node: int) -> int:
        return node + int(self._digest.sizes[node])


class _Picking:
    """Collects the choices for one click, from the clicked element up to the whole page."""

    def __init__(self, digest: PageDigest, node: int) -> None:
        self._digest = digest
        way = (node, *digest.ancestors(node, _MOST_STEPS))
        self._way = [one for one in way if digest.tag(one) not in _TOP]
        self._valued = False
        # Texts of the last phrase and of the last part, so that an element around the same text is not
        # offered.
        self._said = self._seen = ""

    def picked(self) -> Picked:
        sample = short(self._digest.visible_text)
        whole = Choice(kind="page", node=0, label="The whole page", monitor="any change", sample=sample)
        choices = (*islice(self._choices(), MOST_CHOICES - 1), whole)
        return Picked(choices, self._chosen(choices))

    def _choices(self) -> Iterator[Choice]:
        """Yields the choices for each element from the clicked one upwards."""
        for node in self._way:
            text = self._text(node)
            yield from self._values(node, text)
            yield from self._phrases(node, text)
            yield from self._pictures(node)
            offered = self._offered(node)
            if offered:
                kind: Kind = "table" if self._digest.tag(node) == "table" else "list"
                yield Choice(
                    kind=kind, node=node, label=offered.label, monitor=offered.monitor, sample=offered.sample
                )
            else:
                yield from self._parts(node, text)

    def _chosen(self, choices: tuple[Choice, ...]) -> int:
        """Returns the index of the choice that `kinds` names for the click, or else of the nearest part."""
        marked = kinds(self._digest)
        meant = next(((one, marked[one]) for one in self._way if one in marked), None)
        likely = [number for number, one in enumerate(choices) if (one.node, one.kind) == meant]
        parts = [number for number, one in enumerate(choices) if one.kind in ("picture", "part", "page")]
        return (likely or parts)[0]

    def _values(self, node: int, text: str) -> Iterator[Choice]:
        """Yields the value in an element, once alone and once with all values like it. Only the nearest
        element with a value counts."""
        if self._valued or not 0 < len(text) <= LONGEST_VALUE or parse_value(text).kind == "text":
            return
        self._valued = True
        for found in dict.fromkeys((selector_of_one(self._digest, node), selector(self._digest, node))):
            times = len(selected(self._digest, found)) if found else 0
            if times:
                label = f"The value {text}" if times == 1 else f"All {times} values like {text}"
                monitor = print_expression(ChangeType("value", (found,), "css"))
                yield Choice(kind="value", node=node, label=label, monitor=monitor, sample=found, times=times)

    def _phrases(self, node: int, text: str) -> Iterator[Choice]:
        words = folded_words(text)
        if not words or text == self._said or not is_text(self._digest, node):
            return
        self._said = text
        times = len(occurrences(self._digest, words))
        if not times:  # the element holds only a part of a word
            return
        before, after = around(self._digest, *word_run(self._digest, node))
        yield Choice(
            kind="text",
            node=node,
            label=f"The words “{short(text, 60)}”",
            monitor=print_expression(ChangeType("phrase", (text,))),
            times=times,
            phrase=text,
            before=before,
            after=after,
        )

    def _pictures(self, node: int) -> Iterator[Choice]:
        found = selector_of_one(self._digest, node) if node in pictures(self._digest) else ""
        if found:
            alt = short(self._digest.attribute(node, "alt") or "", 60)
            label = f"The picture “{alt}”" if alt else "The picture"
            yield Choice(
                kind="picture", node=node, label=label, monitor="all images", within=found, sample=found
            )

    def _offered(self, node: int) -> Offer | None:
        digest = self._digest
        for number, table in enumerate(digest.tables, start=1):
            if table.node == node and table.rows:
                return table_offer(digest.headings, number, table)
        for number, found in enumerate(digest.lists, start=1):
            if found.node == node and found.items:
                return list_offer(digest.headings, number, found)
        return None

    def _parts(self, node: int, text: str) -> Iterator[Choice]:
        """Yields the element as a part of the page, unless an element inside it already had the same text."""
        if not text or text == self._seen or self._digest.tag(node) in _NO_PART:
            return
        self._seen = text
        found = selector_of_one(self._digest, node)
        if found:
            count = len(text.split())
            label = f"This part ({count} word{'' if count == 1 else 's'})"
            yield Choice(
                kind="part", node=node, label=label, monitor="any change", within=found, sample=short(text)
            )

    def _text(self, node: int) -> str:
        """Returns the readable text of an element in one line."""
        reading = self._digest.shown
        first, last = np.searchsorted(reading.nodes, (node, node + int(self._digest.sizes[node]))).tolist()
        end = int(reading.starts[last]) if last < len(reading.starts) else len(reading.text)
        return " ".join(reading.text[int(reading.starts[first]) : end].split()) if last > first else ""


@dataclass(frozen=True, slots=True)
class Place:
    """One place where a phrase stands, with the words around it by which it is found again."""

    before: tuple[str, ...]
    words: tuple[str, ...]
    after: tuple[str, ...]


def places(digest: PageDigest, phrase: str) -> tuple[Place, ...]:
    """Returns the first few places where the phrase stands."""
    words = folded_words(phrase)
    starts = occurrences(digest, words)[:MOST_PLACES] if words else []
    return tuple([_place(digest, first, first + len(words)) for first in starts])


def _place(digest: PageDigest, first: int, last: int) -> Place:
    before, after = around(digest, first, last)
    return Place(before, tuple(digest.words.words[first:last]), after)


@remembered
def pictures(digest: PageDigest) -> set[int]:
    """Returns the elements that show a picture which has an address."""
    return {one.node for one in digest.images if digest.tag(one.node) == "img"}


def is_text(digest: PageDigest, node: int) -> bool:
    """Tells whether a phrase can be made of an element: it has few words, and no blocks such as paragraphs in
    it."""
    if digest.tag(node) in _TOP or not _is_line(digest)[node]:
        return False
    first, last = word_run(digest, node)
    return 0 < last - first <= MOST_WORDS


@remembered
def _is_line(digest: PageDigest) -> arrays.Mask:
    """Returns, for each node, whether there is no block element in it."""
    blocks = np.cumsum(digest.is_tag(BLOCKS - {"br"}))
    lines: arrays.Mask = blocks[np.arange(len(digest)) + digest.sizes - 1] == blocks
    return lines


def word_run(digest: PageDigest, node: int) -> tuple[int, int]:
    """Returns the range of an element's words in the page: the first, and the one after the last."""
    nodes = digest.words.nodes
    first, last = np.searchsorted(nodes, (node, node + int(digest.sizes[node]))).tolist()
    return first, last


def around(digest: PageDigest, first: int, last: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the words before and after a range of words."""
    words = digest.words.words
    return tuple(words[max(0, first - CONTEXT) : first]), tuple(words[last : last + CONTEXT])
