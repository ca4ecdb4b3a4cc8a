"""Two versions in, the change types that surely find nothing out, judged by what did not change (G2).

The general is compared before the specific: each aspect (tags, links, words and so on) is compared once, by
signature or as one text. A change type that depends only on equal aspects is not run. A change type is left
out only if its detector would find nothing, so the findings stay the same.

Many searches share one pass (G3): all keywords and phrases of a page are searched in one table, all regular
expressions in one set. Only the searches that the pass cannot rule out are then run one by one. A keyword has
not changed if it occurs equally often near the changed places of both versions; a phrase has not changed if
it does not occur there; an expression finds nothing if it matches nothing in both versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from webvigil.detect.keywords import is_part
from webvigil.detect.pair import pair
from webvigil.detect.sequences import finder
from webvigil.detect.wording import folded_words
from webvigil.document import PageDigest
from webvigil.document.arrays import Longs, below, distinct
from webvigil.document.links import LINK_ATTRIBUTES, is_address
from webvigil.document.pattern_set import PatternSet
from webvigil.document.patterns import compile_pattern
from webvigil.document.reading import Reading
from webvigil.document.string_tables import differing
from webvigil.graph.nodes import ChangeNode
from webvigil.model.change_types import BY_LOCTAGS, TEXT_ONLY, named_by
from webvigil.model.memo import cached_property
from webvigil.model.sentinel import ChangeType

# The attributes that `all images` reads an image's address from.
_IMAGES = ("src", "srcset", "href", "xlink:href", "poster", "type")
_GRIDS = {"table": ("table",), "list": ("li", "dt", "dd")}
# A text without any of these characters cannot be a CSS selector.
_SELECTING = frozenset("#.>[:")


class Aspects:
    """Compares two versions of a page, or of a part of it, aspect by aspect."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self._old = old
        self._new = new
        self._both = pair(old, new)

    def leave_out(self, change: ChangeType) -> bool:
        """Returns True if this change type surely finds nothing. The texts it looks for must be searchable
        (`ChangeNode.sound`)."""
        match change.kind:
            case "any change":
                return (
                    self.are_read
                    and self._same_title
                    and self._same_words
                    and self._same_links
                    and self._same_images
                )
            case "all links":
                return self._same_links
            case "all images":
                return change.option != "content" and self._same_images
            case "all words":
                return self._same_words and (change.option != BY_LOCTAGS or self._both.same_layout)
            case "keywords" if is_part(change):
                return self._same_text
            case "keywords" | "phrase":
                return self.are_read and self._same_words
            case "regular expression":
                return change.option != "in source" and self._same_text
            case "table" | "list":
                return self._same_grid(change)
        return self._same_aspect(change.kind)

    def _same_aspect(self, kind: str) -> bool:
        match kind:
            case "layout":
                return self._both.same_layout
            case "tags":
                return self._both.same_tags
            case "attributes":
                return self._both.same_tags and self._both.same_attributes
            case "appearance":
                return (
                    self._both.same_layout and self._both.same_attributes and self._old.url == self._new.url
                )
            case "comments":
                return self._both.same_tags and self._same_comments
            case "structure":
                return self._both.same_layout and self._both.same_attributes and self._same_comments
        return False

    @cached_property
    def are_read(self) -> bool:
        """True if both versions are compared as words. XML and JSON are compared leaf by leaf, other files by
        their bytes."""
        return all(one.kind == "text" or one.is_html for one in (self._old, self._new))

    @cached_property
    def _same_comments(self) -> bool:
        return self._old.comments_hash == self._new.comments_hash

    @cached_property
    def _nodewise(self) -> _Nodewise | None:
        """The comparison node by node, or None if the layouts differ or a version is not a whole HTML
        page."""
        whole = all(one.is_html and one.whole is one for one in (self._old, self._new))
        return _Nodewise(self._old, self._new) if whole and self._both.same_layout else None

    @cached_property
    def _same_links(self) -> bool:
        """True if both versions have the same links, which HTML keeps in elements and their attributes."""
        if not (self._old.is_html and self._new.is_html and self._old.url == self._new.url):
            return False
        if self._both.same_markup or (self._nodewise is not None and self._nodewise.keeps_links):
            return True
        return self._old.link_sources[1] == self._new.link_sources[1]

    @cached_property
    def _same_images(self) -> bool:
        if not (self._old.is_html and self._new.is_html and self._old.url == self._new.url):
            return False
        if self._both.same_markup:
            return True
        return self._nodewise is not None and self._nodewise.keeps_attributes(*_IMAGES)

    @cached_property
    def _same_title(self) -> bool:
        return self._same_writing or self._old.title == self._new.title

    @cached_property
    def _same_words(self) -> bool:
        return self._same_writing or self._old.reading.text == self._new.reading.text

    @cached_property
    def _same_text(self) -> bool:
        return self._same_writing or _shown(self._old).text == _shown(self._new).text

    @cached_property
    def _same_writing(self) -> bool:
        """True if every text is equal and no element became hidden or visible. This is found out without
        reading either version."""
        nodes = self._nodewise
        return nodes is not None and not len(nodes.texts) and nodes.keeps_attributes("hidden")

    def _same_grid(self, change: ChangeType) -> bool:
        """Returns True if no table (or list) changed. This is decided only for a table that is named by its
        number or by a text in it, because then nothing outside of tables matters."""
        nodes, name = self._nodewise, change.arguments
        plain = len(name) == 1 and name[0].strip() and not named_by(change) and _SELECTING.isdisjoint(name[0])
        if nodes is None or not plain or not nodes.keeps_attributes("hidden", "colspan", "rowspan"):
            return False
        tags = _GRIDS[change.kind]
        same_links = change.option == TEXT_ONLY or self._same_links or nodes.keeps_links_in(*tags)
        return nodes.keeps_texts_in(*tags) and same_links


