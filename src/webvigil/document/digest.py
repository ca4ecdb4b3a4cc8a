"""The Page Digest: a document as separate arrays and tables (containers) instead of a tree of objects (D1).

Node 0 is the document; nodes are numbered depth first. Elements, texts, comments, processing instructions and
the doctype are nodes; only leaves have a text.

    ST  structure           int32 per node: number of children
    TL  tag_names           tuple of names; TM  tags: index into it per node
    AL  attribute_names, attribute_values   tuples of strings
    AM  attribute_node, attribute_name, attribute_value   parallel int32 arrays, sorted by node,
                            in the order of the source within a node
    CL  texts               tuple of distinct strings; CM  content: index into it per node, -1 for none

Every table is in order of first use (but TL begins with `#text`, `#document`), so equal documents have equal
containers. Nodes that are not elements have the names `#document`, `#text`, `#cdata`, `#comment`, `#doctype`,
`?target` for a processing instruction, and `#binary`. All other properties are computed on first use and
kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache, wraps
from typing import TypeVar
from weakref import ref

import numpy as np

from webvigil.document import (
    arrays,
    containers,
    forms,
    hashes,
    links,
    parts,
    paths,
    reading,
    string_tables,
    tables,
    words,
    writer,
    xpath,
)
from webvigil.document.arrays import Hashes, Ints, Longs, Mask
from webvigil.document.containers import Containers, Kind
from webvigil.document.forms import Form
from webvigil.document.links import Background, Image, ImageSources, Link
from webvigil.document.lists import Lists
from webvigil.document.markup import CDATA, TEXT
from webvigil.document.paths import Places
from webvigil.document.reading import Heading, Pieces, Reading
from webvigil.document.tables import Table
from webvigil.document.words import Words
from webvigil.model.memo import cached_property

T = TypeVar("T")

_ALL = slice(None)


def of_tree(make: Callable[[PageDigest], T]) -> cached_property[T]:
    """Makes a property that is computed on first use and then kept, once for versions with the same tree."""
    name = make.__name__

    @wraps(make)
    def shared(digest: PageDigest) -> T:
        return digest.shared(name, make)

    return cached_property(shared)


class PageDigest:
    """An immutable document. Compare whole documents with `==`, aspects with the `…_hash` properties."""

    def __init__(
        self,
        containers: Containers,
        *,
        known: Mapping[str, object] | None = None,
        whole: PageDigest | None = None,
        origin: Longs | None = None,
    ) -> None:
        """`known` holds properties that a reader has computed already, by name.

        For a part of a page, `whole` is the digest of the page and `origin` gives each node's number in it.
        """
        self._containers = containers
        self.kind: Kind = containers.kind
        self._whole = whole
        self._origin = origin
        self._before: ref[PageDigest] | None = None
        self._is_like: bool | None = None
        self.load_screenshot: Callable[[], bytes] | None = None
        self.__dict__.update(known or {})

    def __copy__(self) -> PageDigest:
        """Returns a digest that keeps what it computes from now on for itself."""
        twin = PageDigest.__new__(PageDigest)
        twin.__dict__.update(self.__dict__)
        return twin

    @cached_property
    def source_hash(self) -> bytes:
        """The signature of the bytes as they came from the site, b"" if it is not known."""
        return self._containers.source_hash

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """The signatures of the pictures on the page by their addresses, for those that were fetched (C3)."""
        return self._containers.pictures

    def with_source(self, source_hash: bytes, pictures: Mapping[str, str] | None = None) -> PageDigest:
        """Returns a copy that knows the signature of its bytes and, by address, the signatures of its
        pictures."""
        twin = copy(self)
        twin.source_hash = source_hash
        twin.pictures = self.pictures if pictures is None else pictures
        return twin

    def with_pictures(self, pictures: Mapping[str, str]) -> PageDigest:
        return self.with_source(self.source_hash, pictures)

    def with_screenshot(self, load: Callable[[], bytes]) -> PageDigest:
        """Returns a copy with a function that loads the screenshot of the page."""
        twin = copy(self)
        twin.load_screenshot = load
        return twin

    @property
    def screenshot(self) -> bytes:
        """The screenshot of the whole page, b"" if there is none. It is loaded at each use."""
        load = self.whole.load_screenshot
        return load() if load else b""

    # --- the containers (D1) ----------------------------------------------------------------------

    @cached_property
    def is_html(self) -> bool:
        """Whether the page is HTML, or XHTML that was read as XML. A part of a page is what its page is."""
        if self.whole is not self:
            return self.whole.is_html
        if self.kind != "xml":
            return self.kind == "html"
        root = np.flatnonzero(self.depths == 1)
        return any(self.tag(int(node)) == "html" for node in root)

    @property
    def source_url(self) -> str:
        """The address the bytes came from."""
        return self._containers.url

    @cached_property
    def structure(self) -> Ints:
        return self._containers.structure

    @cached_property
    def tag_names(self) -> tuple[str, ...]:
        return self._containers.tag_names

    @cached_property
    def tags(self) -> Ints:
        return self._containers.tags

    @cached_property
    def attribute_names(self) -> tuple[str, ...]:
        return self._containers.attribute_names

    @cached_property
    def attribute_values(self) -> tuple[str, ...]:
        return self._containers.attribute_values

    @cached_property
    def attribute_node(self) -> Ints:
        return self._containers.attribute_node

    @cached_property
    def attribute_name(self) -> Ints:
        return self._containers.attribute_name

    @cached_property
    def attribute_value(self) -> Ints:
        return self._containers.attribute_value

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return self._containers.texts

    @cached_property
    def content(self) -> Ints:
        return self._containers.content

    @property
    def characters(self) -> int:
        """At least as many characters as all texts have together. A stored digest is not read for it."""
        return self._containers.characters

    @property
    def attribute_characters(self) -> int:
        """At least as many characters as all values of attributes have together; a stored digest is not read
        for it."""
        return self._containers.attribute_characters

    # --- the tree in them (D4) --------------------------------------------------------------------

    def __len__(self) -> int:
        """Returns the number of nodes."""
        return self._containers.count

    @of_tree
    def sizes(self) -> Ints:
        """Subtree sizes: the subtree of node n is the nodes n … n + sizes[n] - 1."""
        return (
            arrays.subtree_sizes(self.depths)
            if "depths" in self.__dict__
            else arrays.sizes_of(self.structure)
        )

    @of_tree
    def depths(self) -> Ints:
        return arrays.depths_of(self.sizes)

    @of_tree
    def parents(self) -> Ints:
        """The parent of each node, -1 for node 0."""
        return arrays.node_parents(self.depths)

    def parent(self, node: int) -> int:
        """Returns the parent of one node without computing the parents of all nodes."""
        if "parents" in self.__dict__:
            return int(self.parents[node])
        above = (self.depths[:node] < self.depths[node]).nonzero()[0]
        return int(above[-1]) if len(above) else -1

    def tag(self, node: int) -> str:
        return self.tag_names[int(self.tags[node])]

    def children(self, node: int) -> list[int]:
        """Returns the children of a node from left to right."""
        found, child = [], node + 1
        for _ in range(self.structure[node]):
            found.append(child)
            child += int(self.sizes[child])
        return found

    def depth_first(self, node: int = 0) -> range:
        """Returns the nodes of a subtree in document order."""
        return range(node, node + int(self.sizes[node]))

    def breadth_first(self) -> Longs:
        """Returns all nodes level by level."""
        return arrays.level_order(self.depths)

    def ancestors(self, node: int, most: int | None = None) -> list[int]:
        """Returns the ancestors of a node, from its parent up to the document, or only the `most` nearest of
        them."""
        found: list[int] = []
        parents = self.parents
        while len(found) != most and (node := int(parents[node])) >= 0:
            found.append(node)
        return found

    @of_tree
    def ranks(self) -> Ints:
        """The place of each node among its parent's children, from 0."""
        return arrays.sibling_ranks(self.parents)

    @of_tree
    def places(self) -> Places:
        """For each node its number among siblings of the same name, as paths show it."""
        return paths.places(self)

    def path(self, node: int) -> str:
        """Returns the path of a node, such as `/html/body/ul[1]/li[3]/a`. A number stands only where the
        parent has several children of that name."""
        if self._origin is not None:
            return self.whole.path(int(self._origin[node]))
        return paths.path(self, node)

    def paths(self, nodes: list[int]) -> list[str]:
        """Returns the paths of several nodes."""
        if self._origin is not None:
            return self.whole.paths(self._origin[nodes].tolist() if nodes else [])
        return paths.paths(self, nodes)

    # --- parts (D5) -------------------------------------------------------------------------------

    def part(self, kept: Mask, attributes: Mask | None = None) -> PageDigest:
        """Returns the kept nodes as a digest of their own with new numbers. Paths remain those of this page.

        `attributes` marks the rows of AM to keep; without it all attributes of the kept nodes stay.
        """
        return self._from_here(*parts.part_of(self, kept, attributes))

    def with_lines(self, before: Longs, lines: list[str]) -> PageDigest:
        """Returns the page with a new text node before each of these nodes. The path of a new text is that of
        the node behind it."""
        return self._from_here(*parts.with_lines(self, before, lines))

    def _from_here(self, containers: Containers, depths: Ints, origin: Longs) -> PageDigest:
        leads = origin if self._origin is None else self._origin[origin]
        return PageDigest(containers, known={"depths": depths}, whole=self.whole, origin=leads)

    def with_texts(self, change: Callable[[str], str]) -> PageDigest:
        """Returns the page with the function `change` applied to the text of every text node."""
        return PageDigest(parts.with_texts(self, change), whole=self.whole, origin=self.origin)

    def with_own_texts(self, changed: Mapping[int, str]) -> PageDigest:
        """Returns the page with other texts at these text nodes."""
        return PageDigest(parts.with_own_texts(self, changed), whole=self.whole, origin=self.origin)

    @property
    def whole(self) -> PageDigest:
        """The digest of the whole page that this digest is a part of, or this digest itself."""
        return self._whole or self

    @cached_property
    def origin(self) -> Longs:
        """For each node its number in the whole page."""
        return np.arange(len(self)) if self._origin is None else self._origin

    # --- names, attributes, text ------------------------------------------------------------------

    @cached_property
    def tag_index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.tag_names)}

    @cached_property
    def attribute_index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.attribute_names)}

    def nodes_of(self, *tags: str) -> Longs:
        """Returns the nodes with one of these names, in document order."""
        which = _places_of(self.tag_names, frozenset(tags))
        if isinstance(which, tuple) and not which:  # as for `base` on most pages
            return np.zeros(0, dtype=np.int64)
        return _marked(self.tags, which).nonzero()[0]

    def is_tag(self, tags: Iterable[str], run: slice = _ALL) -> Mask:
        """Returns a mask of the nodes, or of a run of them, with one of these names."""
        return _marked(self.tags[run], _places_of(self.tag_names, frozenset(tags)))

    @cached_property
    def attribute_start(self) -> Ints:
        """The attributes of node n are rows attribute_start[n] … attribute_start[n + 1] - 1 of AM."""
        return arrays.starts_of(self.attribute_node, len(self))

    def attribute(self, node: int, name: str) -> str | None:
        wanted = self.attribute_index.get(name)
        if wanted is None:
            return None
        for row in range(self.attribute_start[node], self.attribute_start[node + 1]):
            if self.attribute_name[row] == wanted:
                return self.attribute_values[int(self.attribute_value[row])]
        return None

    def attribute_pairs(self, node: int) -> list[tuple[str, str]]:
        """Returns the attributes of a node as pairs, in the order of the source."""
        first, last = int(self.attribute_start[node]), int(self.attribute_start[node + 1])
        if first == last:
            return []
        names, values = self.attribute_name[first:last].tolist(), self.attribute_value[first:last].tolist()
        return [
            (self.attribute_names[name], self.attribute_values[value])
            for name, value in zip(names, values, strict=True)
        ]

    def attributes(self, node: int) -> dict[str, str]:
        return dict(self.attribute_pairs(node))

    def rows_of(self, *names: str) -> Longs:
        """Returns the rows of AM whose attribute has one of these names, in document order."""
        return _marked(self.attribute_name, _places_of(self.attribute_names, frozenset(names))).nonzero()[0]

    @of_tree
    def is_text(self) -> Mask:
        """A mask of the text and CDATA nodes."""
        return self.is_tag((TEXT, CDATA))

    def own_text(self, node: int) -> str:
        """Returns the text of a leaf; "" for elements."""
        index = self.content[node]
        return self.texts[index] if index >= 0 else ""

    def text(self, node: int) -> str:
        """Returns all text of a node's subtree, joined as it stands in the source, hidden or not."""
        size = int(self.sizes[node])
        if size <= 2:
            last = node + size - 1
            return self.own_text(last) if size == 1 or self.is_text[last] else ""
        run = slice(node, node + size)
        found = self.content[run][self.is_text[run]]
        return "".join([self.texts[index] for index in found.tolist()])

    # --- what a reader sees -----------------------------------------------------------------------

    @of_tree
    def hidden(self) -> Mask:
        """A mask of the nodes that a reader does not see: inside script, style, template, noscript, head and
        the like, or inside an element with the attribute `hidden`."""
        return reading.hidden(self)

    @of_tree
    def block_edges(self) -> Longs:
        """For each node the number of borders of block elements before it; equal for texts on one line."""
        return reading.block_edges(self)

    @cached_property
    def pieces(self) -> Pieces:
        """The visible text nodes in order, and which of them begin a line."""
        return reading.pieces(self)

    @cached_property
    def reading(self) -> Reading:
        """The visible text in reading order as it stands in the nodes, "\\n" between blocks."""
        return reading.raw(self)

    @cached_property
    def shown(self) -> Reading:
        """The visible text in reading order with white space collapsed as on the screen: one line per
        block."""
        return reading.collapsed(self)

    @property
    def visible_text(self) -> str:
        return self.shown.text

    @cached_property
    def words(self) -> Words:
        """The visible words in reading order, with the text node and place each comes from."""
        before = self._before() if self._before else None
        return Words(self.reading, before.__dict__.get("words") if before else None)

    @cached_property
    def vocabulary(self) -> tuple[dict[str, int], Longs]:
        """The distinct words with their numbers, and the number of each word of `words`."""
        return words.vocabulary(self.words.words)

    # --- objects ----------------------------------------------------------------------------------

    @cached_property
    def url(self) -> str:
        """The base of relative addresses: `<base href>` where there is one."""
        return links.base(self)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links (C2) as absolute addresses: href of a and area, form actions, URLs in `value`; without
        mailto: and javascript:."""
        return links.links(self)

    @cached_property
    def link_sources(self) -> tuple[list[int], list[str]]:
        """The elements that carry a link, and the addresses as written there."""
        return links.link_sources(self)

    @cached_property
    def image_sources(self) -> ImageSources:
        """The attributes that name pictures: element, name and value as written."""
        return links.image_sources(self)

    @cached_property
    def images(self) -> tuple[Image, ...]:
        """The pictures (C3) as absolute addresses: img src, srcset, picture sources."""
        return links.images(self)

    @cached_property
    def tables(self) -> Sequence[Table]:
        """The tables with caption, header and rows; spans are filled in, and a table in a table stands apart
        (C8)."""
        return tables.tables(self)

    @cached_property
    def lists(self) -> Lists:
        """The lists with their items; a list in a list stands apart (C8)."""
        return Lists(self)

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        return reading.headings(self)

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        return forms.forms(self)

    @cached_property
    def backgrounds(self) -> tuple[Background, ...]:
        """The background pictures and colours that attributes and inline styles of the page name."""
        return links.backgrounds(self)

    @cached_property
    def title(self) -> str:
        return reading.title(self)

    @cached_property
    def tree(self) -> xpath.Tree:
        """The page as an lxml tree, for XPath. Raises PatternRefused for a page that has none."""
        return xpath.tree_of(self)

    # --- signatures (D3) --------------------------------------------------------------------------

    @cached_property
    def structure_hash(self) -> bytes:
        return hashes.of_arrays(self.structure)

    @cached_property
    def tags_hash(self) -> bytes:
        return hashes.both(hashes.of_strings(self.tag_names), hashes.of_arrays(self.tags))

    @cached_property
    def attributes_hash(self) -> bytes:
        """The signature of the attributes of all nodes. The order of attributes within a node does not
        matter."""
        names = sorted(range(len(self.attribute_names)), key=self.attribute_names.__getitem__)
        ranks = np.zeros(len(names) or 1, dtype=np.int32)
        ranks[names] = np.arange(len(names), dtype=np.int32)
        # Attributes of a node are sorted by name, so that their order in the source does not matter.
        keys = self.attribute_node.astype(np.int64) * len(ranks) + ranks[self.attribute_name]
        order = np.argsort(keys, kind="stable")
        return hashes.both(
            hashes.of_strings([self.attribute_names[index] for index in names]),
            hashes.of_arrays(self.attribute_node, ranks[self.attribute_name][order]),
            hashes.of_table(self.attribute_values, self.attribute_value[order]),
        )

    @cached_property
    def content_hash(self) -> bytes:
        """The signature of the texts in document order, whatever elements they stand in. Comments do not
        count."""
        return hashes.of_table(self.texts, self._written)

    @cached_property
    def _written(self) -> Ints:
        """For each text node, in document order, the index of its text."""
        return self.content[self.is_text]

    @cached_property
    def comments_hash(self) -> bytes:
        """The signature of comments, processing instructions and doctype."""
        return hashes.of_table(self.texts, self.content[(self.content >= 0) & ~self.is_text])

    @cached_property
    def subtree_hashes(self) -> Hashes:
        """A number for each subtree, equal for equal shape, names, attributes and text. Holds in this process
        only."""
        return hashes.subtrees(self)

    @cached_property
    def shape_hashes(self) -> Hashes:
        """A number for each subtree, equal for equal shape and names. Holds in this process only."""
        return hashes.shapes(self)

    def same_structure(self, other: PageDigest) -> bool:
        """Tells whether both trees have the same shape, whatever the names of their nodes."""
        return self._same("structure_hash", other, lambda one: one.structure.tobytes())

    def same_tags(self, other: PageDigest) -> bool:
        """Tells whether the nodes of both documents have the same names, one by one."""
        return self._same("tags_hash", other, lambda one: (one.tag_names, one.tags.tobytes()))

    def same_attributes(self, other: PageDigest) -> bool:
        """Tells whether every node has the same attributes in both documents, in any order."""
        if not self._both_know("attributes_hash", other):
            if self.attribute_node.tobytes() != other.attribute_node.tobytes():
                return False
            if (
                self.attribute_names == other.attribute_names
                and self.attribute_name.tobytes() == other.attribute_name.tobytes()
            ):
                ours, theirs = self.attribute_value, other.attribute_value
                return string_tables.same_strings(self.attribute_values, ours, other.attribute_values, theirs)
        return self.attributes_hash == other.attributes_hash

    def same_content(self, other: PageDigest) -> bool:
        """Tells whether both documents have equal texts in document order, wherever the texts stand."""
        if self._both_know("content_hash", other):
            return self.content_hash == other.content_hash
        return string_tables.same_strings(self.texts, self._written, other.texts, other._written)

    def same_lines(self, other: PageDigest) -> bool:
        """Tells whether both documents have equal text in equal lines, as a reader sees it."""
        known = "shown" in self.__dict__ and "shown" in other.__dict__
        return (not known and self.pieces == other.pieces) or self.shown.text == other.shown.text

    def same_links(self, other: PageDigest) -> bool:
        """Tells whether both pages have the same links, each as often, in any order."""
        return links.same(self, other)

    def _same(self, aspect: str, other: PageDigest, plain: Callable[[PageDigest], object]) -> bool:
        """Tells whether an aspect is equal in both. Compares the signatures if both are known, as for
        stored digests; otherwise the values that `plain` returns, because that is faster than computing
        signatures."""
        if self._both_know(aspect, other):
            return bool(self.__dict__[aspect] == other.__dict__[aspect])
        return bool(plain(self) == plain(other))

    def _both_know(self, aspect: str, other: PageDigest) -> bool:
        return aspect in self.__dict__ and aspect in other.__dict__

    @cached_property
    def signature(self) -> bytes:
        """The signature of the whole document: equal for equal documents only."""
        return hashes.both(
            self.kind.encode(),
            self.structure_hash,
            self.tags_hash,
            self.attributes_hash,
            self.content_hash,
            self.comments_hash,
        )

    def follows(self, before: PageDigest) -> None:
        """Sets the version before this one. Words of lines that are the same in both are then taken from it;
        so is what depends on the tree alone, if that is the same."""
        self._before = ref(before)
        self._is_like = None

    def once(self, name: str, make: Callable[[PageDigest], T], *, of_tree: bool = False) -> T:
        """Returns `make(self)`, computed at the first call with this name and then kept. With `of_tree` it is
        computed once for versions with the same tree.

        The value lives as long as the digest, so it must not refer to the digest: the two would keep each
        other in memory until the garbage collector runs.
        """
        made: dict[str, T] = self.__dict__
        if name in made:
            return made[name]
        return made.setdefault(name, self.shared(name, make) if of_tree else make(self))

    def shared(self, name: str, make: Callable[[PageDigest], T]) -> T:
        """Returns what `make` returns for this version, and for the version before if that has the same tree:
        which elements there are, where, and which of them are hidden. Whoever is asked first computes it."""
        before = self._like
        if before is None:
            return make(self)
        made: dict[str, T] = before.__dict__
        return made[name] if name in made else made.setdefault(name, make(self))

    @property
    def _like(self) -> PageDigest | None:
        """The version before, if it is still in memory and has the same tree."""
        before = self._before() if self._before else None
        if before is None or before is self:
            return None
        if self._is_like is None:
            self._is_like = self._has_tree_of(before)
        return before if self._is_like else None

    def _has_tree_of(self, other: PageDigest) -> bool:
        """Tells whether both are whole pages with the same elements and texts in the same places, and the
        same of them are hidden."""
        return (
            self.whole is self
            and other.whole is other
            and self.kind == other.kind
            and self.same_tags(other)
            and self.same_structure(other)
            and self._hiding == other._hiding
        )

    @cached_property
    def _hiding(self) -> bytes:
        """The nodes with the attribute `hidden`."""
        if "hidden" not in self.attribute_names:
            return b""
        return self.attribute_node[self.rows_of("hidden")].tobytes()

    # --- other forms ------------------------------------------------------------------------------

    def as_document(self) -> bytes:
        """Returns an equivalent document (D2) of the type `content_type`."""
        return writer.as_document(self)

    @property
    def content_type(self) -> str:
        """The Content-Type with which the bytes of `as_document()` are read again."""
        return writer.CONTENT_TYPES[self.kind]

    def to_bytes(self) -> bytes:
        """Returns the stored form, which loads many times faster than the document can be parsed."""
        return containers.to_bytes(self)

    @classmethod
    def from_bytes(cls, data: bytes, load: Callable[[], bytes | memoryview] | None = None) -> PageDigest:
        """Returns a stored digest. Its containers are decoded on first use. If `data` is the head alone,
        `load` returns the rest when a container is needed.

        Raises DocumentRefused for bytes that are not a stored digest. Damage inside a container is found, and
        raised, on its first use.
        """
        stored = containers.StoredContainers(data, load)
        return cls(stored, known=stored.aspects)

    def __eq__(self, other: object) -> bool:
        """Tells whether the documents are equal, as their signatures would say. Stops at the first aspect
        that differs; the content is first, because it differs most often."""
        return self is other or (
            isinstance(other, PageDigest)
            and self.kind == other.kind
            and len(self) == len(other)
            and self.same_content(other)
            and self.same_attributes(other)
            and self.same_structure(other)
            and self.same_tags(other)
            and self.comments_hash == other.comments_hash
        )

    def __hash__(self) -> int:
        return hash(self.signature)

    def __repr__(self) -> str:
        return f"<PageDigest {self.kind} {len(self)} nodes {self.source_url}>".replace(" >", ">")


def _places_of(names: tuple[str, ...], wanted: frozenset[str]) -> tuple[int, ...] | Mask:
    """Returns the numbers of the wanted names if there are at most two, otherwise a mask over all names."""
    # Versions of a page, and often all pages of a site, have the same names, so the answers are cached.
    # Tables with more than _FEW_NAMES names are not, because the cache would keep them in memory.
    return (_known_places if len(names) <= _FEW_NAMES else _found_places)(names, wanted)


def _found_places(names: tuple[str, ...], wanted: frozenset[str]) -> tuple[int, ...] | Mask:
    found = tuple([number for number, name in enumerate(names) if name in wanted])
    if len(found) <= 2:
        return found
    table = np.zeros(len(names), dtype=np.bool_)
    table[[*found]] = True
    return table


# Pages of a site share their few names, so the answer is remembered; more names are not worth the memory.
_FEW_NAMES = 200
_known_places = lru_cache(maxsize=2048)(_found_places)


def _marked(indices: Ints, which: tuple[int, ...] | Mask) -> Mask:
    """Returns a mask of the indices that are among `which`. One or two numbers are compared directly, which
    is faster than a look-up in a mask."""
    if not isinstance(which, tuple):
        return which.take(indices)
    if not which:
        return np.zeros(len(indices), dtype=np.bool_)
    found: Mask = indices == which[0]
    return found | (indices == which[1]) if len(which) == 2 else found


def kept(make: Callable[[PageDigest], T]) -> Callable[[PageDigest], T]:
    """Makes a function of one digest keep its result in the digest. The result must not refer to the
    digest."""
    return _keeping(make, of_tree=False)


def kept_of_tree(make: Callable[[PageDigest], T]) -> Callable[[PageDigest], T]:
    """Does the same for a function of the tree alone: versions with the same tree keep one result."""
    return _keeping(make, of_tree=True)


def _keeping(make: Callable[[PageDigest], T], *, of_tree: bool) -> Callable[[PageDigest], T]:
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def known(digest: PageDigest) -> T:
        return digest.once(name, make, of_tree=of_tree)

    return known
