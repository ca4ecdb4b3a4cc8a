"""The Page Digest: a document as separate containers instead of a tree of objects (D1).

Node 0 is the document; nodes are numbered depth first. Elements, texts, comments, processing
instructions and the doctype are nodes; what is written stands at leaves only.

    ST  structure           int32 per node: number of children
    TL  tag_names           tuple of names; TM  tags: index into it per node
    AL  attribute_names, attribute_values   tuples of strings
    AM  attribute_node, attribute_name, attribute_value   parallel int32 arrays, sorted by node,
                            in the order of the source within a node
    CL  texts               tuple of distinct strings; CM  content: index into it per node, -1 for none

Every table is in order of first use (but TL begins with `#text`, `#document`), so equal documents have
equal containers. Names of nodes that
are not elements: `#document`, `#text`, `#cdata`, `#comment`, `#doctype`, `?target` for a processing
instruction, `#binary`. Everything else is derived on first use and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import TypeVar
from weakref import ref

import numpy as np

from webvigil.document import (
    arrays,
    backgrounds,
    forms,
    hashes,
    headings,
    images,
    links,
    named,
    parts,
    paths,
    reading,
    stored,
    tables,
    words,
    writer,
    xpath,
)
from webvigil.document.arrays import Hashes, Ints, Longs, Mask
from webvigil.document.backgrounds import Background
from webvigil.document.containers import Containers, Kind
from webvigil.document.derived import cached_property
from webvigil.document.forms import Form
from webvigil.document.headings import Heading
from webvigil.document.images import Image
from webvigil.document.links import Link
from webvigil.document.lists import Lists
from webvigil.document.markup import CDATA, TEXT
from webvigil.document.paths import Places
from webvigil.document.reading import Pieces, Reading
from webvigil.document.tables import Table
from webvigil.document.words import Words

T = TypeVar("T")


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
        """`known` spares the work where a reader has derived values already.

        Of a part, `whole` is the digest it was taken from and `origin` its nodes there.
        """
        self._containers = containers
        self._whole = whole
        self._origin = origin
        self._before: ref[PageDigest] | None = None
        self.load_screenshot: Callable[[], bytes] | None = None
        self.__dict__.update(known or {})

    @cached_property
    def source_hash(self) -> bytes:
        """The signature of the bytes as they came, b"" where it is not known."""
        return self._containers.source_hash

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """By address the signatures of the pictures on the page, as far as somebody fetched them (C3)."""
        return self._containers.pictures

    def with_source(self, source_hash: bytes, pictures: Mapping[str, str] | None = None) -> PageDigest:
        """The same document, knowing the signatures of its bytes and, by address, of its pictures."""
        twin = copy(self)
        twin.source_hash = source_hash
        twin.pictures = self.pictures if pictures is None else pictures
        return twin

    def with_pictures(self, pictures: Mapping[str, str]) -> PageDigest:
        return self.with_source(self.source_hash, pictures)

    def with_screenshot(self, load: Callable[[], bytes]) -> PageDigest:
        """The same document, knowing how to come by the picture a browser took of it."""
        twin = copy(self)
        twin.load_screenshot = load
        return twin

    @property
    def screenshot(self) -> bytes:
        """The picture a browser took of the whole page, b"" where there is none. Loaded when asked for."""
        load = self.whole.load_screenshot
        return load() if load else b""

    # --- the containers (D1) ----------------------------------------------------------------------

    @property
    def kind(self) -> Kind:
        return self._containers.kind

    @cached_property
    def is_html(self) -> bool:
        """HTML by its names: also XHTML that was read as XML, and every part of it."""
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

    # --- the tree in them (D4) --------------------------------------------------------------------

    def __len__(self) -> int:
        """The node count."""
        return self._containers.count

    @cached_property
    def sizes(self) -> Ints:
        """Subtree sizes: the subtree of node n is the nodes n … n + sizes[n] - 1."""
        return (
            arrays.subtree_sizes(self.depths)
            if "depths" in self.__dict__
            else arrays.sizes_of(self.structure)
        )

    @cached_property
    def depths(self) -> Ints:
        return arrays.depths_of(self.sizes)

    @cached_property
    def parents(self) -> Ints:
        """The parent of each node, -1 for node 0."""
        return arrays.node_parents(self.depths)

    def parent(self, node: int) -> int:
        """The parent of one node, without asking for those of all."""
        if "parents" in self.__dict__:
            return int(self.parents[node])
        above = (self.depths[:node] < self.depths[node]).nonzero()[0]
        return int(above[-1]) if len(above) else -1

    def tag(self, node: int) -> str:
        return self.tag_names[int(self.tags[node])]

    def children(self, node: int) -> list[int]:
        """The children from left to right."""
        found, child = [], node + 1
        for _ in range(self.structure[node]):
            found.append(child)
            child += int(self.sizes[child])
        return found

    def depth_first(self, node: int = 0) -> range:
        """The nodes of a subtree in document order."""
        return range(node, node + int(self.sizes[node]))

    def breadth_first(self) -> Longs:
        """All nodes level by level."""
        return arrays.level_order(self.depths)

    def ancestors(self, node: int) -> list[int]:
        """From the parent up to the document."""
        found = []
        while (node := int(self.parents[node])) >= 0:
            found.append(node)
        return found

    @cached_property
    def ranks(self) -> Ints:
        """The place of each node among its parent's children, from 0."""
        return arrays.sibling_ranks(self.parents)

    @cached_property
    def places(self) -> Places:
        """The numbers that stand in paths."""
        return paths.places(self)

    def path(self, node: int) -> str:
        """Where a node is: `/html/body/ul[1]/li[3]/a`. A number only among siblings of one name."""
        if self._origin is not None:
            return self.whole.path(int(self._origin[node]))
        return paths.path(self, node)

    def paths(self, nodes: list[int]) -> list[str]:
        """Where some nodes are."""
        if self._origin is not None:
            return self.whole.paths(self._origin[nodes].tolist() if nodes else [])
        return paths.paths(self, nodes)

    # --- parts (D5) -------------------------------------------------------------------------------

    def part(self, kept: Mask, attributes: Mask | None = None) -> PageDigest:
        """The kept nodes as a digest of their own, numbered afresh; paths remain those of this page.

        `attributes` are the rows of AM that are kept of them, where these are not all.
        """
        return self._from_here(*parts.part_of(self, kept, attributes))

    def with_lines(self, before: Longs, lines: list[str]) -> PageDigest:
        """The same page with a text node more before each of these nodes; its path is that of the node."""
        return self._from_here(*parts.with_lines(self, before, lines))

    def _from_here(self, containers: Containers, depths: Ints, origin: Longs) -> PageDigest:
        leads = origin if self._origin is None else self._origin[origin]
        return PageDigest(containers, known={"depths": depths}, whole=self.whole, origin=leads)

    def with_texts(self, change: Callable[[str], str]) -> PageDigest:
        """The same page with every text node's text changed."""
        return PageDigest(parts.with_texts(self, change), whole=self.whole, origin=self.origin)

    def with_own_texts(self, changed: Mapping[int, str]) -> PageDigest:
        """The same page with other texts at these text nodes."""
        return PageDigest(parts.with_own_texts(self, changed), whole=self.whole, origin=self.origin)

    @property
    def whole(self) -> PageDigest:
        """The digest this one is a part of; of a whole page itself."""
        return self._whole or self

    @cached_property
    def origin(self) -> Longs:
        """Per node: its number in the whole page."""
        return np.arange(len(self)) if self._origin is None else self._origin

    # --- names, attributes, text ------------------------------------------------------------------

    @cached_property
    def tag_index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.tag_names)}

    @cached_property
    def attribute_index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.attribute_names)}

    def nodes_of(self, *tags: str) -> Longs:
        """The nodes with one of these names, in document order."""
        return self.is_tag(tags).nonzero()[0]

    def is_tag(self, tags: Iterable[str]) -> Mask:
        """Per node: has it one of these names?"""
        return _marked(self.tags, _places_of(self.tag_names, frozenset(tags)))

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
        """The attributes of a node in the order of the source."""
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
        """The rows of AM whose attribute has one of these names, in document order."""
        return _marked(self.attribute_name, _places_of(self.attribute_names, frozenset(names))).nonzero()[0]

    @cached_property
    def is_text(self) -> Mask:
        """Per node: is it a text (or CDATA) node?"""
        return self.is_tag((TEXT, CDATA))

    def own_text(self, node: int) -> str:
        """What is written at this very node; "" for elements."""
        index = self.content[node]
        return self.texts[index] if index >= 0 else ""

    def text(self, node: int) -> str:
        """All text below a node (or at it), joined as it stands in the source, hidden or not."""
        size = int(self.sizes[node])
        if size <= 2:
            last = node + size - 1
            return self.own_text(last) if size == 1 or self.is_text[last] else ""
        run = slice(node, node + size)
        found = self.content[run][self.is_text[run]]
        return "".join([self.texts[index] for index in found.tolist()])

    # --- what a reader sees -----------------------------------------------------------------------

    @cached_property
    def hidden(self) -> Mask:
        """Per node: inside script, style, template, noscript, head …, or an element with `hidden`."""
        return reading.hidden(self)

    @cached_property
    def block_edges(self) -> Longs:
        """Per node: how many borders of block elements come before it; equal within one line of text."""
        return reading.block_edges(self)

    @cached_property
    def pieces(self) -> Pieces:
        """The texts that a reader sees, in order, and which of them begin a line."""
        return reading.pieces(self)

    @cached_property
    def reading(self) -> Reading:
        """The visible text in reading order as it stands in the nodes, "\\n" between blocks."""
        return reading.raw(self)

    @cached_property
    def shown(self) -> Reading:
        """The same with white space collapsed as on the screen: one line per block."""
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
        """C2: a/area href, form actions, URLs in `value`; absolute; no mailto: or javascript:."""
        return links.links(self)

    @cached_property
    def link_sources(self) -> tuple[list[int], list[str]]:
        """The elements that carry a link, and the addresses as written there."""
        return links.sources(self)

    @cached_property
    def image_sources(self) -> list[tuple[int, str, str]]:
        """The attributes that name pictures: element, name and value as written."""
        return images.sources(self)

    @cached_property
    def images(self) -> tuple[Image, ...]:
        """C3: img src, srcset, picture sources; absolute."""
        return images.images(self)

    @cached_property
    def tables(self) -> Sequence[Table]:
        """Tables with caption, header and rows; spans filled in, tables in tables apart (C8)."""
        return tables.tables(self)

    @cached_property
    def lists(self) -> Lists:
        """Lists with their items; lists in lists apart (C8)."""
        return Lists(self)

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        return headings.headings(self)

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        return forms.forms(self)

    @cached_property
    def backgrounds(self) -> tuple[Background, ...]:
        """Background pictures and colours, where the page itself names them."""
        return backgrounds.backgrounds(self)

    @cached_property
    def title(self) -> str:
        return headings.title(self)

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
        """Which node has which attributes; their order within a node does not count."""
        names = sorted(range(len(self.attribute_names)), key=self.attribute_names.__getitem__)
        ranks = np.zeros(len(names) or 1, dtype=np.int32)
        ranks[names] = np.arange(len(names), dtype=np.int32)
        # Rows are sorted by node already, so one stable sort by (node, rank of the name) is enough.
        keys = self.attribute_node.astype(np.int64) * len(ranks) + ranks[self.attribute_name]
        order = np.argsort(keys, kind="stable")
        return hashes.both(
            hashes.of_strings([self.attribute_names[index] for index in names]),
            hashes.of_arrays(self.attribute_node, ranks[self.attribute_name][order]),
            hashes.of_table(self.attribute_values, self.attribute_value[order]),
        )

    @cached_property
    def content_hash(self) -> bytes:
        """The texts in document order, wherever they stand; comments do not count."""
        return hashes.of_table(self.texts, self._written)

    @cached_property
    def _written(self) -> Ints:
        """Which texts stand at the text nodes, in document order."""
        return self.content[self.is_text]

    @cached_property
    def comments_hash(self) -> bytes:
        """Comments, processing instructions, doctype."""
        return hashes.of_table(self.texts, self.content[(self.content >= 0) & ~self.is_text])

    @cached_property
    def links_hash(self) -> bytes:
        """Equal for equal links as written and an equal base: a quick "no link changed"."""
        return links.signature(self)

    @cached_property
    def subtree_hashes(self) -> Hashes:
        """Per node, for this process: equal for equal subtrees (shape, names, attributes, text)."""
        return hashes.subtrees(self)

    @cached_property
    def shape_hashes(self) -> Hashes:
        """Per node, for this process: equal for subtrees of equal shape and names."""
        return hashes.shapes(self)

    def same_structure(self, other: PageDigest) -> bool:
        """Equal trees, whatever the names."""
        return self._same("structure_hash", other, lambda one: one.structure.tobytes())

    def same_tags(self, other: PageDigest) -> bool:
        """Equal names, node by node."""
        return self._same("tags_hash", other, lambda one: (one.tag_names, one.tags.tobytes()))

    def same_attributes(self, other: PageDigest) -> bool:
        """Equal attributes on every node, in whatever order."""
        if not self._both_know("attributes_hash", other):
            if self.attribute_node.tobytes() != other.attribute_node.tobytes():
                return False
            if (
                self.attribute_names == other.attribute_names
                and self.attribute_name.tobytes() == other.attribute_name.tobytes()
            ):
                ours, theirs = self.attribute_value, other.attribute_value
                return named.same_strings(self.attribute_values, ours, other.attribute_values, theirs)
        return self.attributes_hash == other.attributes_hash

    def same_content(self, other: PageDigest) -> bool:
        """Equal texts in document order, wherever they stand."""
        if self._both_know("content_hash", other):
            return self.content_hash == other.content_hash
        return named.same_strings(self.texts, self._written, other.texts, other._written)

    def same_lines(self, other: PageDigest) -> bool:
        """Equal text in equal lines, as a reader sees it."""
        known = "shown" in self.__dict__ and "shown" in other.__dict__
        return (not known and self.pieces == other.pieces) or self.shown.text == other.shown.text

    def same_markup(self, other: PageDigest) -> bool:
        """HTML with equal elements and attributes, and an equal base: what rests on these alone is the same,
        links and pictures for example."""
        return (
            self.is_html
            and other.is_html
            and self.url == other.url
            and self.same_tags(other)
            and self.same_structure(other)
            and self.same_attributes(other)
        )

    def same_links(self, other: PageDigest) -> bool:
        """Equal links, each as often, in whatever order."""
        return links.same(self, other)

    def _same(self, aspect: str, other: PageDigest, plain: Callable[[PageDigest], object]) -> bool:
        """By the signatures where both are known, as of stored digests; otherwise directly, it is faster."""
        if self._both_know(aspect, other):
            return bool(self.__dict__[aspect] == other.__dict__[aspect])
        return bool(plain(self) == plain(other))

    def _both_know(self, aspect: str, other: PageDigest) -> bool:
        return aspect in self.__dict__ and aspect in other.__dict__

    @cached_property
    def signature(self) -> bytes:
        """Equal exactly for equal documents."""
        return hashes.both(
            self.kind.encode(),
            self.structure_hash,
            self.tags_hash,
            self.attributes_hash,
            self.content_hash,
            self.comments_hash,
        )

    def follows(self, before: PageDigest) -> None:
        """Tells which version came before this one: what that one knows need not be worked out again."""
        self._before = ref(before)

    def once(self, name: str, make: Callable[[PageDigest], T]) -> T:
        """What `make` says of this document, worked out the first time it is asked for by this name.

        It is kept as long as the digest, so it must not hold on to the digest itself.
        """
        made: dict[str, T] = self.__dict__
        return made[name] if name in made else made.setdefault(name, make(self))

    # --- other forms ------------------------------------------------------------------------------

    def as_document(self) -> bytes:
        """An equivalent document (D2), of type `content_type`."""
        return writer.as_document(self)

    @property
    def content_type(self) -> str:
        """What to say about `as_document()` when it is read again."""
        return writer.CONTENT_TYPES[self.kind]

    def to_bytes(self) -> bytes:
        """The stored form: loads many times faster than the document can be parsed."""
        return stored.to_bytes(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> PageDigest:
        """A stored digest; containers are decoded when they are asked for.

        Raises DocumentRefused for bytes that are not a stored digest, here or when a container is asked for.
        """
        containers = stored.StoredContainers(data)
        return cls(containers, known=containers.aspects)

    def __eq__(self, other: object) -> bool:
        """As the signatures, but no further than to the first aspect that differs: mostly the content."""
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
    """The numbers of the wanted names, or, of more than two, for each name whether it is one of them."""
    # Versions of a page, and often all pages of a site, have the same names, and the same is asked of each.
    return (_known_places if len(names) <= _FEW_NAMES else _found_places)(names, wanted)


def _found_places(names: tuple[str, ...], wanted: frozenset[str]) -> tuple[int, ...] | Mask:
    found = tuple([number for number, name in enumerate(names) if name in wanted])
    if len(found) <= 2:
        return found
    table = np.zeros(len(names), dtype=np.bool_)
    table[[*found]] = True
    return table


_FEW_NAMES = 200
_known_places = lru_cache(maxsize=2048)(_found_places)


def _marked(indices: Ints, which: tuple[int, ...] | Mask) -> Mask:
    """Few are compared one by one: that is faster than looking them up in a table."""
    if not isinstance(which, tuple):
        return which[indices]
    if not which:
        return np.zeros(len(indices), dtype=np.bool_)
    found: Mask = indices == which[0]
    return found | (indices == which[1]) if len(which) == 2 else found