def _shown(digest: PageDigest) -> Reading:
    return digest.reading if digest.kind == "text" else digest.shown


class _Nodewise:
    """Compares two whole pages with the same elements in the same order. Nodes correspond by their number,
    and a difference is a position in two arrays, so that the text that a reader sees need not be built. Not
    for a part of a page, because the arrays contain what surrounds the part, too."""

    def __init__(self, old: PageDigest, new: PageDigest) -> None:
        self._old = old
        self._new = new
        self._texts_kept: dict[tuple[str, ...], bool] = {}

    @cached_property
    def texts(self) -> Longs:
        """The numbers of the text nodes whose text differs."""
        old, new = self._old, self._new
        if old.same_content(new):
            return np.zeros(0, dtype=np.int64)
        places = differing(old.texts, old.content, new.texts, new.content)
        return places[old.is_text[places]]

    @cached_property
    def attributes(self) -> frozenset[str] | None:
        """The names of the attributes whose values differ, or None if some node gained or lost one."""
        old, new = self._old, self._new
        if pair(old, new).same_attributes:
            return frozenset()
        if not _same_rows(old, new):
            return None
        names = distinct(old.attribute_name[self._rows])
        return frozenset(old.attribute_names[name] for name in names.tolist())

    @cached_property
    def _rows(self) -> Longs:
        """The rows of the attributes whose values differ, in pages whose nodes have the same attributes."""
        old, new = self._old, self._new
        return differing(old.attribute_values, old.attribute_value, new.attribute_values, new.attribute_value)

    def keeps_attributes(self, *names: str) -> bool:
        """Returns True if no attribute with one of these names changed."""
        return self.attributes is not None and self.attributes.isdisjoint(names)

    @cached_property
    def keeps_links(self) -> bool:
        """True if no attribute changed that carries a link. A `value` carries one if it is an address."""
        if self.attributes is None or not self.attributes.isdisjoint(LINK_ATTRIBUTES.keys() - {"value"}):
            return False
        return "value" not in self.attributes or not any(
            is_address(digest.attribute_values[digest.attribute_value[row]])
            for digest in (self._old, self._new)
            for row in self._rows.tolist()
        )

    def keeps_texts_in(self, *tags: str) -> bool:
        """Returns True if no text inside elements with these tags changed."""
        if tags not in self._texts_kept:
            inside = below(self._old.is_tag(tags), self._old.sizes) if len(self.texts) else None
            self._texts_kept[tags] = inside is None or not inside[self.texts].any()
        return self._texts_kept[tags]

    def keeps_links_in(self, *tags: str) -> bool:
        """Returns True if no link inside elements with these tags changed."""
        if self._old.url != self._new.url:
            return False
        before, after = ({*zip(*digest.link_sources, strict=True)} for digest in (self._old, self._new))
        inside = below(self._old.is_tag(tags), self._old.sizes)
        return not any(inside[node] for node, _ in before ^ after)


def _same_rows(old: PageDigest, new: PageDigest) -> bool:
    """Returns True if the same nodes have the same attributes, whatever their values."""
    return (
        old.attribute_names == new.attribute_names
        and np.array_equal(old.attribute_node, new.attribute_node)
        and np.array_equal(old.attribute_name, new.attribute_name)
    )


# With fewer searches the common pass costs more than the single searches it saves.
_ENOUGH = 3


class Together:
    """The searches in one part of a page, between two versions whose words differ."""

    def __init__(self, old: PageDigest, new: PageDigest, nodes: Iterable[ChangeNode]) -> None:
        self._old = old
        self._new = new
        sound = [node for node in nodes if node.sound]
        self._words = _enough({node for node in sound if _is_of_words(node)})
        self._patterns = _enough({node for node in sound if _is_pattern(node)})

    def leave_out(self, node: ChangeNode) -> bool:
        """Returns True if this search surely finds nothing."""
        if node in self._words:
            touched = self._moved if node.change.kind == "keywords" else self._near
            return touched.isdisjoint(_sequences(node))
        return node in self._patterns and self._unmatched.issuperset(node.change.arguments)

    @cached_property
    def _moved(self) -> set[tuple[str, ...]]:
        """The word sequences that occur more or less often near the changed places than before."""
        sequences, before, after = self._counts
        return {sequences[one] for one in {*before, *after} if before.get(one) != after.get(one)}

    @cached_property
    def _near(self) -> set[tuple[str, ...]]:
        """The word sequences that occur near a changed place in either version."""
        sequences, before, after = self._counts
        return {sequences[one] for one in {*before, *after}}

    @cached_property
    def _counts(self) -> tuple[list[tuple[str, ...]], Mapping[int, int], Mapping[int, int]]:
        """The word sequences that are looked for, and how often those that occur near the changed places do
        so, by their numbers, in the old and in the new version."""
        sequences = list(dict.fromkeys(words for node in self._words for words in _sequences(node)))
        margin = max(map(len, sequences)) - 1
        before, after = map(finder(*sequences).counts, pair(self._old, self._new).near(margin))
        return sequences, before, after

    @cached_property
    def _unmatched(self) -> frozenset[str]:
        """The expressions that match nothing in either version."""
        texts = sorted({text for node in self._patterns for text in node.change.arguments})
        return _unmatched_in(self._old, texts) & _unmatched_in(self._new, texts)


def _unmatched_in(digest: PageDigest, patterns: Sequence[str]) -> frozenset[str]:
    """Returns the expressions that match nothing in a version. It is the old one of the next comparison, so
    the digest keeps the answer."""

    def unmatched(digest: PageDigest) -> frozenset[str]:
        found = PatternSet(map(compile_pattern, patterns)).unmatched(_searched_text(digest))
        return frozenset(found)

    return digest.once("\0".join(("unmatched", *patterns)), unmatched)


def _enough(nodes: set[ChangeNode]) -> set[ChangeNode]:
    return nodes if len(nodes) >= _ENOUGH else set()


def _is_of_words(node: ChangeNode) -> bool:
    return node.change.kind == "phrase" or (node.change.kind == "keywords" and not is_part(node.change))


def _is_pattern(node: ChangeNode) -> bool:
    return node.change.kind == "regular expression" and node.change.option != "in source"


def _sequences(node: ChangeNode) -> list[tuple[str, ...]]:
    return [folded_words(text) for text in node.change.arguments]


def _searched_text(digest: PageDigest) -> str:
    return digest.reading.text if digest.kind == "text" else digest.shown.text
